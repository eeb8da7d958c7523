// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.SubmissionReceipt;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The submission keys, oldest first. */
final class SubmissionKeyTable {

  private final Map<String, KeyEntry> taken = new LinkedHashMap<>();

  /** The batch and content digest that belong to a key. */
  private record KeyEntry(
      UUID batch, String content, @Nullable String deduplicated, Instant takenAt) {

    boolean isFree(Instant now) {
      return !takenAt.plus(Submission.KEY_RETENTION).isAfter(now);
    }
  }

  /** Returns the receipt of the batch that has the submission's key, or null if the key is free. */
  @Nullable SubmissionReceipt find(Submission submission, TaskTable tasks, Instant now) {
    Submission.SubmissionKeyDigest key = submission.key();
    KeyEntry found = key == null ? null : taken.get(key.id());
    return found == null || found.isFree(now)
        ? null
        : submission.keyInUse(
            found.batch(), found.content(), found.deduplicated(), tasks::idsOfBatch);
  }

  boolean isTaken(Submission.SubmissionKeyDigest key, Instant now) {
    KeyEntry found = taken.get(key.id());
    return found != null && !found.isFree(now);
  }

  /**
   * Takes the key of a submission for a batch, and keeps which of its tasks are duplicates. If some
   * are, a submission without a key takes one of its own.
   */
  void take(Submission submission, UUID batch, @Nullable String deduplicated, Instant now) {
    Submission.SubmissionKeyDigest key = submission.key();
    if (key != null || (deduplicated != null && batch.equals(submission.batch()))) {
      String id = id(submission);
      taken.remove(id);
      taken.put(id, new KeyEntry(batch, key == null ? "" : key.content(), deduplicated, now));
    }
  }

  private static String id(Submission submission) {
    return submission.key() == null ? submission.batch().toString() : submission.key().id();
  }

  /** Returns which tasks of a stored submission are duplicates; null when none is. */
  @Nullable String deduplicated(Submission submission) {
    KeyEntry found = taken.get(id(submission));
    return found == null ? null : found.deduplicated();
  }

  int deleteExpired(Instant now, int limit) {
    List<String> free =
        taken.entrySet().stream()
            .filter(entry -> entry.getValue().isFree(now))
            .map(Map.Entry::getKey)
            .limit(limit)
            .toList();
    free.forEach(taken::remove);
    return free.size();
  }
}
