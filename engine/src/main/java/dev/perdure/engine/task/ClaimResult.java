// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim took.
 *
 * @param leases the tasks, in the order in which they should start
 * @param now the database's clock at the claim
 * @param nextDue how long until more may be due, where the store knows; null when it does not, or
 *     when there may be more now
 */
public record ClaimResult(List<Lease> leases, Instant now, @Nullable Duration nextDue) {

  public ClaimResult {
    leases = List.copyOf(leases);
  }
}
