// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import java.time.Instant;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The claimable tasks of one kind or lane. Those that may be due stand in the order of the claim,
 * the others in the order in which they become due; so what waits for weeks costs a claim nothing.
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

  /** Brings forward what has become due; a clock that was set back makes all of it wait again. */
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

  /** The due task to claim next; what is past its deadline only waits to be ended. */
  @Nullable StoredTask first(Instant now) {
    return ready.stream()
        .filter(storedTask -> !storedTask.isPastDeadline(now))
        .findFirst()
        .orElse(null);
  }

  /** When the next task becomes due, apart from those that are. */
  @Nullable Instant nextDue() {
    return later.isEmpty() ? null : later.first().dueAt();
  }
}
