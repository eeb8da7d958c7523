// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.plot.TimelinePlot;
import dev.perdure.cli.text.TimelineText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.explain.TypicalFailure;
import dev.perdure.policy.json.PolicyReportJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what a policy will do. */
@Command(
    name = "explain",
    description = "Tells what a policy will do: in words, and retry by retry.",
    footer = {
      "",
      "Examples:",
      "  perdure explain http",
      "  perdure explain http --failure '{\"kind\":\"http\",\"status\":502}'",
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
      description = "Exactly so many attempts, also past the end.")
  private @Nullable String attempts;

  @Option(
      names = "--failure",
      paramLabel = "JSON",
      description = "The i-th serves attempt i, the last one repeats.")
  private List<String> failures = new ArrayList<>();

  @Option(names = "--plot", paramLabel = "FILE", description = "Draw it too: FILE.svg or FILE.png.")
  private @Nullable String plot;

  @Option(
      names = "--vectors",
      paramLabel = "FILE",
      description = "Instead of POLICY: check a file of expected decisions.")
  private @Nullable String vectors;

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  ExplainCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    if (vectors == null) {
      explain();
      return Perdure.EXIT_OK;
    }
    if (policy != null || attempts != null || plot != null || !failures.isEmpty()) {
      throw new UsageException("--vectors", "goes with --json and --color only");
    }
    return VectorsFile.check(cliContext, vectors, output.json);
  }

  private void explain() {
    OptionParser optionParser = new OptionParser();
    RetryPolicy read = optionParser.policy(cliContext, policy);
    List<Failure> named = optionParser.failures(failures);
    int exactly = optionParser.count("--attempts", attempts, 0, 1, Timeline.MAX_ENTRIES);
    PlotTarget target = optionParser.plot(plot);
    optionParser.throwIfInvalid();

    List<Failure> assumed = named.isEmpty() ? List.of(TypicalFailure.of(read)) : named;
    Timeline timeline =
        exactly > 0
            ? Timeline.ofAttempts(read, assumed, cliContext.now(), exactly)
            : Timeline.untilEnd(read, assumed, cliContext.now(), MAX_ENTRIES);
    boolean goesOn = exactly == 0 && timeline.end() == null;
    target.write(() -> new TimelinePlot(read, timeline, goesOn));
    if (output.json) {
      for (Timeline.Entry entry : timeline.entries()) {
        cliContext
            .out()
            .println(
                exactly > 0 ? PolicyReportJson.decision(entry) : PolicyReportJson.entry(entry));
      }
    } else {
      TimelineText text = new TimelineText(output.writer(cliContext), read, assumed);
      text.summary();
      text.timeline(timeline, goesOn, !named.isEmpty());
      target.report(output.writer(cliContext));
    }
  }
}
