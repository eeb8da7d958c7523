// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.client.Load;
import dev.perdure.server.cli.text.BenchText;
import dev.perdure.server.cli.text.LiveBlock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Tells how far a measurement is, and what it found. */
interface BenchTeller {

  /**
   * So much of a round is done, by any thread.
   *
   * @param measured the rounds before
   * @param round what it is called
   */
  void progress(List<Load.Round> measured, String round, int done);

  /** One more round. */
  void measured(List<Load.Round> rounds);

  /** All of them. */
  void ended(List<Load.Round> rounds);

  /**
   * One for whoever reads.
   *
   * @param tasks in each round
   */
  static BenchTeller of(Shell shell, OutputOptions output, int tasks, Supplier<Duration> clock) {
    if (output.json) {
      return new ForPrograms(shell);
    }
    return shell.hasLiveTerminal()
        ? new OnTerminal(
            new LiveBlock(shell.out(), shell.liveWidth(), output.colored(shell)), tasks, clock)
        : new InLines(shell, output, tasks);
  }

  /** An object for each round. */
  record ForPrograms(Shell shell) implements BenchTeller {

    @Override
    public void progress(List<Load.Round> measured, String round, int done) {}

    @Override
    public void measured(List<Load.Round> rounds) {
      shell.out().println(Json.round(rounds.getLast()));
      shell.out().flush();
    }

    @Override
    public void ended(List<Load.Round> rounds) {}
  }

  /** A line for each round, and the whole. */
  record InLines(Shell shell, OutputOptions output, int tasks) implements BenchTeller {

    @Override
    public void progress(List<Load.Round> measured, String round, int done) {}

    @Override
    public void measured(List<Load.Round> rounds) {
      BenchText.round(output.page(shell), rounds.size(), rounds.getLast());
      shell.out().flush();
    }

    @Override
    public void ended(List<Load.Round> rounds) {
      if (!rounds.isEmpty()) {
        output.page(shell).blank();
        BenchText.print(output.page(shell), rounds, tasks);
      }
    }
  }

  /** A bar that grows, and the whole in its place. */
  final class OnTerminal implements BenchTeller {

    private static final Duration EVERY = Duration.ofMillis(200);

    private final LiveBlock block;
    private final int tasks;
    private final Supplier<Duration> clock;
    private Duration next = Duration.ZERO;

    OnTerminal(LiveBlock block, int tasks, Supplier<Duration> clock) {
      this.block = block;
      this.tasks = tasks;
      this.clock = clock;
    }

    @Override
    public synchronized void progress(List<Load.Round> measured, String round, int done) {
      if (clock.get().compareTo(next) >= 0) {
        block.show(page -> BenchText.progress(page, measured, round, share(done)));
        next = clock.get().plus(EVERY);
      }
    }

    /** Each task is submitted, and then settled. */
    private double share(int done) {
      return done / 2.0 / tasks;
    }

    @Override
    public void measured(List<Load.Round> rounds) {}

    @Override
    public synchronized void ended(List<Load.Round> rounds) {
      if (!rounds.isEmpty()) {
        block.show(page -> BenchText.print(page, rounds, tasks));
      }
    }
  }
}
