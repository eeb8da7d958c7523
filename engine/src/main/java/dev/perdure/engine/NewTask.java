// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task to submit: immutable, each method gives a changed copy.
 *
 * <pre>{@code
 * NewTask.of("send-email", new EmailJob("ada@example.org"))
 *     .retry(RetryPolicy.queue())
 *     .in(Duration.ofMinutes(10));
 * }</pre>
 */
public final class NewTask {

  /** The most metadata, as JSON in UTF-8. */
  public static final int MAX_METADATA_BYTES = 64 * 1024;

  static final int MAX_KIND_CHARACTERS = HandOverRequest.MAX_KIND_LENGTH;
  static final int MAX_NAME_CHARACTERS = 255;
  static final int MAX_ACTIONS_CHARACTERS = 1 << 20;

  /** How the name of a lane begins, and no kind's. */
  public static final String QUEUE_PREFIX = "perdure:";

  private static final int MAX_PRIORITY = 1000;

  final String kind;
  final @Nullable Object payload;
  @Nullable String name;
  @Nullable Map<String, ?> metadata;
  RetryPolicy policy = RetryPolicy.none();
  Due due = Due.now();
  @Nullable Duration timeout;
  @Nullable Instant deadline;
  int priority;
  @Nullable String idempotencyKey;
  @Nullable String localId;
  @Nullable String queue;
  @Nullable String actions;
  @Nullable Long expectedCount;
  @Nullable TraceContext trace;

  private NewTask(String kind, @Nullable Object payload) {
    this.kind = kind;
    this.payload = payload;
  }

  private NewTask(NewTask other) {
    this(other.kind, other.payload);
    name = other.name;
    metadata = other.metadata;
    policy = other.policy;
    due = other.due;
    timeout = other.timeout;
    deadline = other.deadline;
    priority = other.priority;
    idempotencyKey = other.idempotencyKey;
    localId = other.localId;
    queue = other.queue;
    actions = other.actions;
    expectedCount = other.expectedCount;
    trace = other.trace;
  }

  /** A task of this kind, due at once and never retried; the payload is anything JSON can hold. */
  public static NewTask of(String kind, @Nullable Object payload) {
    requireKind("kind", kind);
    if (kind.startsWith(QUEUE_PREFIX)) {
      throw new IllegalArgumentException(
          "kind: must not begin with '" + QUEUE_PREFIX + "': lanes do");
    }
    return new NewTask(kind, payload);
  }

  /** For people. */
  public NewTask name(String value) {
    requireText("name", value, MAX_NAME_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.name = value;
    return copy;
  }

  /** For people and filters; values may be null, and the order stays. */
  public NewTask metadata(Map<String, ? extends @Nullable Object> value) {
    NewTask copy = new NewTask(this);
    copy.metadata = Collections.unmodifiableMap(new LinkedHashMap<>(value));
    return copy;
  }

  /** What to do when an attempt fails. */
  public NewTask retry(RetryPolicy value) {
    NewTask copy = new NewTask(this);
    copy.policy = requireNonNull(value, "policy");
    return copy;
  }

  /** Due this long after it was submitted. */
  public NewTask runIn(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("in: must not be negative, not " + delay);
    }
    NewTask copy = new NewTask(this);
    copy.due = Due.in(delay);
    return copy;
  }

  /** Due at this instant; at once when it has passed. */
  public NewTask runAt(Instant instant) {
    NewTask copy = new NewTask(this);
    copy.due = Due.at(requireNonNull(instant, "instant"));
    return copy;
  }

  /** How long an attempt may go without a sign of life. */
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

  /** −1000 to 1000: each step counts as much as a second of waiting. */
  public NewTask priority(int value) {
    if (value < -MAX_PRIORITY || value > MAX_PRIORITY) {
      throw new IllegalArgumentException("priority: must be −1000 to 1000, not " + value);
    }
    NewTask copy = new NewTask(this);
    copy.priority = value;
    return copy;
  }

  /** The key that handlers see on every attempt; the task's id unless it is given. */
  public NewTask idempotencyKey(String value) {
    requireText("idempotencyKey", value, HandOverRequest.MAX_KEY_LENGTH);
    NewTask copy = new NewTask(this);
    copy.idempotencyKey = value;
    return copy;
  }

  /** The submitter's own name for it. */
  public NewTask localId(String value) {
    requireText("localId", value, MAX_NAME_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.localId = value;
    return copy;
  }

  /** How many items it has to do, for {@link TaskContext#progress}. */
  public NewTask expectedCount(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("expectedCount: must be 0 or more, not " + value);
    }
    NewTask copy = new NewTask(this);
    copy.expectedCount = value;
    return copy;
  }

  /**
   * The span that it is submitted from: all its attempts belong to that trace. Without one the task
   * has a trace of its own.
   */
  public NewTask traceParent(TraceContext value) {
    NewTask copy = new NewTask(this);
    copy.trace = requireNonNull(value, "traceParent");
    return copy;
  }

  /**
   * The name under which it is claimed instead of its kind, so that no handler of the kind gets it;
   * it begins with {@value #QUEUE_PREFIX}.
   */
  public NewTask queue(String value) {
    requireQueue(value);
    NewTask copy = new NewTask(this);
    copy.queue = value;
    return copy;
  }

  /** Whom to call and to tell: JSON that the announcer and the handler of the lane read. */
  public NewTask actions(String json) {
    requireText("actions", json, MAX_ACTIONS_CHARACTERS);
    NewTask copy = new NewTask(this);
    copy.actions = json;
    return copy;
  }

  /** The kind under the name of the field that holds it. */
  static void requireKind(String field, String value) {
    requireText(field, value, MAX_KIND_CHARACTERS);
  }

  static void requireQueue(String value) {
    requireText("lane", value, MAX_KIND_CHARACTERS);
    if (!value.startsWith(QUEUE_PREFIX)) {
      throw new IllegalArgumentException(
          "lane: must begin with '" + QUEUE_PREFIX + "', not '" + value + "'");
    }
  }

  private static void requireText(String field, String value, int most) {
    if (value.isBlank() || value.length() > most) {
      throw new IllegalArgumentException(
          field + ": must have 1 to " + most + " characters, not " + value.length());
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": must not contain the character NUL");
    }
  }
}
