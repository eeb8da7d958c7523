// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a claim.
 *
 * @param leases the claimed tasks, in the order in which they should start
 * @param now the database's clock at the claim
 * @param nextDue how long until more tasks may be due; null when the store does not know, or when
 *     more may be due now
 */
public record ClaimResult(List<Lease> leases, Instant now, @Nullable Duration nextDue) {

  public ClaimResult {
    leases = List.copyOf(leases);
  }
}
