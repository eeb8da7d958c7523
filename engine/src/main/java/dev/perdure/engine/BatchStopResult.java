// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.DisplayStatus;
import java.util.Map;

/**
 * What stopping a batch did.
 *
 * @param canceled the number of canceled tasks by the status they had; without those that have none
 * @param alreadyEnded the number of tasks that had ended before
 */
public record BatchStopResult(Map<DisplayStatus, Long> canceled, long alreadyEnded) {

  public BatchStopResult {
    canceled = Map.copyOf(canceled);
  }

  public long canceled(DisplayStatus status) {
    return canceled.getOrDefault(status, 0L);
  }
}
