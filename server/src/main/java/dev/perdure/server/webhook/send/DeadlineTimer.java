// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Expires the deadlines of all calls, on one thread. */
final class DeadlineTimer implements AutoCloseable {

  private final Set<Deadline> live = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("webhook-deadline-", 0).factory());

  DeadlineTimer() {
    timer.setRemoveOnCancelPolicy(true);
  }

  Deadline start(Duration timeout) {
    Deadline deadline = new Deadline(live::remove);
    live.add(deadline);
    try {
      deadline.setTimer(
          timer.schedule(deadline::expire, timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (RejectedExecutionException e) {
      // The timer is closed, so the call has no time left.
      deadline.expire();
    }
    return deadline;
  }

  /** Expires every deadline now. */
  @Override
  public void close() {
    timer.shutdownNow();
    live.forEach(Deadline::expire);
  }
}
