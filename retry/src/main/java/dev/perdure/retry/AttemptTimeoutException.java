// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An attempt took longer than it may; to a policy it is a {@code timeout}. */
public final class AttemptTimeoutException extends RuntimeException {
  AttemptTimeoutException(Duration limit, @Nullable Throwable cause) {
    super("the attempt took longer than " + limit, cause);
  }
}
