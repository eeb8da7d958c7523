// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static java.time.Duration.ofMillis;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Requirements on how a call ends. */
final class EndCases {

  private EndCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        new ConformanceCase("an Error is not retried by default", Set.of(), EndCases::errorEnds),
        new ConformanceCase(
            "the caller gets the last failure itself", Set.of(), EndCases::lastFailureThrown),
        new ConformanceCase(
            "a listener that throws does not change the outcome",
            Set.of(),
            EndCases::listenerIsHarmless));
  }

  private static CheckResult errorEnds(Library library) {
    AtomicInteger attempts = new AtomicInteger();
    try {
      library.call(
          RetrySettings.fixed(ofMillis(1)),
          () -> {
            attempts.incrementAndGet();
            throw new OutOfMemoryError("planted");
          });
    } catch (Throwable expected) {
      return CheckResult.of(
          attempts.get() == 1, CheckResult.attempts(attempts.get()) + " after an OutOfMemoryError");
    }
    return CheckResult.fails("A call that always fails returned a value");
  }

  @SuppressWarnings("ReferenceEquality") // The requirement is the same object.
  private static CheckResult lastFailureThrown(Library library) {
    AtomicReference<IOException> last = new AtomicReference<>();
    try {
      library.call(
          RetrySettings.fixed(ofMillis(1)),
          () -> {
            IOException failure = new IOException("failed");
            last.set(failure);
            throw failure;
          });
    } catch (Exception thrown) {
      return CheckResult.of(
          thrown == last.get(),
          "the call threw IOException, the caller gets " + thrown.getClass().getSimpleName());
    }
    return CheckResult.fails("A call that always fails returned a value");
  }

  private static CheckResult listenerIsHarmless(Library library) {
    AtomicInteger attempts = new AtomicInteger();
    try {
      String result =
          library.call(
              RetrySettings.fixed(ofMillis(1)).withThrowingListener(),
              () -> {
                if (attempts.incrementAndGet() == 1) {
                  throw new IOException("failed");
                }
                return "done";
              });
      return CheckResult.of(
          result.equals("done"), "the caller gets the result of the second attempt");
    } catch (Exception thrown) {
      return CheckResult.fails(
          "%s, the caller gets %s".formatted(CheckResult.attempts(attempts.get()), thrown));
    }
  }
}
