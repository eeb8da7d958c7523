// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of batches.
 *
 * @param nextCursor what the request for the next page passes; null on the last page
 * @param lookedAt how many batches were looked at, if the page ends because that was enough; else
 *     null
 * @param reached then, when the last of them was submitted
 */
public record BatchPage(
    List<BatchSummary> batches,
    @Nullable String nextCursor,
    @Nullable Integer lookedAt,
    @Nullable Instant reached) {

  public BatchPage {
    batches = List.copyOf(batches);
  }

  /** A page that does not end early. */
  public BatchPage(List<BatchSummary> batches, @Nullable String nextCursor) {
    this(batches, nextCursor, null, null);
  }
}
