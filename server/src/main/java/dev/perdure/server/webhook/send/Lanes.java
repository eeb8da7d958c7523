// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many calls are under way: in all, and to each host. A caller waits in its host's lane
 * first and takes one of the common slots only at the head of it: were it the other way round, the
 * callers of one slow host would hold every common slot while they wait. A lane exists as long as
 * somebody is in it.
 */
final class Lanes {

  private final Semaphore slots;
  private final int perHost;
  private final int mostInside;
  private final Map<String, Lane> lanes = new HashMap<>();
  private int inside;

  Lanes(int concurrency, int perHost, int waiting) {
    this.slots = new Semaphore(concurrency, true);
    this.perHost = perHost;
    this.mostInside = concurrency + waiting;
  }

  /** The right to call this host; none when too many wait already, or none came free in time. */
  Optional<Pass> enter(String host, Duration patience) throws InterruptedException {
    Lane lane = join(host);
    if (lane == null) {
      return Optional.empty();
    }
    boolean first = false;
    boolean entered = false;
    try {
      first = lane.slots.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
      entered = first && slots.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (first && !entered) {
        lane.slots.release();
      }
      if (!entered) {
        leave(lane);
      }
    }
    return entered ? Optional.of(new Pass(lane)) : Optional.empty();
  }

  private synchronized @Nullable Lane join(String host) {
    if (inside >= mostInside) {
      return null;
    }
    inside++;
    Lane lane = lanes.computeIfAbsent(host, name -> new Lane(name, perHost));
    lane.inside++;
    return lane;
  }

  private synchronized void leave(Lane lane) {
    inside--;
    lane.inside--;
    if (lane.inside == 0) {
      lanes.remove(lane.host);
    }
  }

  /** How many hosts have callers now. */
  synchronized int hosts() {
    return lanes.size();
  }

  /** The callers of one host. */
  private static final class Lane {

    private final String host;
    private final Semaphore slots;
    private int inside;

    Lane(String host, int perHost) {
      this.host = host;
      this.slots = new Semaphore(perHost, true);
    }
  }

  /** The right to make one call. */
  final class Pass {

    private final Lane lane;

    private Pass(Lane lane) {
      this.lane = lane;
    }

    void giveBack() {
      slots.release();
      lane.slots.release();
      leave(lane);
    }
  }
}
