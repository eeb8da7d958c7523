// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many calls are under way: in all, and to each host. Nobody waits here: the callers of
 * a host that hangs would hold, while they wait, what others need to get this far. A host is known
 * as long as somebody calls it.
 */
final class Lanes {

  private final int concurrency;
  private final int perHost;
  private final Map<String, Integer> callers = new HashMap<>();
  private int inside;

  Lanes(int concurrency, int perHost) {
    this.concurrency = concurrency;
    this.perHost = perHost;
  }

  /** True when this host may be called now; whoever called it {@link #leave leaves}. */
  synchronized boolean enter(String host) {
    int there = callers.getOrDefault(host, 0);
    if (inside >= concurrency || there >= perHost) {
      return false;
    }
    inside++;
    callers.put(host, there + 1);
    return true;
  }

  synchronized void leave(String host) {
    inside--;
    callers.computeIfPresent(host, (name, there) -> there == 1 ? null : there - 1);
  }

  /** How many hosts have callers now. */
  synchronized int hosts() {
    return callers.size();
  }
}
