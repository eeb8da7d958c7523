// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Submission;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The keys of submissions, the oldest first. */
final class KeyTable {

  private final Map<String, Taken> taken = new LinkedHashMap<>();

  /** What a key stands for, and since when. */
  private record Taken(UUID batch, String content, Instant at) {

    boolean isFree(Instant now) {
      return !at.plus(Submission.KEY_KEPT).isAfter(now);
    }
  }

  /** What the submission gets to hear when its key stands for something; else null. */
  @Nullable Receipt look(Submission submission, Instant now) {
    Submission.Key key = submission.key();
    Taken found = key == null ? null : taken.get(key.id());
    return found == null || found.isFree(now)
        ? null
        : Receipt.taken(submission, found.batch(), found.content());
  }

  void take(Submission submission, Instant now) {
    Submission.Key key = submission.key();
    if (key != null) {
      taken.remove(key.id());
      taken.put(key.id(), new Taken(submission.batch(), key.content(), now));
    }
  }

  int forget(Instant now, int limit) {
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
