// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import dev.perdure.bench.docs.Billing.Invoice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/** The Spring Framework 7 code of the Spring Retry guide. */
final class SpringSnippets {

  private SpringSnippets() {}

  static Invoice first(Billing billing, String id) throws RetryException {
    // region spring-first
    RetryPolicy policy =
        RetryPolicy.builder()
            .maxRetries(3)
            .delay(Duration.ofMillis(500))
            .multiplier(2)
            .maxDelay(Duration.ofSeconds(10))
            .jitter(Duration.ofMillis(125))
            .includes(IOException.class)
            .excludes(FileNotFoundException.class)
            .build();

    Invoice invoice = new RetryTemplate(policy).execute(() -> billing.fetch(id));
    // endregion
    return invoice;
  }
}
