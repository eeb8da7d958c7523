// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.InstantText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a bulk request would do: to which tasks, and which wave of retries would follow. */
final class BulkPreview {

  private final Map<String, Long> byStatus = new TreeMap<>();
  private @Nullable TaskRow example;
  private final @Nullable RetryWave wave;
  private final long[] counts;
  private long overdue;
  private long later;

  /**
   * @param wave the retries that wait now; null when the action makes no task due
   */
  BulkPreview(@Nullable RetryWave wave) {
    this.wave = wave;
    this.counts =
        wave == null ? new long[0] : wave.counts().stream().mapToLong(count -> count).toArray();
    this.overdue = wave == null ? 0 : wave.overdue();
    this.later = wave == null ? 0 : wave.later();
  }

  /** The shortest window that this time fits in. */
  static RetryWindow window(@Nullable Duration spread) {
    Duration length = spread == null ? Duration.ZERO : spread;
    for (RetryWindow window : RetryWindow.values()) {
      if (window.step().multipliedBy(window.buckets() - 1).compareTo(length) >= 0) {
        return window;
      }
    }
    return RetryWindow.FORTNIGHT;
  }

  void matched(TaskRow task) {
    byStatus.merge(task.status().toString(), 1L, Long::sum);
    if (example == null) {
      example = task;
    }
  }

  /** A task that would be due at this instant. */
  void moved(TaskRow task, Instant to) {
    if (wave == null) {
      return;
    }
    if (task.state() == TaskState.RETRY_PENDING && !task.paused() && !task.parked()) {
      add(task.times().dueAt(), -1);
    }
    add(to, 1);
  }

  private void add(Instant at, int change) {
    RetryWave counted = Objects.requireNonNull(wave);
    long bucket =
        Math.floorDiv(at.toEpochMilli() - counted.from().toEpochMilli(), counted.step().toMillis());
    if (!at.isAfter(counted.now())) {
      overdue = Math.max(0, overdue + change);
    } else if (bucket >= counts.length) {
      later = Math.max(0, later + change);
    } else {
      int index = (int) Math.max(0, bucket);
      counts[index] = Math.max(0, counts[index] + change);
    }
  }

  void writeTo(ObjectNode json) {
    ObjectNode statuses = json.putObject("by_status");
    byStatus.forEach(statuses::put);
    json.set(
        "example", example == null ? JsonNodeFactory.instance.nullNode() : TaskJson.row(example));
    if (wave == null) {
      json.putNull("wave");
      return;
    }
    ObjectNode after =
        json.putObject("wave")
            .put("now", InstantText.of(wave.now()))
            .put("from", InstantText.of(wave.from()))
            .put("step_ms", wave.step().toMillis())
            .put("overdue", overdue)
            .put("later", later);
    ArrayNode buckets = after.putArray("counts");
    for (long count : counts) {
      buckets.add(count);
    }
  }
}
