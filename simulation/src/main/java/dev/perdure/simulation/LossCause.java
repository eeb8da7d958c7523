// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Finds out whether there was a reason to take the worker of a task for lost. */
final class LossCause {

  private LossCause() {}

  /** Returns why the task should not have been lost; null if it had to be. */
  static @Nullable String objection(
      World world,
      @Nullable String worker,
      @Nullable SimulatedExecution execution,
      NodeProcess reaper) {
    NodeChecker.NodeRow row = requireNonNull(world.nodeChecker.find(worker), "row");
    NodeProcess owner = row.process();
    Instant since = row.renewedAt();
    if (row.validUntil().isAfter(world.now())) {
      return "its node lease is valid until " + row.validUntil();
    }
    if (owner.diedUncleanly() || owner.frozeSince(since)) {
      return null;
    }
    if (!row.hasLeft() && owner.missedRenewalSince(since)) {
      return "its node did not try to renew its lease, although it could have since " + since;
    }
    boolean rejected = execution != null && execution.hasRejectedResult();
    // A reaper that was frozen together with its clock does not know of an outage in that time.
    return rejected || owner.disturbedSince(since) || reaper.frozeSince(since)
        ? null
        : "its node could have handed the task back since " + since;
  }
}
