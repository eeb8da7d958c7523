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
 * @param needs a library that lacks one of these is not asked
 */
record Case(String promise, Set<Feature> needs, Check check) {

  private static final long LONGEST_SECONDS = 10;

  /** Puts a library to the proof. */
  @FunctionalInterface
  interface Check {
    Verdict on(Library library) throws Exception;
  }

  static List<Case> all() {
    return Stream.of(DelayCases.all(), InterruptCases.all(), AsyncCases.all(), EndCases.all())
        .flatMap(List::stream)
        .toList();
  }

  /** On a thread of its own: a library that hangs, or leaves an interrupt, spoils only this. */
  Verdict on(Library library) throws InterruptedException {
    for (Feature feature : needs) {
      String lacking = library.lacks(feature);
      if (lacking != null) {
        return Verdict.notApplicable(lacking);
      }
    }
    FutureTask<Verdict> proof = new FutureTask<>(() -> check.on(library));
    Thread thread = Thread.ofPlatform().daemon().name(promise).start(proof);
    try {
      return proof.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      return Verdict.fails("did not end within " + LONGEST_SECONDS + " s");
    } catch (ExecutionException e) {
      return Verdict.fails("ended with " + e.getCause());
    }
  }

  @Override
  public String toString() {
    return promise;
  }
}
