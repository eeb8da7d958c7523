// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many calls are under way: in all, and to each host. Nobody waits here: the callers of
 * a host that hangs would hold, while they wait, what others need to get this far. They are told
 * when to come again. A host is known as long as somebody calls it or is to come again, within a
 * limit. Times are those of one clock that never goes back.
 */
final class Lanes {

  /** When more hosts are known than that, those that nobody calls are forgotten. */
  static final int MOST_IDLE = 1_000;

  private final int perHost;
  private final Turns all;
  private final Map<String, Turns> hosts = new HashMap<>();

  Lanes(int concurrency, int perHost) {
    this.perHost = perHost;
    this.all = new Turns(concurrency);
  }

  /** True when this host may be called now; whoever called it {@link #leave leaves}. */
  synchronized boolean enter(String host, Duration now) {
    Turns known = hosts.get(host);
    Turns there = known == null || known.isOver(now) ? new Turns(perHost) : known;
    if (all.isFull() || there.isFull()) {
      return false;
    }
    hosts.put(host, there);
    all.enter(now);
    there.enter(now);
    return true;
  }

  /**
   * How long to stay away, for one who may not call now. What is under way to a host that is full
   * says when; otherwise what is under way in all.
   */
  synchronized Duration turn(String host, Duration now) {
    Turns there = hosts.get(host);
    return there != null && there.isFull() ? there.next(now) : all.next(now);
  }

  synchronized void leave(String host, Duration since, Duration now) {
    all.leave(since, now);
    Turns there = requireNonNull(hosts.get(host), host);
    there.leave(since, now);
    if (there.isOver(now)) {
      hosts.remove(host);
    } else if (hosts.size() > MOST_IDLE) {
      hosts.values().removeIf(Turns::isEmpty);
    }
  }

  /** How many hosts are known now. */
  synchronized int hosts() {
    return hosts.size();
  }
}
