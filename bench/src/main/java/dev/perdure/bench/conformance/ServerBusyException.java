// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.time.Duration;

/** A server that says when to come back. */
final class ServerBusyException extends RuntimeException {

  static final Duration RETRY_AFTER = Duration.ofMillis(40);

  ServerBusyException() {
    super("busy, come back in " + RETRY_AFTER, null, false, false);
  }

  Duration retryAfter() {
    return RETRY_AFTER;
  }
}
