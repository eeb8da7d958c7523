// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static java.time.Duration.ofMillis;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** How a call ends. */
final class EndCases {

  private EndCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        new ConformanceCase("an Error is not retried by default", Set.of(), EndCases::errorEnds),
        new ConformanceCase(
            "the last failure is thrown itself", Set.of(), EndCases::lastFailureThrown),
        new ConformanceCase(
            "a listener that throws does not change the end",
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
            throw new OutOfMemoryError("made by hand");
          });
    } catch (Throwable expected) {
      return CheckResult.of(
          attempts.get() == 1, CheckResult.attempts(attempts.get()) + " of an OutOfMemoryError");
    }
    return CheckResult.fails("a call that always fails went well");
  }

  @SuppressWarnings("ReferenceEquality") // The very same object is the promise.
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
          "the call threw IOException, its caller gets " + thrown.getClass().getSimpleName());
    }
    return CheckResult.fails("a call that always fails went well");
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
      return CheckResult.of(result.equals("done"), "the second attempt's result is returned");
    } catch (Exception thrown) {
      return CheckResult.fails(
          "%s, the caller gets %s".formatted(CheckResult.attempts(attempts.get()), thrown));
    }
  }
}
