// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.UnknownDependencyException;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Role;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Submits and lists tasks, and cancels, pauses, resumes, retries and resolves them. */
final class TaskRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(TaskRoutes.class);

  private static final String BATCH_HEADER = "X-Batch-ID";

  private final Engine engine;
  private final ApiLimits limits;
  private final ActionsReader actions;
  private final InstantSource clock;
  private final TaskListResponder taskList;

  TaskRoutes(Engine engine, ApiLimits limits, ActionsReader actions, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
    this.limits = limits;
    this.actions = actions;
    this.taskList = new TaskListResponder(engine.tasks());
  }

  /** Stores all tasks or none. They are durable when the response is sent. */
  Response submit(Request request) {
    JsonNode body = request.json();
    if (body.isArray() && body.isEmpty()) {
      return Response.noContent();
    }
    SubmissionKey key = IdempotencyHeader.read(request, body);
    SubmissionReader reader = reader(clock.instant());
    Batch batch;
    try {
      batch = read(reader, request, body);
    } catch (InvalidPolicyException invalid) {
      if (key == null || !engine.isSubmitted(key)) {
        throw invalid;
      }
      // A policy must not have expired already, unless this repeats an earlier submission.
      reader = reader(clock.instant().minus(Submission.KEY_RETENTION));
      batch = read(reader, request, body);
    }
    reader.storedDependency().ifPresent(field -> requireRead(request, field, "a stored task"));
    reader
        .keyedDependency()
        .ifPresent(field -> requireRead(request, field, "a task with a dedupe key"));
    SubmissionJson json = new SubmissionJson(engine.tasks(), request.caller().may(Role.READ));
    try {
      return key == null
          ? submissionResponse(engine.submit(batch), json)
          : keyedSubmissionResponse(engine.submit(batch, key), json);
    } catch (UnknownDependencyException unknown) {
      throw HttpProblemException.invalid(reader.unknownDependencies(unknown.tasks()));
    }
  }

  /** A task can send the results of the tasks that it depends on to any URL. */
  private static void requireRead(Request request, String field, String what) {
    if (!request.caller().may(Role.READ)) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "%s: to depend on %s, the key needs the role %s, which the key %s does not have"
              .formatted(
                  field, what, Role.READ.text(), FieldError.sanitize(request.caller().name())));
    }
  }

  private Batch read(SubmissionReader reader, Request request, JsonNode body) {
    return reader.read(body, TraceHeaders.of(request), engine::dependencyProblems);
  }

  private SubmissionReader reader(Instant earliestExpiry) {
    return SubmissionReader.create(limits, earliestExpiry, actions);
  }

  /** The tasks are stored, so an error now would make the caller submit them twice. */
  private static Response submissionResponse(SubmissionReceipt receipt, SubmissionJson json) {
    return Response.json(status(receipt), rowsOrIds(receipt, json))
        .withHeader(BATCH_HEADER, receipt.batch().toString());
  }

  private static int status(SubmissionReceipt receipt) {
    return receipt.stored() > 0 ? HttpStatus.CREATED : HttpStatus.OK;
  }

  private static ArrayNode rowsOrIds(SubmissionReceipt receipt, SubmissionJson json) {
    try {
      return json.rows(receipt);
    } catch (RuntimeException unreadable) {
      LOG.warn("the tasks of batch {} are stored but cannot be read", receipt.batch(), unreadable);
      ArrayNode ids = JsonNodeFactory.instance.arrayNode();
      receipt.ids().forEach(id -> ids.add(AuditedCommands.idOnly(id)));
      return ids;
    }
  }

  /** When the tasks cannot be read, the caller repeats the request with the same key. */
  private static Response keyedSubmissionResponse(SubmissionReceipt receipt, SubmissionJson json) {
    Response response =
        Response.json(status(receipt), json.rows(receipt))
            .withHeader(BATCH_HEADER, receipt.batch().toString());
    return receipt.status() == SubmissionReceipt.SubmissionStatus.STORED
        ? response
        : response.withHeader(IdempotencyHeader.REPLAYED_NAME, "true");
  }

  Response list(Request request) {
    TaskQuery query = TaskQuery.of(request.query(), limits);
    AllowedActions allowed = new AllowedActions(request.caller(), engine.now());
    return taskList.respond(
        request,
        query.filter(),
        query.page(),
        task -> {
          ObjectNode row = TaskJson.row(task);
          row.set("allowed", allowed.of(task));
          return row;
        });
  }

  /** Cancels a task. Canceling it again succeeds. */
  Response cancel(Request request) {
    return applyAndRespond(request, "cancel", engine::cancel);
  }

  Response pause(Request request) {
    return applyAndRespond(request, "pause", engine::pause);
  }

  Response resume(Request request) {
    return applyAndRespond(request, "resume", engine::resume);
  }

  private Response applyAndRespond(Request request, String action, Consumer<UUID> change) {
    UUID id = id(request);
    return applyAndRespond(request, AuditEntry.of(action, id.toString()), id, change);
  }

  private Response applyAndRespond(
      Request request, AuditEntry entry, UUID id, Consumer<UUID> change) {
    AuditedCommands.runAndRecord(
        request,
        entry,
        () -> {
          change.accept(id);
          return id;
        });
    return AuditedCommands.respondWith(id, () -> TaskJson.of(task(id)));
  }

  /**
   * Makes a task that is not claimed yet due now or at {@code at}, or revives a failed or canceled
   * task.
   */
  Response retry(Request request) {
    RetryRequest given = request.hasBody() ? RetryRequest.of(request) : RetryRequest.NOW;
    Task task = task(id(request));
    boolean ended = task.state() == TaskState.FAILURE || task.state() == TaskState.CANCELED;
    if (ended && given.at() != null) {
      throw HttpProblemException.conflict(
          "task %s is %s: it can only be retried at once, so leave out 'at'"
              .formatted(task.id(), task.status()));
    }
    AuditEntry entry = new AuditEntry("retry", task.id().toString(), given.detail());
    return applyAndRespond(request, entry, task.id(), id -> retry(id, ended, given));
  }

  private void retry(UUID id, boolean ended, RetryRequest given) {
    if (given.ignoresDependencies()) {
      engine.reviveIgnoringDependencies(id);
    } else if (ended) {
      engine.revive(id);
    } else if (given.at() == null) {
      engine.retryNow(id);
    } else {
      engine.reschedule(id, given.at());
    }
  }

  /** Marks a failed task as succeeded, so that the tasks that depend on it go on. */
  Response resolve(Request request) {
    UUID id = id(request);
    BodyReader body = BodyReader.of(request);
    JsonValueReader given = body.required("reason");
    String reason = given == null ? null : given.text();
    JsonValueReader result = body.optional("result");
    body.requireValid();
    String text = String.valueOf(reason);
    ObjectNode detail =
        JsonNodeFactory.instance.objectNode().put("reason", AuditedCommands.truncate(text));
    return applyAndRespond(
        request,
        new AuditEntry("resolve", id.toString(), detail),
        id,
        task ->
            body.buildOrReport(
                () -> {
                  engine.resolve(task, result == null ? null : result.json(), text);
                  return task;
                }));
  }

  private Task task(UUID id) {
    return TaskViewRoutes.find(engine, id);
  }

  /** The id in the path. */
  static UUID id(Request request) {
    String text = request.pathVariable("id");
    UUID id = QueryReader.parseUuid(text);
    if (id == null) {
      throw HttpProblemException.notFound(
          "'%s' is not a task id".formatted(FieldError.sanitize(text)));
    }
    return id;
  }
}
