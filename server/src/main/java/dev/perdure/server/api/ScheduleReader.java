// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineSchedules;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.webhook.StoredSubmission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads a schedule, and reports every problem at once. */
final class ScheduleReader {

  /** What says which tasks it submits. */
  static final List<String> SUBMISSION_FIELDS = List.of("task", "batch", "retry", "notify");

  /** Fields of a schedule that end up in its task, or in the envelope of its batch. */
  private static final List<String> MOVED = List.of("retry", "notify");

  private final Engine engine;
  private final StoredSubmission storedSubmission;
  private final Supplier<SubmissionReader> submissionReader;
  private final FieldErrors errors = new FieldErrors();

  /**
   * @param submissionReader creates a reader of what the schedule submits
   */
  ScheduleReader(
      Engine engine,
      StoredSubmission storedSubmission,
      Supplier<SubmissionReader> submissionReader) {
    this.engine = engine;
    this.storedSubmission = storedSubmission;
    this.submissionReader = submissionReader;
  }

  /**
   * A schedule as it was sent.
   *
   * @param version the version that the caller has seen; null for any
   */
  record ScheduleRequest(
      String name, Trigger trigger, Batch batch, ScheduleOptions options, @Nullable Long version) {}

  /**
   * Throws InvalidPolicyException with all problems.
   *
   * @param name the name of the schedule to replace; null for a new one
   */
  ScheduleRequest read(JsonNode json, @Nullable String name) {
    JsonValueReader whole = new JsonValueReader("", json, errors);
    JsonObjectReader fields = whole.object();
    errors.throwIfAny();
    ScheduleRequest request = read(whole, Objects.requireNonNull(fields), name);
    errors.throwIfAny();
    return Objects.requireNonNull(request);
  }

  private @Nullable ScheduleRequest read(
      JsonValueReader whole, JsonObjectReader fields, @Nullable String knownName) {
    String name = name(fields, knownName);
    JsonValueReader given = fields.required("trigger");
    Trigger trigger = given == null ? null : TriggerJson.read(given);
    ScheduleOptions options = options(fields);
    Long version = version(fields);
    Batch batch = submission(whole, fields);
    fields.rejectUnknown();
    if (name == null || trigger == null || batch == null) {
      return null;
    }
    ObjectNode submitted = JsonNodeFactory.instance.objectNode();
    SUBMISSION_FIELDS.stream()
        .filter(field -> whole.json().hasNonNull(field))
        .forEach(field -> submitted.set(field, whole.json().get(field)));
    return new ScheduleRequest(
        name, trigger, batch, options.withAsGiven(storedSubmission.serialize(submitted)), version);
  }

  /**
   * The name that the fields have.
   *
   * @param known the name that it must be; null for a new schedule
   */
  static @Nullable String name(JsonObjectReader fields, @Nullable String known) {
    JsonValueReader value = known == null ? fields.required("name") : fields.nonNull("name");
    String name = value == null ? known : value.text();
    if (value != null && name != null && known != null && !name.equals(known)) {
      value.addError(
          "cannot be changed; it is '%s': create another schedule"
              .formatted(FieldError.sanitize(known)));
    }
    if (value != null && name != null) {
      try {
        EngineSchedules.requireName(name);
      } catch (IllegalArgumentException e) {
        value.addError(RejectedArgument.of(e).message());
      }
    }
    return name;
  }

  /** What the fields say about when it fires; what they do not say is the default. */
  static ScheduleOptions options(JsonObjectReader fields) {
    return options(fields, ScheduleOptions.defaults());
  }

  /** The options with the changes in these fields. */
  static ScheduleOptions options(JsonObjectReader fields, ScheduleOptions before) {
    JsonValueReader enabled = fields.nonNull("enabled");
    Boolean isEnabled = enabled == null ? null : enabled.bool();
    String overlap =
        oneOf(fields, "overlap", Arrays.stream(Overlap.values()).map(Overlap::text).toList());
    String misfire =
        oneOf(fields, "misfire", Arrays.stream(Misfire.values()).map(Misfire::text).toList());
    return before
        .withEnabled(isEnabled == null ? before.enabled() : isEnabled)
        .withOverlap(overlap == null ? before.overlap() : Overlap.of(overlap).orElseThrow())
        .withMisfire(misfire == null ? before.misfire() : Misfire.of(misfire).orElseThrow());
  }

  private static @Nullable String oneOf(
      JsonObjectReader fields, String name, List<String> allowed) {
    JsonValueReader value = fields.nonNull(name);
    return value == null ? null : value.oneOf(name, allowed);
  }

  static @Nullable Long version(JsonObjectReader fields) {
    JsonValueReader value = fields.nonNull("version");
    return value == null ? null : value.integer(0, Long.MAX_VALUE);
  }

  /** Null when it is wrong; the errors say what. */
  private @Nullable Batch submission(JsonValueReader whole, JsonObjectReader fields) {
    JsonValueReader task = fields.nonNull("task");
    JsonValueReader batch = fields.nonNull("batch");
    MOVED.forEach(fields::nonNull);
    if ((task == null) == (batch == null)) {
      whole.addError(
          task == null
              ? "must have a 'task' or a 'batch': what it submits each time"
              : "has a 'task' and a 'batch': keep one of them");
      return null;
    }
    JsonValueReader given = task == null ? Objects.requireNonNull(batch) : task;
    JsonNode envelope =
        task == null && given.json().isArray() ? envelope(given.json()) : given.json();
    if (!(envelope instanceof ObjectNode object)) {
      given.addError("must be an object" + (task == null ? " or an array of tasks" : ""));
      return null;
    }
    if (task != null && object.has("tasks")) {
      given.addError("is a batch, because it has 'tasks': name the field 'batch'");
      return null;
    }
    if (hasTooManyTasks(given, object.path("tasks").size())) {
      return null;
    }
    ObjectNode submission = object.deepCopy();
    List<String> moved = move(whole.json(), fields, submission);
    rejectTimes(given, submission);
    return read(given, submission, moved);
  }

  /** The server's own limit may be higher. */
  private boolean hasTooManyTasks(JsonValueReader given, int tasks) {
    boolean tooMany = tasks > EngineSchedules.MAX_TASKS;
    if (tooMany) {
      errors.add(
          given.json().isArray() ? given.path() : given.path() + ".tasks",
          "a firing can have at most %d tasks, not %d".formatted(EngineSchedules.MAX_TASKS, tasks));
    }
    return tooMany;
  }

  private static ObjectNode envelope(JsonNode tasks) {
    ObjectNode envelope = JsonNodeFactory.instance.objectNode();
    envelope.set("tasks", tasks);
    return envelope;
  }

  /** Returns the fields that it moved. */
  private static List<String> move(JsonNode schedule, JsonObjectReader fields, ObjectNode to) {
    List<String> moved = new ArrayList<>();
    for (String name : MOVED) {
      JsonValueReader value = fields.nonNull(name);
      if (value != null && to.hasNonNull(name)) {
        value.addError("is also in the task or batch that it submits: keep one of them");
      } else if (value != null) {
        to.set(name, schedule.get(name));
        moved.add(name);
      }
    }
    return moved;
  }

  /** Later firings would come too late for them. */
  private void rejectTimes(JsonValueReader given, ObjectNode submission) {
    JsonNode tasks = submission.get("tasks");
    String list = given.json().isArray() ? given.path() : given.path() + ".tasks";
    List<JsonNode> all = new ArrayList<>();
    if (tasks instanceof ArrayNode array) {
      array.forEach(all::add);
    }
    for (int i = 0; i < all.size() && !errors.isFull(); i++) {
      rejectTimes("%s[%d]".formatted(list, i), all.get(i));
    }
    if (tasks == null) {
      rejectTimes(given.path(), submission);
    }
  }

  private void rejectTimes(String path, JsonNode task) {
    if (task.hasNonNull("run_at")) {
      errors.add(path + ".run_at", "the schedule says when its tasks run: leave it out");
    }
    if (task.hasNonNull("deadline")) {
      errors.add(
          path + ".deadline",
          "would have passed at later firings: use the expiry of the retry policy");
    }
  }

  private @Nullable Batch read(JsonValueReader given, ObjectNode submission, List<String> moved) {
    SubmissionReader reader = submissionReader.get();
    try {
      Batch batch = reader.read(submission, TraceHeaders.NONE, engine::dependencyProblems);
      reader
          .storedDependency()
          .ifPresent(
              field ->
                  errors.add(
                      locate(
                          given,
                          moved,
                          new FieldError(
                              field,
                              "a task of a schedule can only depend on tasks of the same"
                                  + " firing"))));
      return batch;
    } catch (InvalidPolicyException e) {
      e.errors().forEach(error -> errors.add(locate(given, moved, error)));
      return null;
    }
  }

  /** The error with the path of the field that the caller has sent. */
  private static FieldError locate(JsonValueReader given, List<String> moved, FieldError error) {
    if (isWithin(moved, error)) {
      return error;
    }
    boolean inArray = given.json().isArray() && error.path().startsWith("tasks");
    FieldError inside =
        inArray ? new FieldError(error.path().substring("tasks".length()), error.message()) : error;
    return inside.under(given.path());
  }

  private static boolean isWithin(List<String> fields, FieldError error) {
    return fields.stream()
        .anyMatch(
            name ->
                error.path().equals(name)
                    || error.path().startsWith(name + ".")
                    || error.path().startsWith(name + "["));
  }
}
