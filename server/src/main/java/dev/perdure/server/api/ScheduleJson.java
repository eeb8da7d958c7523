// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.policy.InstantText;
import dev.perdure.server.webhook.StoredSubmission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes schedules as JSON. */
final class ScheduleJson {

  private static final int NEXT_FIRINGS = 10;
  private static final int LAST_FIRINGS = 20;

  /** How many live tasks of a schedule are looked at, to find those that are retried. */
  private static final int MAX_TASKS = 200;

  private static final int MAX_TASKS_IN_LIST = 20;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Engine engine;
  private final InstantSource clock;

  ScheduleJson(Engine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /** A schedule as a list shows it. */
  ObjectNode row(Schedule schedule) {
    ObjectNode json = definition(schedule);
    List<Firing> firings = engine.schedules().firings(schedule.id(), 1);
    Map<UUID, BatchSummary> batches = batches(firings);
    json.set("last", firings.isEmpty() ? NODES.nullNode() : firing(firings.getFirst(), batches));
    json.set("retry_under_way", retries(schedule.id(), MAX_TASKS_IN_LIST, batches));
    return json;
  }

  /** A schedule with everything. */
  ObjectNode of(Schedule schedule) {
    ObjectNode json = withoutHistory(schedule);
    List<Firing> firings = engine.schedules().firings(schedule.id(), LAST_FIRINGS);
    Map<UUID, BatchSummary> batches = batches(firings);
    ArrayNode last = json.putArray("last_firings");
    firings.forEach(firing -> last.add(firing(firing, batches)));
    json.set("last", last.isEmpty() ? NODES.nullNode() : last.get(0));
    json.set("retry_under_way", retries(schedule.id(), MAX_TASKS, batches));
    return json;
  }

  /**
   * A schedule that was just stored; without its history when that cannot be read. An error would
   * make the caller repeat what has already happened.
   */
  ObjectNode stored(Schedule schedule) {
    try {
      return of(schedule);
    } catch (StoreException unreadable) {
      return withoutHistory(schedule);
    }
  }

  private ObjectNode withoutHistory(Schedule schedule) {
    ObjectNode json = definition(schedule);
    json.setAll(submission(schedule));
    ArrayNode next = json.putArray("next_firings");
    nextFirings(schedule).forEach(at -> next.add(text(at)));
    return json;
  }

  /** The batches that the firings submitted, without those that are deleted. */
  private Map<UUID, BatchSummary> batches(List<Firing> firings) {
    Map<UUID, BatchSummary> batches = new LinkedHashMap<>();
    for (Firing firing : firings) {
      if (firing.batch() != null) {
        engine.batches().find(firing.batch()).ifPresent(batch -> batches.put(batch.id(), batch));
      }
    }
    return batches;
  }

  private List<Instant> nextFirings(Schedule schedule) {
    return schedule.enabled()
        ? readable(() -> schedule.times().next(clock.instant(), NEXT_FIRINGS))
        : List.of();
  }

  /** Empty if this version cannot read what is stored; then the schedule has a problem. */
  private static <T> List<T> readable(Supplier<List<T>> reader) {
    try {
      return reader.get();
    } catch (IllegalStateException unreadable) {
      return List.of();
    }
  }

  private static ObjectNode definition(Schedule schedule) {
    ObjectNode json =
        NODES.objectNode().put("id", schedule.id().toString()).put("name", schedule.name());
    json.set("trigger", TriggerJson.write(schedule.trigger()));
    return json.put("description", schedule.trigger().describe())
        .put("enabled", schedule.enabled())
        .put("overlap", schedule.overlap().text())
        .put("misfire", schedule.misfire().text())
        .put("version", schedule.version())
        .put("next_at", InstantText.of(schedule.nextAt()))
        .put("queued", schedule.queued())
        .put("problem", schedule.problem())
        .put("created_at", InstantText.of(schedule.createdAt()))
        .put("updated_at", InstantText.of(schedule.updatedAt()));
  }

  /** What it submits: as it was sent, without secrets, or as an application has declared it. */
  private ObjectNode submission(Schedule schedule) {
    List<TaskDefinition> tasks = readable(() -> engine.schedules().tasks(schedule));
    ObjectNode json = NODES.objectNode().putNull("task").putNull("batch").putNull("retry");
    json.put(
        "retry_description",
        tasks.size() == 1 ? TaskJson.retryWords(tasks.getFirst().policy()) : null);
    json.putNull("notify");
    if (schedule.asGiven() != null) {
      json.setAll(StoredSubmission.redacted(schedule.asGiven()));
    } else if (tasks.size() == 1) {
      json.set("task", declared(tasks.getFirst()));
    } else {
      ArrayNode list = json.putObject("batch").putArray("tasks");
      tasks.forEach(task -> list.add(declared(task)));
    }
    return json;
  }

  private static ObjectNode declared(TaskDefinition task) {
    ObjectNode json = NODES.objectNode().put("kind", task.kind());
    json.set("payload", TaskJson.parseStored(task.payload()));
    json.set("retry", TaskJson.parseStored(task.policy()));
    return json;
  }

  private ObjectNode firing(Firing firing, Map<UUID, BatchSummary> batches) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("scheduled_for", text(firing.scheduledFor()))
            .put("fired_at", text(firing.firedAt()))
            .put("manual", firing.manual())
            .put("outcome", firing.outcome().text())
            .put("missed", firing.missed())
            .putNull("task")
            .put("batch_id", firing.batch() == null ? null : firing.batch().toString())
            .putNull("status");
    BatchSummary batch = firing.batch() == null ? null : batches.get(firing.batch());
    if (batch != null) {
      status(json, batch);
    }
    return json;
  }

  /** The status of the task; of the batch if it has several. */
  private void status(ObjectNode json, BatchSummary batch) {
    List<TaskRow> tasks = batch.tasks() == 1 ? tasks(batch) : List.of();
    if (tasks.size() == 1) {
      TaskRow task = tasks.getFirst();
      json.put("task", task.id().toString()).put("status", task.status().toString());
    } else {
      json.put("status", BatchJson.status(batch).toString());
    }
  }

  /**
   * The task of a batch that was just submitted, if it has one only. Empty too when it cannot be
   * read: an error would make the caller submit another one.
   */
  Optional<UUID> onlyTask(UUID batch) {
    try {
      return engine
          .batches()
          .find(batch)
          .filter(found -> found.tasks() == 1)
          .flatMap(found -> tasks(found).stream().findFirst())
          .map(TaskRow::id);
    } catch (StoreException unreadable) {
      return Optional.empty();
    }
  }

  private List<TaskRow> tasks(BatchSummary batch) {
    TaskFilter filter = TaskFilter.all().withBatch(batch.id()).withRun(batch.run());
    return engine.tasks().list(filter, TaskSort.OLDEST, new PageRequest(2, null)).tasks();
  }

  private ArrayNode retries(UUID schedule, int maxTasks, Map<UUID, BatchSummary> batches) {
    ArrayNode json = NODES.arrayNode();
    for (Task task : engine.schedules().retriesUnderWay(schedule, maxTasks)) {
      ObjectNode row = TaskJson.row(task.row());
      ObjectNode shown = json.addObject().put("task", task.id().toString());
      for (String field :
          List.of(
              "batch_id",
              "kind",
              "status",
              "attempt",
              "badge",
              "next_retry_at",
              "failure_kind",
              "failure_reason",
              "failure_code")) {
        shown.set(field, row.get(field));
      }
    }
    batches.values().stream()
        .filter(batch -> batch.stoppedAt() == null && BatchJson.nextRunAt(batch) != null)
        .forEach(batch -> json.add(waitingRun(batch)));
    return json;
  }

  /** A batch that waits for its next run. */
  private static JsonNode waitingRun(BatchSummary batch) {
    return NODES
        .objectNode()
        .putNull("task")
        .put("batch_id", batch.id().toString())
        .putNull("kind")
        .put("status", BatchJson.status(batch).toString())
        .put("attempt", batch.run() + 1)
        .put("badge", "run " + (batch.run() + 1))
        .put("next_retry_at", InstantText.of(BatchJson.nextRunAt(batch)))
        .putNull("failure_kind")
        .putNull("failure_reason")
        .putNull("failure_code");
  }

  private static String text(Instant instant) {
    return String.valueOf(InstantText.of(instant));
  }
}
