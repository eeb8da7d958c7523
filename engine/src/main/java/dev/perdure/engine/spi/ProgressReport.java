// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Items that an attempt has done since its last report; its inactivity timeout starts over.
 *
 * @param success items done, to add
 * @param failures items failed, to add
 * @param lease extends a remote worker's lease to at least this long from now; null leaves it
 */
public record ProgressReport(LeaseKey key, long success, long failures, @Nullable Duration lease) {

  public ProgressReport {
    if (success < 0 || failures < 0) {
      throw new IllegalArgumentException(
          "success and failures: must be 0 or more, not %d and %d".formatted(success, failures));
    }
  }
}
