// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Requirements on interrupts. */
final class InterruptCases {

  private InterruptCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        new ConformanceCase(
            "an InterruptedException ends the call and sets the interrupt flag",
            Set.of(),
            InterruptCases::thrownByTheCall),
        new ConformanceCase(
            "an interrupt during a delay ends the call", Set.of(), InterruptCases::duringTheWait));
  }

  private static CheckResult thrownByTheCall(Library library) {
    AtomicInteger attempts = new AtomicInteger();
    try {
      library.call(
          RetrySettings.fixed(ofMillis(1)),
          () -> {
            attempts.incrementAndGet();
            throw new InterruptedException("stop requested");
          });
    } catch (Exception expected) {
      boolean flag = Thread.interrupted();
      return CheckResult.of(
          attempts.get() == 1 && flag,
          "%s, the interrupt flag is %s"
              .formatted(CheckResult.attempts(attempts.get()), flag ? "set" : "not set"));
    }
    return CheckResult.fails("A call that always fails returned a value");
  }

  private static CheckResult duringTheWait(Library library) {
    AtomicInteger attempts = new AtomicInteger();
    Thread caller = Thread.currentThread();
    long begun = System.nanoTime();
    try {
      library.call(
          RetrySettings.fixed(ofSeconds(60)),
          () -> {
            if (attempts.incrementAndGet() == 1) {
              Thread.ofVirtual().start(() -> interruptWhenAsleep(caller));
            }
            throw new IOException("failed");
          });
    } catch (Exception expected) {
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      boolean reported = Thread.interrupted() || causedByInterrupt(expected);
      return CheckResult.of(
          attempts.get() == 1 && reported && took.compareTo(ofSeconds(40)) < 0,
          "%s in %d ms, the caller %s the interrupt"
              .formatted(
                  CheckResult.attempts(attempts.get()),
                  took.toMillis(),
                  reported ? "sees" : "does not see"));
    }
    return CheckResult.fails("A call that always fails returned a value");
  }

  private static void interruptWhenAsleep(Thread sleeper) {
    for (int i = 0; i < 3_000 && sleeper.getState() != Thread.State.TIMED_WAITING; i++) {
      LockSupport.parkNanos(1_000_000);
    }
    sleeper.interrupt();
  }

  private static boolean causedByInterrupt(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof InterruptedException) {
        return true;
      }
    }
    return false;
  }
}
