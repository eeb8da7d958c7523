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
 * One requirement, and the check that a library meets it.
 *
 * @param requiredFeatures the check is skipped for a library that lacks one of these
 */
record ConformanceCase(String requirement, Set<Feature> requiredFeatures, Check check) {

  private static final long TIMEOUT_SECONDS = 10;

  /** Checks one library. */
  @FunctionalInterface
  interface Check {
    CheckResult run(Library library) throws Exception;
  }

  static List<ConformanceCase> all() {
    return Stream.of(DelayCases.all(), InterruptCases.all(), AsyncCases.all(), EndCases.all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Runs the check on a new thread, so that a library that hangs or leaves an interrupt behind
   * affects only this case.
   */
  CheckResult run(Library library) throws InterruptedException {
    for (Feature feature : requiredFeatures) {
      String reason = library.unsupportedReason(feature);
      if (reason != null) {
        return CheckResult.notApplicable(reason);
      }
    }
    FutureTask<CheckResult> result = new FutureTask<>(() -> check.run(library));
    Thread thread = Thread.ofPlatform().daemon().name(requirement).start(result);
    try {
      return result.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      return CheckResult.fails("no end within " + TIMEOUT_SECONDS + " s");
    } catch (ExecutionException e) {
      return CheckResult.fails("the check threw " + e.getCause());
    }
  }

  @Override
  public String toString() {
    return requirement;
  }
}
