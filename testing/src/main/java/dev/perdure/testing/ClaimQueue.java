// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import java.time.Instant;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The claimable tasks of one queue. Due tasks are kept in claim order, later ones in due order, so
 * tasks that wait for weeks cost a claim nothing.
 */
final class ClaimQueue {

  private final NavigableSet<StoredTask> ready = new TreeSet<>(StoredTask.CLAIM_ORDER);
  private final NavigableSet<StoredTask> later = new TreeSet<>(StoredTask.DUE_ORDER);
  private Instant promotedAt = Instant.MIN;

  void add(StoredTask storedTask) {
    later.add(storedTask);
  }

  void remove(StoredTask storedTask) {
    if (!later.remove(storedTask)) {
      ready.remove(storedTask);
    }
  }

  /**
   * Moves due tasks to the ready set. If the clock was set back, it first moves the ready tasks
   * back.
   */
  void promoteDue(Instant now) {
    if (now.isBefore(promotedAt)) {
      later.addAll(ready);
      ready.clear();
    }
    while (!later.isEmpty() && later.first().isDue(now)) {
      ready.add(later.pollFirst());
    }
    promotedAt = now;
  }

  /** Returns the due task to claim next. Tasks past their deadline are never claimed. */
  @Nullable StoredTask first(Instant now) {
    return ready.stream()
        .filter(storedTask -> !storedTask.isPastDeadline(now))
        .findFirst()
        .orElse(null);
  }

  /** Returns when the next later task becomes due. */
  @Nullable Instant nextDue() {
    return later.isEmpty() ? null : later.first().dueAt();
  }
}
