// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.RemoteWork;
import dev.perdure.engine.StaleAttemptException;
import dev.perdure.engine.spi.ClaimResult;
import dev.perdure.engine.spi.StoreException;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.RequestPermit;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lets work be done elsewhere: claimed, kept alive and settled over HTTP. */
final class WorkerRoutes {

  private final Engine engine;
  private final RemoteWork remote;
  private final AttemptCredentials credentials;

  WorkerRoutes(Engine engine, AttemptCredentials attemptCredentials) {
    this.engine = engine;
    this.remote = engine.remote();
    this.credentials = attemptCredentials;
  }

  /** Leases on what is due; while there is nothing it waits as long as it was asked to. */
  Response claim(Request request) {
    RemoteClaim asked = readClaim(request);
    RequestPermit requestPermit = request.permit();
    ClaimResult claimResult =
        requestPermit.releasedWhile(() -> remote.claim(asked, requestPermit::isClientGone));
    ArrayNode leases = JsonNodeFactory.instance.arrayNode();
    String until = claimResult.now().plus(asked.lease()).toString();
    claimResult
        .leases()
        .forEach(lease -> leases.add(lease(lease.task()).put("lease_until", until)));
    return Response.ok(leases).onClientGone(() -> remote.handBack(claimResult.leases()));
  }

  /** The task, and what its worker continues. */
  private ObjectNode lease(Task task) {
    TraceContext trace = remote.traceParent(task);
    return TaskJson.of(task)
        .put("traceparent", trace.traceparent())
        .put("tracestate", trace.state());
  }

  private static RemoteClaim readClaim(Request request) {
    BodyReader bodyReader = BodyReader.of(request);
    JsonValueReader worker = bodyReader.required("worker");
    String name = worker == null ? null : worker.text();
    List<String> kinds = kinds(bodyReader.required("kinds"));
    int limit = bodyReader.integer("limit", 1, 1, RemoteClaim.MAX_TASKS);
    Duration lease = bodyReader.duration("lease", RemoteClaim.DEFAULT_LEASE);
    Duration patience = bodyReader.durationOrZero("wait");
    bodyReader.requireValid();
    return bodyReader.buildOrReport(
        () -> new RemoteClaim(String.valueOf(name), kinds, limit, lease, patience));
  }

  private static List<String> kinds(@Nullable JsonValueReader jsonValueReader) {
    List<JsonValueReader> items =
        jsonValueReader == null ? null : jsonValueReader.array(RemoteClaim.MAX_KINDS);
    List<String> kinds = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      String kind = item.text();
      if (kind != null) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  Response heartbeat(Request request) {
    UUID id = TaskRoutes.id(request);
    BodyReader bodyReader = BodyReader.of(request);
    bodyReader.required("epoch");
    Long epoch = TaskPatch.epoch(bodyReader);
    Duration lease = bodyReader.duration("lease", RemoteClaim.DEFAULT_LEASE);
    bodyReader.requireValid();
    AttemptCredential attemptCredential = AttemptCredentials.ofRequest(request, epoch);
    Instant until = bodyReader.buildOrReport(() -> remote.heartbeat(id, attemptCredential, lease));
    return Response.ok(acknowledgement(id, epoch).put("lease_until", until.toString()));
  }

  /** Adds to counters; durable when it answers. */
  Response addCounters(Request request) {
    UUID id = TaskRoutes.id(request);
    AttemptCredential handle = credentials.ofHandle(request, id);
    BodyReader bodyReader = BodyReader.of(request);
    Long epoch = TaskPatch.epoch(bodyReader);
    long success = bodyReader.integer("new_success", 0L, 0);
    long failures = bodyReader.integer("new_failures", 0L, 0);
    bodyReader.requireValid();
    AttemptCredential attemptCredential =
        handle == null ? AttemptCredentials.ofRequest(request, epoch) : handle;
    ObjectNode detail =
        JsonNodeFactory.instance
            .objectNode()
            .put("new_success", success)
            .put("new_failures", failures);
    try {
      runAudited(
          request,
          attemptCredential,
          new AuditEntry("add counters", id.toString(), detail),
          () -> {
            remote.addProgress(id, attemptCredential, success, failures);
            return id;
          });
    } catch (StaleAttemptException late) {
      throw tooLate(id, attemptCredential, late);
    }
    return Response.json(HttpStatus.ACCEPTED, acknowledgement(id, epoch));
  }

  private static ObjectNode acknowledgement(UUID id, @Nullable Long epoch) {
    return JsonNodeFactory.instance.objectNode().put("id", id.toString()).put("epoch", epoch);
  }

  /** Settles an attempt, counts, and changes what is said of the task. */
  Response patch(Request request) {
    UUID id = TaskRoutes.id(request);
    AttemptCredential handle = credentials.ofHandle(request, id);
    TaskPatch taskPatch = TaskPatch.of(request);
    if (handle != null && taskPatch.updatesOperatorFields()) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "a handle is for ends and counters: leave out priority and metadata");
    }
    AttemptCredential attemptCredential =
        handle == null ? AttemptCredentials.ofRequest(request, taskPatch.epoch()) : handle;
    AuditEntry auditEntry = new AuditEntry("patch", id.toString(), taskPatch.summary());
    try {
      Task settled =
          runAudited(
              request,
              attemptCredential,
              auditEntry,
              () -> settleOrUpdate(id, attemptCredential, taskPatch));
      return AuditedActions.respondWith(
          id, () -> toJson(settled == null ? task(id) : settled, handle));
    } catch (StaleAttemptException late) {
      throw tooLate(id, attemptCredential, late);
    }
  }

  /** Handles stand in addresses, which are kept in many places: they open as little as they can. */
  private static JsonNode toJson(Task task, @Nullable AttemptCredential handle) {
    return handle == null ? TaskJson.of(task) : TaskJson.statusSummary(task);
  }

  /** What operators do is written down; what workers do is their work. */
  private static <T extends @Nullable Object> T runAudited(
      Request request,
      AttemptCredential attemptCredential,
      AuditEntry auditEntry,
      Supplier<T> act) {
    return attemptCredential instanceof AttemptCredential.OperatorCredential
        ? AuditedActions.runAndRecord(request, auditEntry, act)
        : act.get();
  }

  private Task task(UUID id) {
    return engine.find(id).orElseThrow(() -> new NoSuchElementException("there is no task " + id));
  }

  /**
   * A callee may speak while its attempt is in nobody's hands, since the server that called it died
   * or stopped. What it says is not stale: in a moment the start is sent again, with its handle.
   */
  private RuntimeException tooLate(
      UUID id, AttemptCredential attemptCredential, StaleAttemptException late) {
    boolean goesOn =
        attemptCredential instanceof AttemptCredential.HandleCredential handle
            && engine
                .find(id)
                .filter(task -> task.state().isLive() && handle.isSameAttempt(task))
                .isPresent();
    return goesOn
        ? HttpProblemException.unavailable("the attempt changes hands just now: say it again")
        : late;
  }

  /** Null when it was not settled but only changed. */
  private @Nullable Task settleOrUpdate(
      UUID id, AttemptCredential attemptCredential, TaskPatch taskPatch) {
    Outcome outcome = taskPatch.outcome();
    if (outcome == null) {
      applyWithoutSettling(id, attemptCredential, taskPatch);
      return null;
    }
    CounterDelta counterDelta = new CounterDelta(taskPatch.newSuccess(), taskPatch.newFailures());
    if (taskPatch.updatesTask() && canSettle(task(id), attemptCredential, counterDelta)) {
      updateIfStillHeld(id, attemptCredential, taskPatch);
    }
    return remote.settle(id, attemptCredential, outcome, counterDelta);
  }

  /** What will be refused whole must not be done by half. */
  private static boolean canSettle(
      Task task, AttemptCredential attemptCredential, CounterDelta counterDelta) {
    return attemptCredential.matches(task) && counterDelta.fitsOn(task.progress());
  }

  /**
   * Who comes too late perhaps says again what was done before its answer was lost. That is for
   * settling to tell.
   */
  private void updateIfStillHeld(
      UUID id, AttemptCredential attemptCredential, TaskPatch taskPatch) {
    try {
      update(id, attemptCredential, taskPatch);
    } catch (StaleAttemptException late) {
      // Settling looks again.
    }
  }

  /** A part is written: who were told that nothing is would write that part twice. */
  private static <T> T afterPartialWrite(Supplier<T> rest) {
    try {
      return rest.get();
    } catch (StoreException trouble) {
      throw new StoreException("only a part is written", trouble, StoreException.ErrorKind.UNKNOWN);
    }
  }

  private void applyWithoutSettling(
      UUID id, AttemptCredential attemptCredential, TaskPatch taskPatch) {
    boolean adds =
        taskPatch.addsToCounters()
            || !(attemptCredential instanceof AttemptCredential.OperatorCredential);
    if (adds) {
      remote.addProgress(id, attemptCredential, taskPatch.newSuccess(), taskPatch.newFailures());
    }
    if (taskPatch.updatesTask() && adds) {
      afterPartialWrite(() -> update(id, attemptCredential, taskPatch));
    } else if (taskPatch.updatesTask()) {
      update(id, attemptCredential, taskPatch);
    }
  }

  private UUID update(UUID id, AttemptCredential attemptCredential, TaskPatch taskPatch) {
    remote.update(
        id,
        attemptCredential,
        taskPatch.priority(),
        taskPatch.expectedCount(),
        taskPatch.metadata());
    return id;
  }
}
