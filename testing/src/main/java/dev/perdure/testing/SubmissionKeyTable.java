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
  private record KeyEntry(UUID batch, String content, Instant takenAt) {

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
        : submission.keyInUse(found.batch(), found.content(), tasks::idsOfBatch);
  }

  boolean isTaken(Submission.SubmissionKeyDigest key, Instant now) {
    KeyEntry found = taken.get(key.id());
    return found != null && !found.isFree(now);
  }

  void take(Submission submission, Instant now) {
    Submission.SubmissionKeyDigest key = submission.key();
    if (key != null) {
      taken.remove(key.id());
      taken.put(key.id(), new KeyEntry(submission.batch(), key.content(), now));
    }
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
