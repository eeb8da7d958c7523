// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.plot.TimelinePlot;
import dev.perdure.cli.text.TimelineText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.RepresentativeFailure;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.json.PolicyReportJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains what a policy does. */
@Command(
    name = "explain",
    description = "Explain what a retry policy does, in words and retry by retry.",
    footer = {
      "",
      "Examples:",
      "  perdure explain http",
      "  perdure explain http --failure 502",
      "  perdure explain '[{\"count\":3,\"delay_minutes\":5}]' --plot ladder.svg",
      "  perdure explain policy.json --json --attempts 10",
      "  perdure explain --vectors vectors.json"
    })
final class ExplainCommand implements Callable<Integer> {

  private static final int MAX_ENTRIES = 1_000;

  @Parameters(arity = "0..1", paramLabel = "POLICY", description = PolicyArgument.DESCRIPTION)
  private @Nullable String policy;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      description = "Show exactly N attempts, even past the end.")
  private @Nullable String attempts;

  @Option(
      names = "--failure",
      paramLabel = "FAILURE",
      description =
          "What the attempts fail with: an HTTP status, a kind, or JSON; may be repeated, one per"
              + " attempt.")
  private List<String> failures = new ArrayList<>();

  @Option(names = "--plot", paramLabel = "FILE.svg", description = "Also draw it as SVG.")
  private @Nullable String plot;

  @Option(
      names = "--vectors",
      paramLabel = "FILE",
      description = "Check a file of expected decisions instead of a POLICY.")
  private @Nullable String vectors;

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ExplainCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (vectors == null) {
      explain();
      return Perdure.EXIT_OK;
    }
    if (policy != null || attempts != null || plot != null || !failures.isEmpty()) {
      throw new UsageException("--vectors", "can only be combined with --json and --color");
    }
    return VectorsFile.check(context, vectors, output.json);
  }

  private void explain() {
    OptionParser parser = new OptionParser();
    RetryPolicy parsed = parser.policy(context, policy);
    List<Failure> named = parser.failures(failures);
    int exactly = parser.count("--attempts", attempts, 0, 1, Timeline.MAX_ENTRIES);
    PlotTarget target = parser.plot(plot);
    parser.throwIfInvalid();

    List<Failure> assumed = named.isEmpty() ? List.of(RepresentativeFailure.of(parsed)) : named;
    Timeline timeline =
        exactly > 0
            ? Timeline.ofAttempts(parsed, assumed, context.now(), exactly)
            : Timeline.untilEnd(parsed, assumed, context.now(), MAX_ENTRIES);
    boolean cut = exactly == 0 && timeline.goesOn();
    target.write(() -> new TimelinePlot(parsed, timeline, cut));
    if (output.json) {
      for (Timeline.Entry entry : timeline.entries()) {
        context
            .out()
            .println(
                exactly > 0 ? PolicyReportJson.decision(entry) : PolicyReportJson.entry(entry));
      }
    } else {
      TimelineText text = new TimelineText(output.writer(context), parsed, assumed);
      text.summary();
      text.timeline(timeline, cut, !named.isEmpty());
      target.report(output.writer(context));
    }
  }
}
