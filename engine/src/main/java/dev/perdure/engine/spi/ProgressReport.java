// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt has done since it was last heard of; its silence is counted from now.
 *
 * @param success items done, to be added
 * @param failures items failed, to be added
 * @param lease a remote worker's lease lasts at least so long from now; null leaves it
 */
public record ProgressReport(LeaseKey key, long success, long failures, @Nullable Duration lease) {

  public ProgressReport {
    if (success < 0 || failures < 0) {
      throw new IllegalArgumentException(
          "counters only grow: success %d, failures %d".formatted(success, failures));
    }
  }
}
