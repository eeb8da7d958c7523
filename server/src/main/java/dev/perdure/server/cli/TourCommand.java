// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.text.Page;
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

  private static final List<Stop> TOUR =
      List.of(
          new Stop("What will a policy do? Ask before it does it.", List.of("explain", "http")),
          new Stop("What is unwise in this one?", List.of("lint", RASH, "--method", "POST")),
          new Stop(
              "Jitter alone does not save a service from its clients; a retry budget does.",
              List.of("simulate", EAGER, "--load", "70%")));

  /** One command of the tour, and why to run it. */
  private record Stop(String heading, List<String> command) {

    String typed() {
      StringBuilder line = new StringBuilder("$ perdure");
      for (String word : command) {
        line.append(' ').append(word.startsWith("{") ? "'" + word + "'" : word);
      }
      return line.toString();
    }
  }

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  TourCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Page page = output.page(shell);
    for (int i = 0; i < TOUR.size(); i++) {
      Stop stop = TOUR.get(i);
      page.heading("%d. %s".formatted(i + 1, stop.heading()));
      page.blank();
      page.command(stop.typed());
      page.blank();
      List<String> args = new ArrayList<>(stop.command());
      args.add(output.colorArgument());
      Perdure.run(shell, args.toArray(String[]::new));
      page.blank();
    }
    page.paragraph("Now try it with a policy of yours: perdure explain --help");
    return Perdure.DONE;
  }
}
