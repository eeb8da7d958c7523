// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import dev.perdure.bench.docs.Billing.Invoice;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.retry.support.RetryTemplate;

/** The Spring Retry code of its guide. */
class SpringRetrySnippets {

  private final Billing billing;

  SpringRetrySnippets(Billing billing) {
    this.billing = billing;
  }

  static Invoice first(Billing billing, String id) throws IOException {
    // region spring-retry-first
    RetryTemplate template =
        RetryTemplate.builder()
            .maxAttempts(4)
            .exponentialBackoff(500, 2, 10_000, true)
            .retryOn(IOException.class)
            .build();

    Invoice invoice = template.execute(context -> billing.fetch(id));
    // endregion
    return invoice;
  }

  // region spring-retry-annotation
  @Retryable(
      retryFor = IOException.class,
      noRetryFor = FileNotFoundException.class,
      maxAttempts = 4,
      backoff = @Backoff(delay = 500, multiplier = 2, maxDelay = 10_000, random = true))
  Invoice fetch(String id) throws IOException {
    return billing.fetch(id);
  }
  // endregion
}
