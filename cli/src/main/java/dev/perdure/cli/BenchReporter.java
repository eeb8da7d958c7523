// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.BenchText;
import dev.perdure.cli.text.LiveBlock;
import dev.perdure.client.LoadGenerator;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Tells how far a measurement is, and what it found. */
interface BenchReporter {

  /**
   * So much of a round is done, by any thread.
   *
   * @param measured the rounds before
   * @param round what it is called
   */
  void progress(List<LoadGenerator.Round> measured, String round, int done);

  /** One more round. */
  void measured(List<LoadGenerator.Round> rounds);

  /** All of them. */
  void ended(List<LoadGenerator.Round> rounds);

  /**
   * One for whoever reads.
   *
   * @param tasks in each round
   */
  static BenchReporter of(
      CliContext cliContext, OutputOptions output, int tasks, Supplier<Duration> clock) {
    if (output.json) {
      return new JsonReporter(cliContext);
    }
    return cliContext.supportsLiveOutput()
        ? new LiveReporter(
            new LiveBlock(cliContext.out(), cliContext.liveWidth(), output.colored(cliContext)),
            tasks,
            clock)
        : new LineReporter(cliContext, output, tasks);
  }

  /** An object for each round. */
  record JsonReporter(CliContext shell) implements BenchReporter {

    @Override
    public void progress(List<LoadGenerator.Round> measured, String round, int done) {}

    @Override
    public void measured(List<LoadGenerator.Round> rounds) {
      shell.out().println(CliJson.round(rounds.getLast()));
      shell.out().flush();
    }

    @Override
    public void ended(List<LoadGenerator.Round> rounds) {}
  }

  /** A line for each round, and the whole. */
  record LineReporter(CliContext shell, OutputOptions output, int tasks) implements BenchReporter {

    @Override
    public void progress(List<LoadGenerator.Round> measured, String round, int done) {}

    @Override
    public void measured(List<LoadGenerator.Round> rounds) {
      BenchText.round(output.writer(shell), rounds.size(), rounds.getLast());
      shell.out().flush();
    }

    @Override
    public void ended(List<LoadGenerator.Round> rounds) {
      if (!rounds.isEmpty()) {
        output.writer(shell).blank();
        BenchText.print(output.writer(shell), rounds, tasks);
      }
    }
  }

  /** A bar that grows, and the whole in its place. */
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
        block.show(
            terminalWriter -> BenchText.progress(terminalWriter, measured, round, share(done)));
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
        block.show(terminalWriter -> BenchText.print(terminalWriter, rounds, tasks));
      }
    }
  }
}
