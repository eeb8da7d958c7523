// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The service that the guides call. */
interface Billing {

  Invoice fetch(String id) throws IOException;

  CompletableFuture<Invoice> fetchAsync(String id);

  /** The response of the service. */
  record Invoice(String id, boolean complete) {}

  /** Thrown when the service is busy; carries its Retry-After. */
  final class BusyException extends IOException {
    private final Duration retryAfter;

    BusyException(Duration retryAfter) {
      super("busy");
      this.retryAfter = retryAfter;
    }

    Duration retryAfter() {
      return retryAfter;
    }
  }
}
