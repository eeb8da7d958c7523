// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a few other commands, to show what they do. */
@Command(
    name = "tour",
    description = "Show the policy commands in a few seconds, without a server.",
    footer = {"", "Example:", "  perdure tour"})
final class TourCommand implements Callable<Integer> {

  private static final String UNWISE =
      """
      {"max_retries": null, "backoff": {"type": "fixed", "delay": "1s"}, "jitter": "none"}""";
  private static final String EAGER =
      """
      {"max_retries": 10, "backoff": {"type": "exponential", "initial": "100ms"}, \
      "max_delay": "2s", "jitter": "full"}""";

  private static final List<TourStep> STEPS =
      List.of(
          new TourStep("What will a policy do?", List.of("explain", "http")),
          new TourStep(
              "What is unwise about this policy?", List.of("lint", UNWISE, "--method", "POST")),
          new TourStep(
              "What happens in an outage? A retry budget protects the service.",
              List.of("simulate", EAGER, "--load", "70%")));

  /** One command of the tour and its heading. */
  private record TourStep(String heading, List<String> command) {

    String typed(String call) {
      StringBuilder line = new StringBuilder("$ " + call);
      for (String word : command) {
        line.append(' ').append(word.startsWith("{") ? "'" + word + "'" : word);
      }
      return line.toString();
    }
  }

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  TourCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    TerminalWriter writer = output.writer(context);
    for (int i = 0; i < STEPS.size(); i++) {
      TourStep step = STEPS.get(i);
      writer.heading("%d. %s".formatted(i + 1, step.heading()));
      writer.blank();
      writer.command(step.typed(context.commandPrefix()));
      writer.blank();
      List<String> args = new ArrayList<>(step.command());
      args.add(output.colorArgument());
      Perdure.run(context, args.toArray(String[]::new));
      writer.blank();
    }
    writer.paragraph(
        "Next, try your own policy: %s explain --help".formatted(context.commandPrefix()));
    return Perdure.EXIT_OK;
  }
}
