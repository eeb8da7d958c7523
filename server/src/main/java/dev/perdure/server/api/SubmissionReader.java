// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.policy.json.ServerPolicyLimits;
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
final class SubmissionReader {

  /**
   * Fields of the whole product whose parts are not here yet; nobody may think they did something.
   */
  private static final List<String> UNSUPPORTED_FIELDS =
      List.of("dependencies", "rules", "dedupe_strategy", "dedupe_key");

  /** The same, of a whole submission. */
  private static final List<String> UNSUPPORTED_ENVELOPE_FIELDS =
      List.of("name", "shard_key", "retry", "dead_end_cancel", "context", "rules");

  private static final String UNSUPPORTED = "is not supported yet: leave it out";
  private static final int MAX_PRIORITY = 1_000;
  private static final long MAX_TIMEOUT_SECONDS = Duration.ofDays(3_650).toSeconds();

  private final FieldErrors errors = new FieldErrors();
  private final ServerPolicyLimits limits;
  private final int maxTasks;
  private final ActionsReader actions;
  private final Set<String> localIds = new HashSet<>();

  SubmissionReader(ServerPolicyLimits limits, int mostTasks, ActionsReader actions) {
    this.limits = limits;
    this.maxTasks = mostTasks;
    this.actions = actions;
  }

  /**
   * One task, an array of them, or an object that holds one as {@code tasks}; throws
   * InvalidPolicyException with all problems.
   */
  List<NewTask> read(JsonNode json) {
    JsonValueReader whole = new JsonValueReader("", json, errors);
    List<JsonValueReader> items =
        json.has("tasks") ? envelope(whole) : items(whole, json.isArray());
    List<NewTask> tasks =
        items.stream().takeWhile(item -> !errors.isFull()).map(this::task).toList();
    errors.throwIfAny();
    return tasks;
  }

  private List<JsonValueReader> items(JsonValueReader value, boolean several) {
    List<JsonValueReader> items = several ? value.array(maxTasks) : List.of(value);
    if (items != null && items.isEmpty()) {
      value.addError("holds no task");
    }
    return items == null ? List.of() : items;
  }

  private List<JsonValueReader> envelope(JsonValueReader whole) {
    JsonObjectReader fields = Objects.requireNonNull(whole.object());
    JsonValueReader tasks = fields.required("tasks");
    UNSUPPORTED_ENVELOPE_FIELDS.forEach(name -> refuse(fields.optional(name), UNSUPPORTED));
    fields.rejectUnknown();
    return tasks == null ? List.of() : items(tasks, true);
  }

  /** What is wrong is left out, and never submitted: there is a problem then. */
  private NewTask task(JsonValueReader value) {
    JsonObjectReader fields = value.object();
    NewTask nothing = NewTask.of("unreadable", null);
    if (fields == null) {
      return nothing;
    }
    JsonValueReader kind = fields.required("kind");
    String kindText = kind == null ? null : kind.text();
    JsonValueReader payload = fields.nonNull("payload");
    NewTask task =
        kindText == null
            ? nothing
            : buildOrReport(
                kind, nothing, () -> NewTask.of(kindText, payload == null ? null : payload.json()));
    task = with(task, fields.nonNull("name"), JsonValueReader::text, NewTask::name);
    task = with(task, fields.nonNull("metadata"), SubmissionReader::metadata, NewTask::metadata);
    task = with(task, fields.nonNull("retry"), this::policy, NewTask::retry);
    task = with(task, fields.nonNull("timeout"), SubmissionReader::timeout, NewTask::timeout);
    task = with(task, fields.nonNull("deadline"), JsonValueReader::instant, NewTask::deadline);
    task = with(task, fields.nonNull("run_at"), JsonValueReader::instant, NewTask::runAt);
    task = with(task, fields.nonNull("priority"), SubmissionReader::priority, NewTask::priority);
    task = with(task, localId(fields), this::uniqueLocalId, NewTask::localId);
    task =
        with(
            task,
            fields.nonNull("expected_count"),
            SubmissionReader::count,
            NewTask::expectedCount);
    task = actions.read(task, value, fields);
    refuse(fields.optional("actions"), "name the triggers instead: on_start, on_success and so on");
    UNSUPPORTED_FIELDS.forEach(name -> refuse(fields.optional(name), UNSUPPORTED));
    fields.rejectUnknown();
    return task;
  }

  /** Older clients call it {@code id}. */
  private static @Nullable JsonValueReader localId(JsonObjectReader fields) {
    JsonValueReader id = fields.nonNull("id");
    JsonValueReader local = fields.nonNull("local_id");
    if (id != null && local != null) {
      local.addError("is the same as 'id': keep one");
    }
    return id == null ? local : id;
  }

  private @Nullable String uniqueLocalId(JsonValueReader value) {
    String id = value.text();
    if (id != null && !localIds.add(id)) {
      value.addError("another task of this request has it already");
    }
    return id;
  }

  private <T> NewTask with(
      NewTask task,
      @Nullable JsonValueReader value,
      Function<JsonValueReader, @Nullable T> reading,
      BiFunction<NewTask, T, NewTask> setting) {
    T read = value == null ? null : reading.apply(value);
    return value == null || read == null
        ? task
        : buildOrReport(value, task, () -> setting.apply(task, read));
  }

  /** The engine checks too; it has names of its own for the fields. */
  private static NewTask buildOrReport(
      @Nullable JsonValueReader value, NewTask otherwise, Supplier<NewTask> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      if (value != null) {
        value.addError(RejectedArgument.of(e).message());
      }
      return otherwise;
    }
  }

  private static void refuse(@Nullable JsonValueReader value, String message) {
    if (value != null) {
      value.addError(message);
    }
  }

  private @Nullable RetryPolicy policy(JsonValueReader value) {
    return errors.collect(value.path(), () -> PolicyJson.read(value.json(), limits));
  }

  private static @Nullable Map<String, Object> metadata(JsonValueReader value) {
    if (TaskPatch.metadata(value) == null) {
      return null;
    }
    Map<String, Object> metadata = new LinkedHashMap<>();
    value.json().propertyStream().forEach(field -> metadata.put(field.getKey(), field.getValue()));
    return metadata;
  }

  private static @Nullable Duration timeout(JsonValueReader value) {
    Long seconds = value.integer(1, MAX_TIMEOUT_SECONDS);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static @Nullable Integer priority(JsonValueReader value) {
    Long priority = value.integer(-MAX_PRIORITY, MAX_PRIORITY);
    return priority == null ? null : priority.intValue();
  }

  private static @Nullable Long count(JsonValueReader value) {
    return value.integer(0, Long.MAX_VALUE);
  }
}
