// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A submission that is stored as JSON to be repeated, with new ids each time. */
record SubmissionTemplate(
    BatchDefinition batch, List<TaskTemplate> tasks, List<DependencyTemplate> dependencies) {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** One of the tasks. */
  record TaskTemplate(
      TaskDefinition definition,
      Duration delay,
      @Nullable Long expectedCount,
      boolean cancelAtDeadEnd,
      boolean replacesDuplicate) {}

  /** A dependency between two of the tasks, by their positions. */
  record DependencyTemplate(int parent, int child, boolean requiresSuccess) {}

  SubmissionTemplate {
    tasks = List.copyOf(tasks);
    dependencies = List.copyOf(dependencies);
  }

  /** Throws if the submission cannot be repeated. */
  static SubmissionTemplate of(Submission submission) {
    if (!submission.storedParents().isEmpty()) {
      throw new IllegalArgumentException(
          "after: a task of a schedule can depend on tasks of the same firing only");
    }
    Map<UUID, Integer> positions = new HashMap<>();
    List<TaskTemplate> tasks = new ArrayList<>();
    for (NewTaskRow task : submission.tasks()) {
      positions.put(task.id(), tasks.size());
      tasks.add(
          new TaskTemplate(
              repeatable(task.definition()),
              delay(task.due()),
              task.expectedCount(),
              task.cancelAtDeadEnd(),
              task.replacesDuplicate()));
    }
    return new SubmissionTemplate(
        submission.definition(),
        tasks,
        submission.dependencies().stream()
            .map(
                edge ->
                    new DependencyTemplate(
                        positions.getOrDefault(edge.parent(), 0),
                        positions.getOrDefault(edge.child(), 0),
                        edge.requiresSuccess()))
            .toList());
  }

  private static TaskDefinition repeatable(TaskDefinition task) {
    if (task.deadline() != null) {
      throw new IllegalArgumentException(
          "deadline: would have passed at later firings; use the expiry of the retry policy");
    }
    return task;
  }

  private static Duration delay(DueTime due) {
    return switch (due) {
      case DueTime.In in -> in.delay();
      case DueTime.Unchanged unchanged -> Duration.ZERO;
      case DueTime.At at ->
          throw new IllegalArgumentException(
              "at: the schedule decides when its tasks start; use a delay instead");
    };
  }

  /** Throws an exception whose message says nothing about the contents. */
  static SubmissionTemplate read(String json) {
    try {
      return JSON.readValue(json, SubmissionTemplate.class);
    } catch (JacksonException e) {
      throw new IllegalStateException(
          "what it submits cannot be read (%s); save the schedule again"
              .formatted(e.getClass().getSimpleName()),
          e);
    }
  }

  /**
   * Whether both submit the same. Fields of JSON objects can have any order: a map that an
   * application submits may be written in another one after each start.
   */
  static boolean isSame(String one, String other) {
    return one.equals(other)
        || unordered(JSON.readTree(one)).equals(unordered(JSON.readTree(other)));
  }

  /** Replaces texts that hold JSON, such as payloads, by what they hold. */
  private static JsonNode unordered(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = JSON.createObjectNode();
      object.properties().forEach(field -> copy.set(field.getKey(), unordered(field.getValue())));
      return copy;
    }
    String text = node.isString() ? node.stringValue() : "";
    if (text.startsWith("{") || text.startsWith("[")) {
      try {
        return JSON.readTree(text);
      } catch (JacksonException notJson) {
        return node;
      }
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = JSON.createArrayNode();
      array.forEach(element -> copy.add(unordered(element)));
      return copy;
    }
    return node;
  }

  String write() {
    return JSON.writeValueAsString(this);
  }

  /** A submission of the schedule, with new ids in its shard. */
  Submission create(IdGenerator ids, UUID schedule) {
    int shard = Shards.of(schedule);
    UUID id = ids.next(shard);
    List<NewTaskRow> rows = new ArrayList<>();
    for (TaskTemplate task : tasks) {
      rows.add(
          new NewTaskRow(
              ids.next(shard),
              task.definition(),
              DueTime.in(task.delay()),
              null,
              task.expectedCount(),
              task.cancelAtDeadEnd(),
              task.replacesDuplicate()));
    }
    List<Dependency> edges =
        dependencies.stream()
            .map(
                edge ->
                    new Dependency(
                        rows.get(edge.parent()).id(),
                        rows.get(edge.child()).id(),
                        edge.requiresSuccess()))
            .toList();
    return new Submission(id, batch, rows, edges, null);
  }
}
