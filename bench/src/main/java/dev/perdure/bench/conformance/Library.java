// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A retry library under test, configured as its documentation recommends. */
interface Library {

  String name();

  /** Why the library does not support this feature; null if it does. */
  @Nullable String unsupportedReason(Feature feature);

  /** Calls on the current thread. */
  String call(RetrySettings settings, Callable<String> call) throws Exception;

  /** Calls asynchronously. Requires {@link Feature#ASYNC}. */
  CompletableFuture<String> callAsync(
      RetrySettings settings, Supplier<CompletionStage<String>> call);

  /** The delays of one call that fails until no retries are left. */
  List<Duration> delays(RetrySettings settings) throws Exception;

  /** All libraries, with Perdure first. */
  static List<Library> all() {
    return List.of(
        new PerdureLibrary(),
        new FailsafeLibrary(),
        new Resilience4jLibrary(),
        new SpringLibrary(),
        new SpringRetryLibrary());
  }
}
