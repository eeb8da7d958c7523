// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task to submit. It is immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * NewTask.of("send-email", new EmailJob("ada@example.org"))
 *     .retry(RetryPolicy.queue())
 *     .runIn(Duration.ofMinutes(10));
 * }</pre>
 */
public final class NewTask {

  /** Maximum size of the metadata, in bytes of JSON in UTF-8. */
  public static final int MAX_METADATA_BYTES = 64 * 1024;

  static final int MAX_KIND_CHARACTERS = HandOverRequest.MAX_KIND_LENGTH;
  static final int MAX_NAME_CHARACTERS = 255;
  static final int MAX_ACTIONS_CHARACTERS = 1 << 20;
  static final int MAX_DEDUPE_KEY_CHARACTERS = 255;

  /** The prefix of every queue name, and of no kind. */
  public static final String QUEUE_PREFIX = "perdure:";

  private static final int MAX_PRIORITY = 1000;

  final String kind;
  final @Nullable Object payload;
  @Nullable String name;
  @Nullable Map<String, ?> metadata;
  RetryPolicy policy = RetryPolicy.none();
  @Nullable String policyAsGiven;
  DueTime due = DueTime.now();
  @Nullable Duration timeout;
  @Nullable Instant deadline;
  int priority;
  @Nullable String idempotencyKey;
  @Nullable String localId;
  List<DependencyOn> dependencies = List.of();
  boolean deadEndBarrier;
  @Nullable String queue;
  @Nullable String actions;
  @Nullable Long expectedCount;
  @Nullable TraceContext trace;
  List<Limit> limits = List.of();
  @Nullable String rulesAsGiven;
  @Nullable String dedupeKey;
  boolean replacesDuplicate;

  /** A dependency as it was given: the local id or the UUID of the parent. */
  record DependencyOn(String id, boolean requiresSuccess) {}

  private NewTask(String kind, @Nullable Object payload) {
    this.kind = kind;
    this.payload = payload;
  }

  private NewTask(NewTask other) {
    this(other.kind, other.payload);
    name = other.name;
    metadata = other.metadata;
    policy = other.policy;
    policyAsGiven = other.policyAsGiven;
    due = other.due;
    timeout = other.timeout;
    deadline = other.deadline;
    priority = other.priority;
    idempotencyKey = other.idempotencyKey;
    localId = other.localId;
    dependencies = other.dependencies;
    deadEndBarrier = other.deadEndBarrier;
    queue = other.queue;
    actions = other.actions;
    expectedCount = other.expectedCount;
    trace = other.trace;
    limits = other.limits;
    rulesAsGiven = other.rulesAsGiven;
    dedupeKey = other.dedupeKey;
    replacesDuplicate = other.replacesDuplicate;
  }

  /**
   * A task of this kind, due at once and never retried. The payload is anything that Jackson can
   * write as JSON.
   */
  public static NewTask of(String kind, @Nullable Object payload) {
    requireKind("kind", kind);
    if (kind.startsWith(QUEUE_PREFIX)) {
      throw new IllegalArgumentException(
          "kind: must not begin with '" + QUEUE_PREFIX + "', which is reserved for queues");
    }
    return new NewTask(kind, payload);
  }

  /** A name to show. */
  public NewTask name(String value) {
    requireText("name", value, MAX_NAME_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.name = value;
    return copy;
  }

  /** Fields to show and filter by. Values may be null; the order is kept. */
  public NewTask metadata(Map<String, ? extends @Nullable Object> value) {
    NewTask copy = new NewTask(this);
    copy.metadata = Collections.unmodifiableMap(new LinkedHashMap<>(value));
    return copy;
  }

  /** The retry policy. */
  public NewTask retry(RetryPolicy value) {
    return retry(value, null);
  }

  /**
   * The retry policy, and the JSON that it was read from, to show; null when it was not read from
   * JSON.
   */
  public NewTask retry(RetryPolicy value, @Nullable JsonNode asGiven) {
    NewTask copy = new NewTask(this);
    copy.policy = requireNonNull(value, "policy");
    copy.policyAsGiven = asGiven == null ? null : asGiven.toString();
    return copy;
  }

  /** Runs this long after the submission. */
  public NewTask runIn(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("runIn: must not be negative, not " + delay);
    }
    NewTask copy = new NewTask(this);
    copy.due = DueTime.in(delay);
    return copy;
  }

  /** Runs at this instant, or at once when it has passed. */
  public NewTask runAt(Instant instant) {
    NewTask copy = new NewTask(this);
    copy.due = DueTime.at(requireNonNull(instant, "instant"));
    return copy;
  }

  /** How long an attempt may go without a heartbeat. */
  public NewTask timeout(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("timeout: must be more than 0, not " + value);
    }
    NewTask copy = new NewTask(this);
    copy.timeout = value;
    return copy;
  }

  /** When the task fails, whatever its state. */
  public NewTask deadline(Instant value) {
    NewTask copy = new NewTask(this);
    copy.deadline = requireNonNull(value, "deadline");
    return copy;
  }

  /** The priority, −1000 to 1000; each step counts as one second of waiting. */
  public NewTask priority(int value) {
    if (value < -MAX_PRIORITY || value > MAX_PRIORITY) {
      throw new IllegalArgumentException("priority: must be −1000 to 1000, not " + value);
    }
    NewTask copy = new NewTask(this);
    copy.priority = value;
    return copy;
  }

  /**
   * What {@link TaskContext#idempotencyKey()} returns on every attempt, for the services that the
   * handler calls; the id of the task by default. Two tasks may have the same key. To submit a task
   * only once, use a {@link SubmissionKey}.
   */
  public NewTask idempotencyKeyForHandler(String value) {
    requireText("idempotencyKeyForHandler", value, HandOverRequest.MAX_KEY_LENGTH);
    NewTask copy = new NewTask(this);
    copy.idempotencyKey = value;
    return copy;
  }

  /** Your own id for the task, by which other tasks of the same batch can depend on it. */
  public NewTask id(String value) {
    requireText("id", value, MAX_NAME_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.localId = value;
    return copy;
  }

  /**
   * Waits until these tasks have succeeded; if one of them fails or is canceled, this task fails
   * too.
   *
   * @param ids the {@link #id} of tasks of the same batch, in any order, or UUIDs of stored tasks
   */
  public NewTask after(String... ids) {
    return dependingOn(true, ids);
  }

  /** Like {@link #after(String...)}, for a stored task. */
  public NewTask after(UUID task) {
    return after(task.toString());
  }

  /** Waits until these tasks have ended, however they end. */
  public NewTask afterEvenIfFailed(String... ids) {
    return dependingOn(false, ids);
  }

  /** Like {@link #afterEvenIfFailed(String...)}, for a stored task. */
  public NewTask afterEvenIfFailed(UUID task) {
    return afterEvenIfFailed(task.toString());
  }

  /**
   * Keeps the task when all tasks that depend on it have ended, although its batch {@linkplain
   * Batch#deadEndCancel() cancels} such tasks.
   */
  public NewTask deadEndBarrier() {
    NewTask copy = new NewTask(this);
    copy.deadEndBarrier = true;
    return copy;
  }

  private NewTask dependingOn(boolean requiresSuccess, String... ids) {
    List<DependencyOn> all = new ArrayList<>(dependencies);
    for (String id : ids) {
      requireText("after", id, MAX_NAME_CHARACTERS);
      all.add(new DependencyOn(id, requiresSuccess));
    }
    NewTask copy = new NewTask(this);
    copy.dependencies = List.copyOf(all);
    return copy;
  }

  /**
   * Adds a limit on how many tasks run together, or how many start in a period. The task starts
   * when all its limits allow it.
   */
  public NewTask limit(Limit value) {
    List<Limit> all = new ArrayList<>(limits);
    all.add(requireNonNull(value, "limit"));
    return limits(all, null);
  }

  /**
   * All limits, in place of those added before, and the JSON that they were read from, to show;
   * null when they were not read from JSON.
   */
  public NewTask limits(List<Limit> values, @Nullable JsonNode asGiven) {
    if (values.size() > Limit.MAX_PER_TASK) {
      throw new IllegalArgumentException(
          "limits: must be at most " + Limit.MAX_PER_TASK + ", not " + values.size());
    }
    NewTask copy = new NewTask(this);
    copy.limits = List.copyOf(values);
    copy.rulesAsGiven = asGiven == null || values.isEmpty() ? null : asGiven.toString();
    return copy;
  }

  /**
   * No other live task of the same shard has this key. If one has it already, this task is not
   * stored, and its submission answers with the id of the one that exists. The key is free when the
   * task ends. A batch whose tasks have one key between them goes to the shard of the key; give
   * others a {@link Batch#shardKey}.
   */
  public NewTask dedupeKey(String value) {
    requireText("dedupeKey", value, MAX_DEDUPE_KEY_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.dedupeKey = value;
    return copy;
  }

  /**
   * If a task that has never been claimed has the {@linkplain #dedupeKey dedupe key}, it takes the
   * payload, the due instant and the retry policy of this one, and keeps its id. One that has been
   * claimed stays as it is.
   */
  public NewTask replaceDuplicate() {
    NewTask copy = new NewTask(this);
    copy.replacesDuplicate = true;
    return copy;
  }

  /** How many items the task has, for {@link TaskContext#progress}. */
  public NewTask expectedCount(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("expectedCount: must be 0 or more, not " + value);
    }
    NewTask copy = new NewTask(this);
    copy.expectedCount = value;
    return copy;
  }

  /**
   * The span that submits the task: all attempts belong to its trace. By default the task has a
   * trace of its own.
   */
  public NewTask traceParent(TraceContext value) {
    NewTask copy = new NewTask(this);
    copy.trace = requireNonNull(value, "traceParent");
    return copy;
  }

  /**
   * The name that workers claim the task under instead of its kind, so that handlers of the kind do
   * not get it. It begins with {@value #QUEUE_PREFIX}.
   */
  public NewTask queue(String value) {
    requireQueue(value);
    NewTask copy = new NewTask(this);
    copy.queue = value;
    return copy;
  }

  /** JSON that the delivery planner and the handler of the queue read. */
  public NewTask actions(String json) {
    requireText("actions", json, MAX_ACTIONS_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.actions = json;
    return copy;
  }

  /** Checks a kind; {@code field} is the name to use in the message. */
  static void requireKind(String field, String value) {
    requireText(field, value, MAX_KIND_CHARACTERS);
    if (value.startsWith("=")) {
      throw new IllegalArgumentException(
          field + ": must not begin with '=', which filters use for the whole kind");
    }
  }

  static void requireQueue(String value) {
    requireText("queue", value, MAX_KIND_CHARACTERS);
    if (!value.startsWith(QUEUE_PREFIX)) {
      throw new IllegalArgumentException(
          "queue: must begin with '" + QUEUE_PREFIX + "', not '" + value + "'");
    }
  }

  static void requireText(String field, String value, int max) {
    if (value.isBlank() || value.length() > max) {
      throw new IllegalArgumentException(
          field + ": must have 1 to " + max + " characters, not " + value.length());
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": must not contain the character NUL");
    }
  }
}
