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
final class HostLimiter {

  /** When more hosts are known than that, those that nobody calls are forgotten. */
  static final int MAX_IDLE_HOSTS = 1_000;

  private final int perHost;
  private final ConcurrencyLimit all;
  private final Map<String, ConcurrencyLimit> hosts = new HashMap<>();

  HostLimiter(int concurrency, int perHost) {
    this.perHost = perHost;
    this.all = new ConcurrencyLimit(concurrency);
  }

  /** True when this host may be called now; whoever called it {@link #release leaves}. */
  synchronized boolean tryAcquire(String host, Duration now) {
    ConcurrencyLimit known = hosts.get(host);
    ConcurrencyLimit there =
        known == null || known.isIdle(now) ? new ConcurrencyLimit(perHost) : known;
    if (all.isFull() || there.isFull()) {
      return false;
    }
    hosts.put(host, there);
    all.acquire(now);
    there.acquire(now);
    return true;
  }

  /**
   * How long to stay away, for one who may not call now. What is under way to a host that is full
   * says when; otherwise what is under way in all.
   */
  synchronized Duration retryIn(String host, Duration now) {
    ConcurrencyLimit there = hosts.get(host);
    return there != null && there.isFull() ? there.nextRetryIn(now) : all.nextRetryIn(now);
  }

  synchronized void release(String host, Duration since, Duration now) {
    all.release(since, now);
    ConcurrencyLimit there = requireNonNull(hosts.get(host), host);
    there.release(since, now);
    if (there.isIdle(now)) {
      hosts.remove(host);
    } else if (hosts.size() > MAX_IDLE_HOSTS) {
      hosts.values().removeIf(ConcurrencyLimit::isEmpty);
    }
  }

  /** How many hosts are known now. */
  synchronized int knownHosts() {
    return hosts.size();
  }
}
