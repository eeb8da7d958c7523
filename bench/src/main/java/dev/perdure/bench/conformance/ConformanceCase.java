// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * One promise, and how to see whether a library keeps it.
 *
 * @param requiredFeatures a library that lacks one of these is not asked
 */
record ConformanceCase(String promise, Set<Feature> requiredFeatures, Check check) {

  private static final long TIMEOUT_SECONDS = 10;

  /** Puts a library to the proof. */
  @FunctionalInterface
  interface Check {
    CheckResult run(Library library) throws Exception;
  }

  static List<ConformanceCase> all() {
    return Stream.of(DelayCases.all(), InterruptCases.all(), AsyncCases.all(), EndCases.all())
        .flatMap(List::stream)
        .toList();
  }

  /** On a thread of its own: a library that hangs, or leaves an interrupt, spoils only this. */
  CheckResult run(Library library) throws InterruptedException {
    for (Feature feature : requiredFeatures) {
      String lacking = library.unsupportedReason(feature);
      if (lacking != null) {
        return CheckResult.notApplicable(lacking);
      }
    }
    FutureTask<CheckResult> proof = new FutureTask<>(() -> check.run(library));
    Thread thread = Thread.ofPlatform().daemon().name(promise).start(proof);
    try {
      return proof.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      return CheckResult.fails("did not end within " + TIMEOUT_SECONDS + " s");
    } catch (ExecutionException e) {
      return CheckResult.fails("ended with " + e.getCause());
    }
  }

  @Override
  public String toString() {
    return promise;
  }
}
