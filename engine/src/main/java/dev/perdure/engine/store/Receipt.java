// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import java.util.UUID;

/**
 * What became of a submission.
 *
 * @param batch where the tasks are that its key stands for; its own unless it had come before
 */
public record Receipt(UUID batch, Answer answer) {

  /** Whether the tasks are stored, and which. */
  public enum Answer {
    /** These. */
    STORED,
    /** Those that came first under the same key, from the same content. */
    REPEATED,
    /** Nothing was done: the key stands for other content. */
    OTHER
  }

  /** The submission's own tasks are stored. */
  public static Receipt stored(Submission submission) {
    return new Receipt(submission.batch(), Answer.STORED);
  }

  /**
   * What becomes of a submission whose key is taken.
   *
   * @param batch the batch that the key stands for
   * @param content the content it was taken for
   */
  public static Receipt taken(Submission submission, UUID batch, String content) {
    Submission.Key key = submission.key();
    if (batch.equals(submission.batch())) {
      return stored(submission);
    }
    boolean same = key != null && key.content().equals(content);
    return new Receipt(batch, same ? Answer.REPEATED : Answer.OTHER);
  }
}
