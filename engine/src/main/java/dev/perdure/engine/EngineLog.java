// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs one line for each event that matters to operators, with structured fields. {@link Loop}
 * reports store failures: once when they begin and once when they are over.
 */
final class EngineLog implements EngineListener {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final String node;

  EngineLog(String node) {
    this.node = node;
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    switch (change.event()) {
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY -> retryScheduled(before, change);
      case FAIL_AND_GIVE_UP, TIME_OUT_AND_GIVE_UP, EXPIRE, WORKER_LOST_AND_GIVE_UP, FAIL_UPSTREAM ->
          failed(before, change);
      case WORKER_LOST ->
          line(LOG.atWarn(), before).log("task lost its worker: {}", reason(change));
      case HAND_BACK -> line(LOG.atInfo(), before).log("task handed back: {}", reason(change));
      case MEET_DEPENDENCIES,
          CLAIM,
          START,
          HAND_OFF,
          SUCCEED,
          SNOOZE,
          CANCEL,
          PAUSE,
          RESUME,
          RESCHEDULE,
          REVIVE,
          REVIVE_WAITING ->
          line(LOG.atDebug(), before).log("task {}", change.to().text());
    }
  }

  @Override
  public void onStaleWrite(LeaseKey key) {
    named(LOG.atWarn())
        .addKeyValue("task", key.task())
        .addKeyValue("epoch", key.epoch())
        .log("a stale write was refused: the task has changed since");
  }

  @Override
  public void onStoreError(String component, RuntimeException error) {
    named(LOG.atDebug())
        .addKeyValue("component", component)
        .log("the store failed: {}", error.getMessage());
  }

  @Override
  public void onSelfStop() {
    named(LOG.atError()).log("the node could not renew its lease in time and stopped its own work");
  }

  private void retryScheduled(Task before, TaskChange change) {
    Duration delay = change.attemptDetails() == null ? null : change.attemptDetails().delay();
    line(LOG.atInfo(), before)
        .log(
            "task retry scheduled (attempt {}) in {}: {}",
            change.retryCounters().attempt(),
            delay == null ? "a moment" : seconds(delay),
            reason(change));
  }

  private void failed(Task before, TaskChange change) {
    line(LOG.atError(), before)
        .log(
            "task failed permanently after {} ({}): {}",
            attempts(before),
            change.giveUpReason() == null ? "" : change.giveUpReason().text(),
            reason(change));
  }

  private static String reason(TaskChange change) {
    String message = change.attemptDetails() == null ? null : change.attemptDetails().message();
    if (message != null) {
      return message;
    }
    return change.event() == TaskEvent.EXPIRE ? "the deadline passed" : change.event().name();
  }

  /** A task that ends before its first claim has made no attempt. */
  private static String attempts(Task before) {
    long attempts = before.retryCounters().attempt() + (before.epoch() == 0 ? 0 : 1);
    return attempts == 1 ? "1 attempt" : attempts + " attempts";
  }

  private static String seconds(Duration length) {
    return String.format(Locale.ROOT, "%.1f s", length.toMillis() / 1000.0);
  }

  private LoggingEventBuilder named(LoggingEventBuilder line) {
    return line.addKeyValue("node", node);
  }

  private LoggingEventBuilder line(LoggingEventBuilder line, Task task) {
    return named(line)
        .addKeyValue("task", task.id())
        .addKeyValue("batch", task.batch())
        .addKeyValue("kind", task.definition().kind())
        .addKeyValue("attempt", task.retryCounters().attempt())
        .addKeyValue("epoch", task.epoch())
        // Computed only when the line is written.
        .addKeyValue("trace_id", () -> task.trace().traceId());
  }
}
