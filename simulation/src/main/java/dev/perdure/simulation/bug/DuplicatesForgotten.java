// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.SubmissionReceipt;

/** Answers a repeated submission as if all its tasks had been stored. */
final class DuplicatesForgotten extends ForwardingStore {

  DuplicatesForgotten(TaskStore inner) {
    super(inner);
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    boolean repeated = inner.batches().find(submission.batch()).isPresent();
    SubmissionReceipt receipt = inner.submit(submission);
    return repeated ? submission.stored() : receipt;
  }
}
