// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the number of concurrent calls, in total and per host. A call beyond a limit does not wait
 * here but gets a time to try again: while the calls to a hanging host waited, they would hold
 * slots that other calls need. A host is remembered while it has calls in progress or outstanding
 * retry times, within a limit. All times come from one clock that never goes back.
 */
final class HostLimiter {

  /** With more hosts than this, those without a call in progress are forgotten. */
  static final int MAX_IDLE_HOSTS = 1_000;

  private final int perHost;
  private final ConcurrencyLimit all;
  private final Map<String, ConcurrencyLimit> hosts = new HashMap<>();

  HostLimiter(int concurrency, int perHost) {
    this.perHost = perHost;
    this.all = new ConcurrencyLimit(concurrency);
  }

  /** True when this host may be called now. {@link #release} it after the call. */
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
   * How long a call that found no slot waits. Decided by the host's limit when that is full,
   * otherwise by the total.
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

  /** The number of remembered hosts. */
  synchronized int knownHosts() {
    return hosts.size();
  }
}
