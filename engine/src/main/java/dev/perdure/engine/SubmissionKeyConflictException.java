// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.UUID;

/** The submission key was used for other tasks; nothing was stored. */
public final class SubmissionKeyConflictException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final UUID batch;

  SubmissionKeyConflictException(UUID batch) {
    super("the key was used for other tasks, those of batch " + batch);
    this.batch = batch;
  }

  /** The batch that the key belongs to. */
  public UUID batch() {
    return batch;
  }
}
