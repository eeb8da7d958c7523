// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs one line for each event that matters to operators, with structured fields. {@link Loop}
 * reports store failures: once when they begin and once when they are over.
 */
final class EngineLog implements EngineListener {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  /** How many of the schedules that could not fire together are logged. */
  private static final int MAX_PROBLEMS = 10;

  private final String node;

  EngineLog(String node) {
    this.node = node;
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    switch (change.event()) {
      case FAIL_AND_RETRY, TIME_OUT_AND_RETRY -> retryScheduled(before, change);
      case FAIL_AND_GIVE_UP, TIME_OUT_AND_GIVE_UP, EXPIRE, WORKER_LOST_AND_GIVE_UP ->
          failed(before, change);
      case FAIL_UPSTREAM ->
          // The failure itself is logged where it happened; thousands can follow from one.
          line(LOG.atDebug(), before).log("task failed because a task that it depends on failed");
      case WORKER_LOST -> line(LOG.atWarn(), before).log("task will run again: {}", reason(change));
      case HAND_BACK -> handedBack(before, change);
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
          REVIVE_WAITING,
          REVIVE_IGNORING_DEPENDENCIES,
          RESOLVE ->
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

  /** Logs a problem when it begins, and at most a few of many. */
  @Override
  public void onFiringFailed(List<FiringProblem> problems) {
    List<FiringProblem> begun = problems.stream().filter(one -> !one.repeated()).toList();
    for (FiringProblem one : begun.subList(0, Math.min(begun.size(), MAX_PROBLEMS))) {
      named(LOG.atWarn())
          .addKeyValue("schedule", one.schedule())
          .log(
              "schedule '{}' could not fire and is tried again every {}: {}",
              one.name(),
              seconds(FiringProblem.RETRY_AFTER),
              one.problem());
    }
    if (begun.size() > MAX_PROBLEMS) {
      named(LOG.atWarn()).log("{} more schedules could not fire", begun.size() - MAX_PROBLEMS);
    }
  }

  @Override
  public void onSelfStop() {
    named(LOG.atError()).log("the node could not renew its lease in time and stopped its own work");
  }

  private void handedBack(Task before, TaskChange change) {
    if (change.holdChange().set().contains(HoldReason.PARKED)) {
      line(LOG.atWarn(), before).log("task parked: {}", reason(change));
    } else {
      line(LOG.atInfo(), before).log("task handed back, to run again");
    }
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
            change.giveUpReason() == null ? "unknown" : change.giveUpReason().text(),
            reason(change));
  }

  private static String reason(TaskChange change) {
    AttemptDetails details = change.attemptDetails();
    if (details == null) {
      return change.event() == TaskEvent.EXPIRE
          ? "the deadline passed"
          : "a task that it depends on failed";
    }
    return details.message() == null ? failure(details) : details.message();
  }

  /** A failure without a message, such as {@code http 503} or {@code explicit no_slots}. */
  private static String failure(AttemptDetails details) {
    return Stream.of(
            details.failureKind(),
            details.status() == Failure.NO_STATUS ? null : Integer.toString(details.status()),
            details.code(),
            details.exceptionTypes().isEmpty() ? null : details.exceptionTypes().getFirst())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }

  /** A task that ends before its first claim has made no attempt. */
  private static String attempts(Task before) {
    return count(before.retryCounters().attempt() + (before.epoch() == 0 ? 0 : 1), "attempt");
  }

  static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
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
