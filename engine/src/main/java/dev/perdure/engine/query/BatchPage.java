// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of batches.
 *
 * @param nextCursor what the request for the next page passes; null on the last page
 */
public record BatchPage(List<BatchSummary> batches, @Nullable String nextCursor) {

  public BatchPage {
    batches = List.copyOf(batches);
  }
}
