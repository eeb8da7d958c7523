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

  static List<Case> all() {
    return List.of(
        new Case("an Error is not retried by default", Set.of(), EndCases::errorEnds),
        new Case("the last failure is thrown itself", Set.of(), EndCases::lastFailureThrown),
        new Case(
            "a listener that throws does not change the end",
            Set.of(),
            EndCases::listenerIsHarmless));
  }

  private static Verdict errorEnds(Library library) {
    AtomicInteger attempts = new AtomicInteger();
    try {
      library.call(
          Plan.fixed(ofMillis(1)),
          () -> {
            attempts.incrementAndGet();
            throw new OutOfMemoryError("made by hand");
          });
    } catch (Throwable expected) {
      return Verdict.of(
          attempts.get() == 1, Verdict.attempts(attempts.get()) + " of an OutOfMemoryError");
    }
    return Verdict.fails("a call that always fails went well");
  }

  @SuppressWarnings("ReferenceEquality") // The very same object is the promise.
  private static Verdict lastFailureThrown(Library library) {
    AtomicReference<IOException> last = new AtomicReference<>();
    try {
      library.call(
          Plan.fixed(ofMillis(1)),
          () -> {
            IOException failure = new IOException("failed");
            last.set(failure);
            throw failure;
          });
    } catch (Exception thrown) {
      return Verdict.of(
          thrown == last.get(),
          "the call threw IOException, its caller gets " + thrown.getClass().getSimpleName());
    }
    return Verdict.fails("a call that always fails went well");
  }

  private static Verdict listenerIsHarmless(Library library) {
    AtomicInteger attempts = new AtomicInteger();
    try {
      String result =
          library.call(
              Plan.fixed(ofMillis(1)).withThrowingListener(),
              () -> {
                if (attempts.incrementAndGet() == 1) {
                  throw new IOException("failed");
                }
                return "done";
              });
      return Verdict.of(result.equals("done"), "the second attempt's result is returned");
    } catch (Exception thrown) {
      return Verdict.fails(
          "%s, the caller gets %s".formatted(Verdict.attempts(attempts.get()), thrown));
    }
  }
}
