// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown when an attempt exceeds the attempt timeout. For a policy its kind is {@code timeout}. */
public final class AttemptTimeoutException extends RuntimeException {
  AttemptTimeoutException(Duration limit, @Nullable Throwable cause) {
    super("the attempt took longer than " + limit, cause);
  }
}
