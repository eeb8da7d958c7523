// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.UUID;

/**
 * What became of a submission.
 *
 * @param batch where the tasks are that its key stands for; its own unless it had come before
 */
public record SubmissionReceipt(UUID batch, SubmissionStatus status) {

  /** Whether the tasks are stored, and which. */
  public enum SubmissionStatus {
    /** These. */
    STORED,
    /** Those that came first under the same key, from the same content. */
    DUPLICATE,
    /** Nothing was done: the key stands for other content. */
    CONFLICT
  }

  /** The submission's own tasks are stored. */
  public static SubmissionReceipt stored(Submission submission) {
    return new SubmissionReceipt(submission.batch(), SubmissionStatus.STORED);
  }

  /**
   * What becomes of a submission whose key is taken.
   *
   * @param batch the batch that the key stands for
   * @param content the content it was taken for
   */
  public static SubmissionReceipt forTakenKey(Submission submission, UUID batch, String content) {
    Submission.SubmissionKeyDigest submissionKeyDigest = submission.key();
    if (batch.equals(submission.batch())) {
      return stored(submission);
    }
    boolean same = submissionKeyDigest != null && submissionKeyDigest.content().equals(content);
    return new SubmissionReceipt(
        batch, same ? SubmissionStatus.DUPLICATE : SubmissionStatus.CONFLICT);
  }
}
