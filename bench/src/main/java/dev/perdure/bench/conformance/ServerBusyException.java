// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;

/** The response of a busy server, with a Retry-After. */
final class ServerBusyException extends RuntimeException {

  static final Duration RETRY_AFTER = Duration.ofMillis(40);

  ServerBusyException() {
    super("busy, retry after " + RETRY_AFTER, null, false, false);
  }

  Duration retryAfter() {
    return RETRY_AFTER;
  }
}
