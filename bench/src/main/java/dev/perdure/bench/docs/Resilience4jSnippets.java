// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import dev.perdure.bench.docs.Billing.Invoice;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;

/** The Resilience4j code of its guide. */
final class Resilience4jSnippets {

  private Resilience4jSnippets() {}

  static Invoice first(Billing billing, String id) throws Exception {
    // region resilience4j-first
    RetryConfig config =
        RetryConfig.custom()
            .maxAttempts(4)
            .intervalFunction(
                IntervalFunction.ofExponentialRandomBackoff(
                    Duration.ofMillis(500), 2.0, 0.25, Duration.ofSeconds(10)))
            .retryExceptions(IOException.class)
            .ignoreExceptions(FileNotFoundException.class)
            .build();
    Retry retry = Retry.of("billing", config);

    Invoice invoice = retry.executeCallable(() -> billing.fetch(id));
    // endregion
    return invoice;
  }

  static CompletionStage<Invoice> async(
      Retry retry, ScheduledExecutorService scheduler, Billing billing, String id) {
    // region resilience4j-async
    CompletionStage<Invoice> invoice =
        retry.executeCompletionStage(scheduler, () -> billing.fetchAsync(id));
    // endregion
    return invoice;
  }
}
