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

/** The keys of submissions, the oldest first. */
final class SubmissionKeyTable {

  private final Map<String, KeyEntry> taken = new LinkedHashMap<>();

  /** What a key stands for, and since when. */
  private record KeyEntry(UUID batch, String content, Instant at) {

    boolean isFree(Instant now) {
      return !at.plus(Submission.KEY_RETENTION).isAfter(now);
    }
  }

  /** The receipt of a submission whose key is taken; null when the key is free. */
  @Nullable SubmissionReceipt find(Submission submission, TaskTable tasks, Instant now) {
    Submission.SubmissionKeyDigest submissionKeyDigest = submission.key();
    KeyEntry found = submissionKeyDigest == null ? null : taken.get(submissionKeyDigest.id());
    return found == null || found.isFree(now)
        ? null
        : submission.keyInUse(found.batch(), found.content(), tasks::idsOfBatch);
  }

  void take(Submission submission, Instant now) {
    Submission.SubmissionKeyDigest submissionKeyDigest = submission.key();
    if (submissionKeyDigest != null) {
      taken.remove(submissionKeyDigest.id());
      taken.put(
          submissionKeyDigest.id(),
          new KeyEntry(submission.batch(), submissionKeyDigest.content(), now));
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
