// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import dev.perdure.bench.docs.Billing.BusyException;
import dev.perdure.bench.docs.Billing.Invoice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The Failsafe code of its guide. */
final class FailsafeSnippets {

  private FailsafeSnippets() {}

  static Invoice first(Billing billing, String id) {
    // region failsafe-first
    RetryPolicy<Invoice> policy =
        RetryPolicy.<Invoice>builder()
            .handle(IOException.class)
            .abortOn(FileNotFoundException.class)
            .withBackoff(Duration.ofMillis(500), Duration.ofSeconds(10))
            .withMaxRetries(3)
            .withJitter(0.25)
            .build();

    Invoice invoice = Failsafe.with(policy).get(() -> billing.fetch(id));
    // endregion
    return invoice;
  }

  static RetryPolicy<Invoice> serverDelay() {
    // region failsafe-server-delay
    RetryPolicy<Invoice> policy =
        RetryPolicy.<Invoice>builder()
            .withDelayFnOn(
                context -> ((BusyException) context.getLastException()).retryAfter(),
                BusyException.class)
            .build();
    // endregion
    return policy;
  }

  static CompletableFuture<Invoice> async(RetryPolicy<Invoice> policy, Billing billing, String id) {
    // region failsafe-async
    CompletableFuture<Invoice> invoice =
        Failsafe.with(policy).getStageAsync(() -> billing.fetchAsync(id));
    // endregion
    return invoice;
  }
}
