// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A library under test, configured for a plan as its documentation says. */
interface Library {

  String name();

  /** Why the library cannot be asked for this; null when it can. */
  @Nullable String unsupportedReason(Feature feature);

  /** A call on this thread. */
  String call(RetrySettings settings, Callable<String> call) throws Exception;

  /** A call with a future; only where {@link Feature#ASYNC} is not lacking. */
  CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call);

  /** The delays of one call that fails until its retries are used up. */
  List<Duration> delays(RetrySettings settings) throws Exception;

  /** All of them, ours first. */
  static List<Library> all() {
    return List.of(
        new PerdureLibrary(),
        new FailsafeLibrary(),
        new Resilience4jLibrary(),
        new SpringLibrary(),
        new SpringRetryLibrary());
  }
}
