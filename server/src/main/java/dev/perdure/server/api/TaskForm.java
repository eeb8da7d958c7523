// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.Problems;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.Fields;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.policy.json.ServerLimits;
import dev.perdure.policy.json.Value;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the tasks of a submission; everything that is wrong with any of them is told at once. */
final class TaskForm {

  /**
   * Fields of the whole product whose parts are not here yet; nobody may think they did something.
   */
  private static final List<String> LATER =
      List.of("dependencies", "rules", "dedupe_strategy", "dedupe_key");

  /** The same, of a whole submission. */
  private static final List<String> LATER_OF_ALL =
      List.of("name", "shard_key", "retry", "dead_end_cancel", "context", "rules");

  private static final String NOT_YET = "is not supported yet: leave it out";
  private static final int MOST_PRIORITY = 1_000;
  private static final long LONGEST_TIMEOUT = Duration.ofDays(3_650).toSeconds();

  private final Problems problems = new Problems();
  private final ServerLimits limits;
  private final int mostTasks;
  private final ActionsForm actions;
  private final Set<String> localIds = new HashSet<>();

  TaskForm(ServerLimits limits, int mostTasks, ActionsForm actions) {
    this.limits = limits;
    this.mostTasks = mostTasks;
    this.actions = actions;
  }

  /**
   * One task, an array of them, or an object that holds one as {@code tasks}; throws
   * InvalidPolicyException with all problems.
   */
  List<NewTask> read(JsonNode json) {
    Value whole = new Value("", json, problems);
    List<Value> items = json.has("tasks") ? envelope(whole) : items(whole, json.isArray());
    List<NewTask> tasks =
        items.stream().takeWhile(item -> !problems.isFull()).map(this::task).toList();
    problems.throwIfAny();
    return tasks;
  }

  private List<Value> items(Value value, boolean several) {
    List<Value> items = several ? value.items(mostTasks) : List.of(value);
    if (items != null && items.isEmpty()) {
      value.wrong("holds no task");
    }
    return items == null ? List.of() : items;
  }

  private List<Value> envelope(Value whole) {
    Fields fields = Objects.requireNonNull(whole.fields());
    Value tasks = fields.required("tasks");
    LATER_OF_ALL.forEach(name -> refuse(fields.optional(name), NOT_YET));
    fields.refuseOthers();
    return tasks == null ? List.of() : items(tasks, true);
  }

  /** What is wrong is left out, and never submitted: there is a problem then. */
  private NewTask task(Value value) {
    Fields fields = value.fields();
    NewTask nothing = NewTask.of("unreadable", null);
    if (fields == null) {
      return nothing;
    }
    Value kind = fields.required("kind");
    String kindText = kind == null ? null : kind.text();
    Value payload = fields.given("payload");
    NewTask task =
        kindText == null
            ? nothing
            : checked(
                kind, nothing, () -> NewTask.of(kindText, payload == null ? null : payload.json()));
    task = with(task, fields.given("name"), Value::text, NewTask::name);
    task = with(task, fields.given("metadata"), TaskForm::metadata, NewTask::metadata);
    task = with(task, fields.given("retry"), this::policy, NewTask::retry);
    task = with(task, fields.given("timeout"), TaskForm::timeout, NewTask::timeout);
    task = with(task, fields.given("deadline"), Value::instant, NewTask::deadline);
    task = with(task, fields.given("run_at"), Value::instant, NewTask::at);
    task = with(task, fields.given("priority"), TaskForm::priority, NewTask::priority);
    task = with(task, localId(fields), this::unique, NewTask::localId);
    task = with(task, fields.given("expected_count"), TaskForm::count, NewTask::expectedCount);
    task = actions.read(task, value, fields);
    refuse(fields.optional("actions"), "name the triggers instead: on_start, on_success and so on");
    LATER.forEach(name -> refuse(fields.optional(name), NOT_YET));
    fields.refuseOthers();
    return task;
  }

  /** Older clients call it {@code id}. */
  private static @Nullable Value localId(Fields fields) {
    Value id = fields.given("id");
    Value local = fields.given("local_id");
    if (id != null && local != null) {
      local.wrong("is the same as 'id': keep one");
    }
    return id == null ? local : id;
  }

  private @Nullable String unique(Value value) {
    String id = value.text();
    if (id != null && !localIds.add(id)) {
      value.wrong("another task of this request has it already");
    }
    return id;
  }

  private <T> NewTask with(
      NewTask task,
      @Nullable Value value,
      Function<Value, @Nullable T> reading,
      BiFunction<NewTask, T, NewTask> setting) {
    T read = value == null ? null : reading.apply(value);
    return value == null || read == null
        ? task
        : checked(value, task, () -> setting.apply(task, read));
  }

  /** The engine checks too; it has names of its own for the fields. */
  private static NewTask checked(
      @Nullable Value value, NewTask otherwise, Supplier<NewTask> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      if (value != null) {
        value.wrong(Complaint.of(e).message());
      }
      return otherwise;
    }
  }

  private static void refuse(@Nullable Value value, String message) {
    if (value != null) {
      value.wrong(message);
    }
  }

  private @Nullable RetryPolicy policy(Value value) {
    return problems.collect(value.path(), () -> PolicyJson.read(value.json(), limits));
  }

  private static @Nullable Map<String, Object> metadata(Value value) {
    if (Patch.metadata(value) == null) {
      return null;
    }
    Map<String, Object> metadata = new LinkedHashMap<>();
    value.json().propertyStream().forEach(field -> metadata.put(field.getKey(), field.getValue()));
    return metadata;
  }

  private static @Nullable Duration timeout(Value value) {
    Long seconds = value.whole(1, LONGEST_TIMEOUT);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static @Nullable Integer priority(Value value) {
    Long priority = value.whole(-MOST_PRIORITY, MOST_PRIORITY);
    return priority == null ? null : priority.intValue();
  }

  private static @Nullable Long count(Value value) {
    return value.whole(0, Long.MAX_VALUE);
  }
}
