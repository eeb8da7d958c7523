// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Expires the deadlines of all calls, on one thread. */
final class SendDeadlineTimer implements AutoCloseable {

  private final Set<SendDeadline> live = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("webhook-deadline-", 0).factory());

  SendDeadlineTimer() {
    timer.setRemoveOnCancelPolicy(true);
  }

  SendDeadline start(Duration timeout) {
    SendDeadline sendDeadline = new SendDeadline(live::remove);
    live.add(sendDeadline);
    try {
      sendDeadline.setTimer(
          timer.schedule(sendDeadline::expire, timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (RejectedExecutionException e) {
      // The timer is closed, so the call has no time left.
      sendDeadline.expire();
    }
    return sendDeadline;
  }

  /** Expires every deadline now. */
  @Override
  public void close() {
    timer.shutdownNow();
    live.forEach(SendDeadline::expire);
  }
}
