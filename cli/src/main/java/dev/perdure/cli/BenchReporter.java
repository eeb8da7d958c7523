// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.bench.LoadGenerator;
import dev.perdure.cli.text.BenchText;
import dev.perdure.cli.text.LiveBlock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Reports the progress and the results of a benchmark. */
interface BenchReporter {

  /**
   * Reports progress within a round; called from any thread.
   *
   * @param measured the rounds before it
   * @param round the name of this round
   * @param done submissions and settlements so far
   */
  void progress(List<LoadGenerator.Round> measured, String round, int done);

  /** Reports the last of these rounds. */
  void measured(List<LoadGenerator.Round> rounds);

  /** Reports the results of all rounds. */
  void ended(List<LoadGenerator.Round> rounds);

  /**
   * The reporter that suits the options and the terminal.
   *
   * @param tasks the number of tasks in each round
   */
  static BenchReporter of(
      CliContext context, OutputOptions output, int tasks, Supplier<Duration> clock) {
    if (output.json) {
      return new JsonReporter(context);
    }
    return context.supportsLiveOutput()
        ? new LiveReporter(
            new LiveBlock(context.out(), context.liveWidth(), output.colored(context)),
            tasks,
            clock)
        : new LineReporter(context, output, tasks);
  }

  /** Prints a JSON object for each round. */
  record JsonReporter(CliContext context) implements BenchReporter {

    @Override
    public void progress(List<LoadGenerator.Round> measured, String round, int done) {}

    @Override
    public void measured(List<LoadGenerator.Round> rounds) {
      context.out().println(CliJson.round(rounds.getLast()));
      context.out().flush();
    }

    @Override
    public void ended(List<LoadGenerator.Round> rounds) {}
  }

  /** Prints a line for each round, then the results. */
  record LineReporter(CliContext context, OutputOptions output, int tasks)
      implements BenchReporter {

    @Override
    public void progress(List<LoadGenerator.Round> measured, String round, int done) {}

    @Override
    public void measured(List<LoadGenerator.Round> rounds) {
      BenchText.round(output.writer(context), rounds.size(), rounds.getLast());
      context.out().flush();
    }

    @Override
    public void ended(List<LoadGenerator.Round> rounds) {
      if (!rounds.isEmpty()) {
        output.writer(context).blank();
        BenchText.print(output.writer(context), rounds, tasks);
      }
    }
  }

  /** Draws a progress bar, and replaces it with the results. */
  final class LiveReporter implements BenchReporter {

    private static final Duration REFRESH_INTERVAL = Duration.ofMillis(200);

    private final LiveBlock block;
    private final int tasks;
    private final Supplier<Duration> clock;
    private Duration next = Duration.ZERO;

    LiveReporter(LiveBlock block, int tasks, Supplier<Duration> clock) {
      this.block = block;
      this.tasks = tasks;
      this.clock = clock;
    }

    @Override
    public synchronized void progress(List<LoadGenerator.Round> measured, String round, int done) {
      if (clock.get().compareTo(next) >= 0) {
        block.show(writer -> BenchText.progress(writer, measured, round, share(done)));
        next = clock.get().plus(REFRESH_INTERVAL);
      }
    }

    /** Each task is submitted, and then settled. */
    private double share(int done) {
      return done / 2.0 / tasks;
    }

    @Override
    public void measured(List<LoadGenerator.Round> rounds) {}

    @Override
    public synchronized void ended(List<LoadGenerator.Round> rounds) {
      if (!rounds.isEmpty()) {
        block.show(writer -> BenchText.print(writer, rounds, tasks));
      }
    }
  }
}
