// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.LeaseKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Every execution there ever was, and which of them run now. */
final class Executions {

  private final World world;
  private final Map<LeaseKey, Handler> all = new LinkedHashMap<>();
  private final Map<UUID, List<Handler>> running = new LinkedHashMap<>();

  Executions(World world) {
    this.world = world;
  }

  void started(Handler handler) {
    world.findings.require(
        all.put(handler.key(), handler) == null,
        Invariant.NO_OVERLAP,
        "the same lease was started twice: " + handler.text());
    world.ledger.started(handler);
    List<Handler> others = running.computeIfAbsent(handler.key().task(), task -> new ArrayList<>());
    others.forEach(other -> requireExcuse(other, handler));
    others.add(handler);
  }

  private void requireExcuse(Handler other, Handler started) {
    // The older lease is the one that should not run any more, whichever began first.
    Handler stale = other.key().epoch() < started.key().epoch() ? other : started;
    Situation excuse = stale.excuse();
    if (excuse == null) {
      world.findings.report(
          Invariant.NO_OVERLAP,
          "%s starts %s while %s still runs %s"
              .formatted(
                  started.process().name(), started.text(), other.process().name(), other.text()));
    } else {
      world.trace.saw(excuse);
    }
  }

  /** It ended, or its process died. */
  void over(Handler handler) {
    List<Handler> others = running.get(handler.key().task());
    if (others != null) {
      others.remove(handler);
    }
  }

  @Nullable Handler find(LeaseKey key) {
    return all.get(key);
  }

  Collection<Handler> all() {
    return all.values();
  }
}
