// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.time.Instant;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The claimable tasks of one kind or lane. Those that may be due stand in the order of the claim,
 * the others in the order in which they become due; so what waits for weeks costs a claim nothing.
 */
final class KindQueue {

  private final NavigableSet<Row> ready = new TreeSet<>(Row.BY_CLAIM);
  private final NavigableSet<Row> later = new TreeSet<>(Row.BY_DUE);
  private Instant turned = Instant.MIN;

  void add(Row row) {
    later.add(row);
  }

  void remove(Row row) {
    if (!later.remove(row)) {
      ready.remove(row);
    }
  }

  /** Brings forward what has become due; a clock that was set back makes all of it wait again. */
  void turn(Instant now) {
    if (now.isBefore(turned)) {
      later.addAll(ready);
      ready.clear();
    }
    while (!later.isEmpty() && later.first().isDue(now)) {
      ready.add(later.pollFirst());
    }
    turned = now;
  }

  /** The due task to claim next; what is past its deadline only waits to be ended. */
  @Nullable Row first(Instant now) {
    return ready.stream().filter(row -> !row.isPastDeadline(now)).findFirst().orElse(null);
  }

  /** When the next task becomes due, apart from those that are. */
  @Nullable Instant nextDue() {
    return later.isEmpty() ? null : later.first().dueAt();
  }
}
