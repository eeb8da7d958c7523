// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as the store has it.
 *
 * @param batch the submission it came with
 * @param run which run of the batch, from 0
 * @param hold why it is not claimed: bits of {@link Hold}
 * @param epoch the last lease; only grows
 * @param worker who holds it, or null
 */
public record Task(
    UUID id,
    UUID batch,
    int run,
    Definition definition,
    TaskState state,
    int hold,
    long epoch,
    @Nullable String worker,
    Counting counting,
    Times times,
    Progress progress,
    Ending ending) {

  public boolean paused() {
    return Hold.has(hold, Hold.PAUSED);
  }

  public LeaseKey lease() {
    return new LeaseKey(id, epoch);
  }
}
