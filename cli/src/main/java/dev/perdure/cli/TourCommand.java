// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A tour: runs the other commands as a visitor would. */
@Command(
    name = "tour",
    description = "A tour of a few seconds, in the terminal, without a network.",
    footer = {"", "Example:", "  perdure tour"})
final class TourCommand implements Callable<Integer> {

  private static final String RASH =
      """
      {"max_retries": null, "backoff": {"type": "fixed", "delay": "1s"}, "jitter": "none"}""";
  private static final String EAGER =
      """
      {"max_retries": 10, "backoff": {"type": "exponential", "initial": "100ms"}, \
      "max_delay": "2s", "jitter": "full"}""";

  private static final List<TourStep> STEPS =
      List.of(
          new TourStep("What will a policy do? Ask before it does it.", List.of("explain", "http")),
          new TourStep("What is unwise in this one?", List.of("lint", RASH, "--method", "POST")),
          new TourStep(
              "Jitter alone does not save a service from its clients; a retry budget does.",
              List.of("simulate", EAGER, "--load", "70%")));

  /** One command of the tour, and why to run it. */
  private record TourStep(String heading, List<String> command) {

    String typed() {
      StringBuilder line = new StringBuilder("$ perdure");
      for (String word : command) {
        line.append(' ').append(word.startsWith("{") ? "'" + word + "'" : word);
      }
      return line.toString();
    }
  }

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  TourCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    TerminalWriter terminalWriter = output.writer(cliContext);
    for (int i = 0; i < STEPS.size(); i++) {
      TourStep tourStep = STEPS.get(i);
      terminalWriter.heading("%d. %s".formatted(i + 1, tourStep.heading()));
      terminalWriter.blank();
      terminalWriter.command(tourStep.typed());
      terminalWriter.blank();
      List<String> args = new ArrayList<>(tourStep.command());
      args.add(output.colorArgument());
      Perdure.run(cliContext, args.toArray(String[]::new));
      terminalWriter.blank();
    }
    terminalWriter.paragraph("Now try it with a policy of yours: perdure explain --help");
    return Perdure.EXIT_OK;
  }
}
