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

  private final FieldErrors fieldErrors = new FieldErrors();
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
    JsonValueReader whole = new JsonValueReader("", json, fieldErrors);
    List<JsonValueReader> items =
        json.has("tasks") ? envelope(whole) : items(whole, json.isArray());
    List<NewTask> tasks =
        items.stream().takeWhile(item -> !fieldErrors.isFull()).map(this::task).toList();
    fieldErrors.throwIfAny();
    return tasks;
  }

  private List<JsonValueReader> items(JsonValueReader jsonValueReader, boolean several) {
    List<JsonValueReader> items =
        several ? jsonValueReader.array(maxTasks) : List.of(jsonValueReader);
    if (items != null && items.isEmpty()) {
      jsonValueReader.addError("holds no task");
    }
    return items == null ? List.of() : items;
  }

  private List<JsonValueReader> envelope(JsonValueReader whole) {
    JsonObjectReader jsonObjectReader = Objects.requireNonNull(whole.object());
    JsonValueReader tasks = jsonObjectReader.required("tasks");
    UNSUPPORTED_ENVELOPE_FIELDS.forEach(
        name -> refuse(jsonObjectReader.optional(name), UNSUPPORTED));
    jsonObjectReader.rejectUnknown();
    return tasks == null ? List.of() : items(tasks, true);
  }

  /** What is wrong is left out, and never submitted: there is a problem then. */
  private NewTask task(JsonValueReader jsonValueReader) {
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    NewTask nothing = NewTask.of("unreadable", null);
    if (jsonObjectReader == null) {
      return nothing;
    }
    JsonValueReader kind = jsonObjectReader.required("kind");
    String kindText = kind == null ? null : kind.text();
    JsonValueReader payload = jsonObjectReader.nonNull("payload");
    NewTask task =
        kindText == null
            ? nothing
            : buildOrReport(
                kind, nothing, () -> NewTask.of(kindText, payload == null ? null : payload.json()));
    task = with(task, jsonObjectReader.nonNull("name"), JsonValueReader::text, NewTask::name);
    task =
        with(
            task,
            jsonObjectReader.nonNull("metadata"),
            SubmissionReader::metadata,
            NewTask::metadata);
    task = with(task, jsonObjectReader.nonNull("retry"), this::policy, NewTask::retry);
    task =
        with(
            task, jsonObjectReader.nonNull("timeout"), SubmissionReader::timeout, NewTask::timeout);
    task =
        with(
            task,
            jsonObjectReader.nonNull("deadline"),
            JsonValueReader::instant,
            NewTask::deadline);
    task = with(task, jsonObjectReader.nonNull("run_at"), JsonValueReader::instant, NewTask::runAt);
    task =
        with(
            task,
            jsonObjectReader.nonNull("priority"),
            SubmissionReader::priority,
            NewTask::priority);
    task = with(task, localId(jsonObjectReader), this::uniqueLocalId, NewTask::localId);
    task =
        with(
            task,
            jsonObjectReader.nonNull("expected_count"),
            SubmissionReader::count,
            NewTask::expectedCount);
    task = actions.read(task, jsonValueReader, jsonObjectReader);
    refuse(
        jsonObjectReader.optional("actions"),
        "name the triggers instead: on_start, on_success and so on");
    UNSUPPORTED_FIELDS.forEach(name -> refuse(jsonObjectReader.optional(name), UNSUPPORTED));
    jsonObjectReader.rejectUnknown();
    return task;
  }

  /** Older clients call it {@code id}. */
  private static @Nullable JsonValueReader localId(JsonObjectReader jsonObjectReader) {
    JsonValueReader id = jsonObjectReader.nonNull("id");
    JsonValueReader local = jsonObjectReader.nonNull("local_id");
    if (id != null && local != null) {
      local.addError("is the same as 'id': keep one");
    }
    return id == null ? local : id;
  }

  private @Nullable String uniqueLocalId(JsonValueReader jsonValueReader) {
    String id = jsonValueReader.text();
    if (id != null && !localIds.add(id)) {
      jsonValueReader.addError("another task of this request has it already");
    }
    return id;
  }

  private <T> NewTask with(
      NewTask task,
      @Nullable JsonValueReader jsonValueReader,
      Function<JsonValueReader, @Nullable T> reading,
      BiFunction<NewTask, T, NewTask> setting) {
    T read = jsonValueReader == null ? null : reading.apply(jsonValueReader);
    return jsonValueReader == null || read == null
        ? task
        : buildOrReport(jsonValueReader, task, () -> setting.apply(task, read));
  }

  /** The engine checks too; it has names of its own for the fields. */
  private static NewTask buildOrReport(
      @Nullable JsonValueReader jsonValueReader, NewTask otherwise, Supplier<NewTask> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      if (jsonValueReader != null) {
        jsonValueReader.addError(RejectedArgument.of(e).message());
      }
      return otherwise;
    }
  }

  private static void refuse(@Nullable JsonValueReader jsonValueReader, String message) {
    if (jsonValueReader != null) {
      jsonValueReader.addError(message);
    }
  }

  private @Nullable RetryPolicy policy(JsonValueReader jsonValueReader) {
    return fieldErrors.collect(
        jsonValueReader.path(), () -> PolicyJson.read(jsonValueReader.json(), limits));
  }

  private static @Nullable Map<String, Object> metadata(JsonValueReader jsonValueReader) {
    if (TaskPatch.metadata(jsonValueReader) == null) {
      return null;
    }
    Map<String, Object> metadata = new LinkedHashMap<>();
    jsonValueReader
        .json()
        .propertyStream()
        .forEach(field -> metadata.put(field.getKey(), field.getValue()));
    return metadata;
  }

  private static @Nullable Duration timeout(JsonValueReader jsonValueReader) {
    Long seconds = jsonValueReader.integer(1, MAX_TIMEOUT_SECONDS);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static @Nullable Integer priority(JsonValueReader jsonValueReader) {
    Long priority = jsonValueReader.integer(-MAX_PRIORITY, MAX_PRIORITY);
    return priority == null ? null : priority.intValue();
  }

  private static @Nullable Long count(JsonValueReader jsonValueReader) {
    return jsonValueReader.integer(0, Long.MAX_VALUE);
  }
}
