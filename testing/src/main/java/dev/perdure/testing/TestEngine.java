// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.ManualEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * An engine for tests of handlers, on an in-memory store and a {@link FakeClock}. Handlers run on
 * the test's own thread and only when the test calls {@link #runDue} or {@link #advance}, so no
 * test waits. Not thread-safe.
 */
public final class TestEngine {

  /** Maximum number of claims per call, for tasks that never end. */
  private static final int MAX_CLAIMS = 10_000;

  /** Runs a handler within the claim. */
  private static final EngineExecutor SAME_THREAD =
      (name, work) -> {
        work.run();
        return () -> {};
      };

  private final FakeClock clock = new FakeClock();
  private final ManualEngine manual;

  private TestEngine(UnaryOperator<EngineBuilder> options) {
    EngineBuilder builder =
        Engine.builder(new InMemoryStore(clock, 1))
            .environment(
                new EngineEnvironment(
                    clock,
                    () -> Duration.between(FakeClock.START, clock.instant()),
                    new SplittableRandom(1),
                    SAME_THREAD));
    this.manual = options.apply(builder).buildManual();
  }

  public static TestEngine create() {
    return create(builder -> builder);
  }

  /** Creates an engine with options, such as a listener or a JSON mapper. */
  public static TestEngine create(UnaryOperator<EngineBuilder> options) {
    return new TestEngine(options);
  }

  /** The engine, to register handlers, submit tasks and read them. Do not start it. */
  public Engine engine() {
    return manual.engine();
  }

  public FakeClock clock() {
    return clock;
  }

  /**
   * Runs all tasks that are due now, including those that their handlers submit.
   *
   * @return the number of attempts
   */
  public int runDue() {
    return advance(Duration.ZERO);
  }

  /**
   * Moves the clock forward. Every task runs at the instant at which it is due, and every schedule
   * fires at its own.
   *
   * @return the number of attempts
   */
  public int advance(Duration by) {
    Instant end = clock.instant().plus(by);
    int attempts = 0;
    for (int claims = 0; claims < MAX_CLAIMS; claims++) {
      int claimed = claim();
      attempts += claimed;
      Duration next = claimed > 0 ? Duration.ZERO : manual.claimAndReturnNextDue();
      Duration left = Duration.between(clock.instant(), end);
      Duration wait =
          manual.untilNextFiring(next == null || next.compareTo(left) > 0 ? left : next);
      if (claimed == 0 && wait.isZero() && left.isZero()) {
        return attempts;
      }
      clock.advance(wait);
    }
    throw new IllegalStateException(
        "tasks are still due after %d claims; is there a retry without a delay or a limit?"
            .formatted(MAX_CLAIMS));
  }

  private void propagate() {
    int rounds = 0;
    while (manual.propagate() > 0) {
      if (++rounds > MAX_CLAIMS) {
        throw new IllegalStateException("dependencies keep changing after " + rounds + " rounds");
      }
    }
  }

  private int claim() {
    manual.renew();
    manual.expire();
    manual.fireSchedules();
    propagate();
    int claimed = manual.claim();
    manual.settle();
    propagate();
    return claimed + manual.retryBatches();
  }
}
