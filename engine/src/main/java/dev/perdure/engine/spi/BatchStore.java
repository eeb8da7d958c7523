// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.BatchReader;
import java.util.UUID;

/** The rows of the batches. */
public interface BatchStore extends BatchReader {

  /**
   * Records that an operator stops the batch; a batch that was stopped before keeps its instant.
   *
   * @return false when there is no such batch
   */
  boolean markStopped(UUID batch);
}
