// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Batch;
import dev.perdure.engine.DependencyProblem;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.Limit;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.policy.json.ServerPolicyLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the tasks of a submission, and reports every problem of every task at once. */
final class SubmissionReader {

  private static final int MAX_PRIORITY = 1_000;
  static final long MAX_TIMEOUT_SECONDS = Duration.ofDays(3_650).toSeconds();

  private final FieldErrors errors = new FieldErrors();
  private final ServerPolicyLimits limits;
  private final int maxTasks;
  private final boolean deadEndCancelByDefault;
  private final ActionsReader actions;
  private final DependenciesReader dependencies = new DependenciesReader(errors);
  private final Set<String> localIds = new HashSet<>();
  private final Set<String> keyedIds = new HashSet<>();
  private UnaryOperator<Batch> envelope = batch -> batch;

  private SubmissionReader(
      ServerPolicyLimits limits,
      int maxTasks,
      boolean deadEndCancelByDefault,
      ActionsReader actions) {
    this.limits = limits;
    this.deadEndCancelByDefault = deadEndCancelByDefault;
    this.maxTasks = maxTasks;
    this.actions = actions;
  }

  /**
   * @param earliestExpiry policies must not expire before
   */
  static SubmissionReader create(ApiLimits limits, Instant earliestExpiry, ActionsReader actions) {
    ServerPolicyLimits policyLimits = limits.policyLimits().withEarliestExpiry(earliestExpiry);
    return new SubmissionReader(policyLimits, limits.maxTasks(), limits.deadEndCancel(), actions);
  }

  /**
   * Reads one task, an array of tasks, or an envelope with the array in {@code tasks}. Throws
   * InvalidPolicyException with all problems.
   *
   * @param dependencyProblems finds problems in the dependencies of a batch
   */
  Batch read(
      JsonNode json,
      TraceHeaders trace,
      Function<Batch, List<DependencyProblem>> dependencyProblems) {
    JsonValueReader whole = new JsonValueReader("", json, errors);
    List<JsonValueReader> items =
        json.has("tasks") ? envelope(whole) : items(whole, json.isArray());
    List<NewTask> tasks =
        items.stream().takeWhile(item -> !errors.isFull()).map(this::task).toList();
    if (tasks.isEmpty()) {
      errors.throwIfAny();
    }
    Batch batch =
        envelope.apply(Batch.of(trace.applyTo(tasks)).deadEndCancel(deadEndCancelByDefault));
    if (!errors.isFull()) {
      dependencies.check(batch, dependencyProblems);
    }
    errors.throwIfAny();
    return batch;
  }

  /** The field of the first dependency on a stored task; empty when there is none. */
  Optional<String> storedDependency() {
    return dependencies.firstStored(localIds);
  }

  /**
   * The field of the first dependency on a task with a dedupe key, which may turn out to be a
   * stored task; empty when there is none.
   */
  Optional<String> keyedDependency() {
    Set<String> unkeyed = new HashSet<>(localIds);
    unkeyed.removeAll(keyedIds);
    return keyedIds.isEmpty() ? Optional.empty() : dependencies.firstStored(unkeyed);
  }

  /** The errors of the fields that name these tasks, which do not exist. */
  List<FieldError> unknownDependencies(Collection<UUID> tasks) {
    return dependencies.unknown(tasks);
  }

  private List<JsonValueReader> items(JsonValueReader value, boolean several) {
    List<JsonValueReader> items = several ? value.array(maxTasks) : List.of(value);
    if (items != null && items.isEmpty()) {
      value.addError("must contain at least one task");
    }
    return items == null ? List.of() : items;
  }

  private List<JsonValueReader> envelope(JsonValueReader whole) {
    JsonObjectReader fields = Objects.requireNonNull(whole.object());
    JsonValueReader tasks = fields.required("tasks");
    envelope = envelope(whole, fields);
    rejectUnlessNone(fields, "rules", "belongs to a task: move it into the tasks");
    rejectUnlessNone(
        fields, "dead_end_barrier", "belongs to a task: move it into one of the tasks");
    rejectUnknown(
        fields,
        "is a field of a retry policy: move it into the 'retry' of a task to retry that task, or"
            + " into the 'retry' of the batch to run the whole batch again");
    return tasks == null ? List.of() : items(tasks, true);
  }

  private UnaryOperator<Batch> envelope(JsonValueReader whole, JsonObjectReader fields) {
    JsonValueReader retry = fields.nonNull("retry");
    JsonValueReader deadEnds = fields.nonNull("dead_end_cancel");
    Boolean cancels = deadEnds == null ? null : deadEnds.bool();
    String batchActions = actions.readBatch(whole, fields);
    JsonValueReader name = fields.nonNull("name");
    JsonValueReader context = fields.nonNull("context");
    JsonValueReader shardKey = fields.nonNull("shard_key");
    return batch -> {
      Batch named = with(batch, name, JsonValueReader::text, Batch::name);
      Batch shared = with(named, context, SubmissionReader::context, Batch::context);
      Batch placed = with(shared, shardKey, JsonValueReader::text, Batch::shardKey);
      Batch retried =
          with(
              placed,
              retry,
              this::policy,
              (submitted, read) -> submitted.retry(read.policy(), read.asGiven()));
      Batch called = batchActions == null ? retried : retried.actions(batchActions);
      return cancels == null ? called : called.deadEndCancel(cancels);
    };
  }

  private static @Nullable JsonNode context(JsonValueReader value) {
    return TaskPatch.limited(value, Batch.MAX_CONTEXT_BYTES) == null ? null : value.json();
  }

  /** Reads one task. Wrong fields are left out; the noted errors prevent the submission. */
  private NewTask task(JsonValueReader value) {
    JsonObjectReader fields = value.object();
    NewTask placeholder = NewTask.of("unreadable", null);
    if (fields == null) {
      return dependencies.read(placeholder, null);
    }
    JsonValueReader kind = fields.required("kind");
    String kindText = kind == null ? null : kind.text();
    JsonValueReader payload = fields.nonNull("payload");
    NewTask task =
        kindText == null
            ? placeholder
            : buildOrReport(
                kind,
                placeholder,
                () -> NewTask.of(kindText, payload == null ? null : payload.json()));
    task = with(task, fields.nonNull("name"), JsonValueReader::text, NewTask::name);
    task = with(task, fields.nonNull("metadata"), SubmissionReader::metadata, NewTask::metadata);
    task =
        with(
            task,
            fields.nonNull("retry"),
            this::policy,
            (submitted, read) -> submitted.retry(read.policy(), read.asGiven()));
    task = with(task, fields.nonNull("timeout"), SubmissionReader::timeout, NewTask::timeout);
    task = with(task, fields.nonNull("deadline"), JsonValueReader::instant, NewTask::deadline);
    task = with(task, fields.nonNull("run_at"), JsonValueReader::instant, NewTask::runAt);
    task = with(task, fields.nonNull("priority"), SubmissionReader::priority, NewTask::priority);
    task = with(task, localId(fields), this::uniqueLocalId, NewTask::id);
    task =
        with(
            task,
            fields.nonNull("expected_count"),
            SubmissionReader::count,
            NewTask::expectedCount);
    task = rules(task, fields, kindText);
    task = dependencies.read(task, fields.nonNull("dependencies"));
    task =
        with(
            task,
            fields.nonNull("dead_end_barrier"),
            JsonValueReader::bool,
            (submitted, barrier) -> barrier ? submitted.deadEndBarrier() : submitted);
    NewTask keyed = new DedupeReader(fields, kindText).read(task);
    if (!keyed.equals(task)) {
      rememberKeyed(fields);
    }
    task = actions.read(keyed, value, fields, dependencies.lastIds());
    reject(
        fields, "actions", "use on_start, on_success, on_failure, on_retry and on_cancel instead");
    rejectUnknown(
        fields,
        "is a field of the retry policy: move it into the task's 'retry', as in"
            + " \"retry\": {\"max_retries\": 3}");
    return task;
  }

  private void rememberKeyed(JsonObjectReader fields) {
    JsonValueReader id = fields.has("id") ? fields.nonNull("id") : fields.nonNull("local_id");
    if (id != null && id.json().isString()) {
      keyedIds.add(id.json().stringValue());
    }
  }

  /** Reads the limits of the task. */
  private static NewTask rules(NewTask task, JsonObjectReader fields, @Nullable String kind) {
    JsonValueReader value = fields.nonNull("rules");
    if (value == null) {
      return task;
    }
    List<Limit> limits = LimitRules.read(value, kind);
    if (fields.nonNull("expected_count") == null) {
      rejectCapacity(value);
    }
    return buildOrReport(value, task, () -> task.limits(limits, value.json()));
  }

  /** A limit on capacity counts the items of a task. */
  private static void rejectCapacity(JsonValueReader rules) {
    for (int i = 0; i < rules.json().size(); i++) {
      if (rules.json().path(i).path("type").asString("").equals("Capacity")) {
        rules
            .errors()
            .add(
                "%s[%d]".formatted(rules.path(), i),
                "limits the items of running tasks: set the task's 'expected_count'");
      }
    }
  }

  /** Tells those who write a field of the retry policy beside it where it belongs. */
  private static void rejectUnknown(JsonObjectReader fields, String policyAdvice) {
    fields.rejectUnknown(
        name -> PolicyJson.isPolicyField(name) ? policyAdvice : fields.unknownFieldMessage(name));
  }

  /** The local id. {@code id} is an older name for {@code local_id}. */
  private static @Nullable JsonValueReader localId(JsonObjectReader fields) {
    JsonValueReader id = fields.nonNull("id");
    JsonValueReader local = fields.nonNull("local_id");
    if (id != null && local != null) {
      local.addError("means the same as 'id': send only one of them");
    }
    if (id != null || local != null) {
      fields.neverSuggest("id");
      fields.neverSuggest("local_id");
    }
    return id == null ? local : id;
  }

  private @Nullable String uniqueLocalId(JsonValueReader value) {
    String id = value.text();
    if (id != null && !localIds.add(id)) {
      value.addError("is used by another task of this request: choose a unique id");
    }
    return id;
  }

  private static <B, T> B with(
      B built,
      @Nullable JsonValueReader value,
      Function<JsonValueReader, @Nullable T> reader,
      BiFunction<B, T, B> setter) {
    T read = value == null ? null : reader.apply(value);
    return value == null || read == null
        ? built
        : buildOrReport(value, built, () -> setter.apply(built, read));
  }

  /** Builds the task or batch. The engine's own checks become an error of {@code value}. */
  private static <B> B buildOrReport(
      @Nullable JsonValueReader value, B fallback, Supplier<B> builder) {
    try {
      return builder.get();
    } catch (IllegalArgumentException e) {
      if (value != null) {
        value.addError(RejectedArgument.of(e).message());
      }
      return fallback;
    }
  }

  /** Rejects a field, unless its value says that there is none. */
  private static void rejectUnlessNone(JsonObjectReader fields, String name, String message) {
    JsonValueReader value = fields.nonNull(name);
    fields.neverSuggest(name);
    if (value != null && !meansNone(value.json())) {
      value.addError(message);
    }
  }

  private static boolean meansNone(JsonNode value) {
    return (value.isArray() && value.isEmpty()) || (value.isBoolean() && !value.booleanValue());
  }

  private static void reject(JsonObjectReader fields, String name, String message) {
    JsonValueReader value = fields.optional(name);
    fields.neverSuggest(name);
    if (value != null) {
      value.addError(message);
    }
  }

  private record GivenPolicy(RetryPolicy policy, JsonNode asGiven) {}

  private @Nullable GivenPolicy policy(JsonValueReader value) {
    JsonNode json = value.json();
    return errors.collect(value.path(), () -> new GivenPolicy(PolicyJson.read(json, limits), json));
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
