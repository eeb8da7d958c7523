// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.RemoteWork;
import dev.perdure.engine.StaleAttemptException;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
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

  WorkerRoutes(Engine engine, AttemptCredentials credentials) {
    this.engine = engine;
    this.remote = engine.remote();
    this.credentials = credentials;
  }

  /** Leases on what is due; while there is nothing it waits as long as it was asked to. */
  Response claim(Request request) {
    RemoteClaim asked = readClaim(request);
    RequestPermit permit = request.permit();
    ClaimResult claimed = permit.releasedWhile(() -> remote.claim(asked, permit::isClientGone));
    ArrayNode leases = JsonNodeFactory.instance.arrayNode();
    String until = claimed.now().plus(asked.lease()).toString();
    claimed.leases().forEach(lease -> leases.add(lease(lease.task()).put("lease_until", until)));
    return Response.ok(leases).onClientGone(() -> remote.handBack(claimed.leases()));
  }

  /** The task, and what its worker continues. */
  private ObjectNode lease(Task task) {
    TraceContext trace = remote.traceParent(task);
    return TaskJson.of(task)
        .put("traceparent", trace.traceparent())
        .put("tracestate", trace.state());
  }

  private static RemoteClaim readClaim(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader worker = body.required("worker");
    String name = worker == null ? null : worker.text();
    List<String> kinds = kinds(body.required("kinds"));
    int limit = body.integer("limit", 1, 1, RemoteClaim.MAX_TASKS);
    Duration lease = body.duration("lease", RemoteClaim.DEFAULT_LEASE);
    Duration patience = body.durationOrZero("wait");
    body.requireValid();
    return body.buildOrReport(
        () -> new RemoteClaim(String.valueOf(name), kinds, limit, lease, patience));
  }

  private static List<String> kinds(@Nullable JsonValueReader value) {
    List<JsonValueReader> items = value == null ? null : value.array(RemoteClaim.MAX_KINDS);
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
    BodyReader body = BodyReader.of(request);
    body.required("epoch");
    Long epoch = TaskPatch.epoch(body);
    Duration lease = body.duration("lease", RemoteClaim.DEFAULT_LEASE);
    body.requireValid();
    AttemptCredential credential = AttemptCredentials.ofRequest(request, epoch);
    Instant until = body.buildOrReport(() -> remote.heartbeat(id, credential, lease));
    return Response.ok(acknowledgement(id, epoch).put("lease_until", until.toString()));
  }

  /** Adds to counters; durable when it answers. */
  Response addCounters(Request request) {
    UUID id = TaskRoutes.id(request);
    AttemptCredential handle = credentials.ofHandle(request, id);
    BodyReader body = BodyReader.of(request);
    Long epoch = TaskPatch.epoch(body);
    long success = body.integer("new_success", 0L, 0);
    long failures = body.integer("new_failures", 0L, 0);
    body.requireValid();
    AttemptCredential credential =
        handle == null ? AttemptCredentials.ofRequest(request, epoch) : handle;
    ObjectNode detail =
        JsonNodeFactory.instance
            .objectNode()
            .put("new_success", success)
            .put("new_failures", failures);
    try {
      runAudited(
          request,
          credential,
          new AuditEntry("count", id.toString(), detail),
          () -> {
            remote.addProgress(id, credential, success, failures);
            return id;
          });
    } catch (StaleAttemptException late) {
      throw tooLate(id, credential, late);
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
    TaskPatch patch = TaskPatch.of(request);
    if (handle != null && patch.updatesOperatorFields()) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "a handle is for ends and counters: leave out priority and metadata");
    }
    AttemptCredential credential =
        handle == null ? AttemptCredentials.ofRequest(request, patch.epoch()) : handle;
    AuditEntry entry = new AuditEntry("patch", id.toString(), patch.summary());
    try {
      Task settled =
          runAudited(request, credential, entry, () -> settleOrUpdate(id, credential, patch));
      return AuditedActions.respondWith(
          id, () -> toJson(settled == null ? task(id) : settled, handle));
    } catch (StaleAttemptException late) {
      throw tooLate(id, credential, late);
    }
  }

  /** Handles stand in addresses, which are kept in many places: they open as little as they can. */
  private static JsonNode toJson(Task task, @Nullable AttemptCredential handle) {
    return handle == null ? TaskJson.of(task) : TaskJson.statusSummary(task);
  }

  /** What operators do is written down; what workers do is their work. */
  private static <T extends @Nullable Object> T runAudited(
      Request request, AttemptCredential credential, AuditEntry entry, Supplier<T> act) {
    return credential instanceof AttemptCredential.OperatorCredential
        ? AuditedActions.runAndRecord(request, entry, act)
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
      UUID id, AttemptCredential credential, StaleAttemptException late) {
    boolean goesOn =
        credential instanceof AttemptCredential.HandleCredential handle
            && engine
                .find(id)
                .filter(task -> task.state().isLive() && handle.isSameAttempt(task))
                .isPresent();
    return goesOn
        ? HttpProblemException.unavailable("the attempt changes hands just now: say it again")
        : late;
  }

  /** Null when it was not settled but only changed. */
  private @Nullable Task settleOrUpdate(UUID id, AttemptCredential credential, TaskPatch patch) {
    Outcome outcome = patch.outcome();
    if (outcome == null) {
      applyWithoutSettling(id, credential, patch);
      return null;
    }
    CounterDelta delta = new CounterDelta(patch.newSuccess(), patch.newFailures());
    if (patch.updatesTask() && canSettle(task(id), credential, delta)) {
      updateIfStillHeld(id, credential, patch);
    }
    return remote.settle(id, credential, outcome, delta);
  }

  /** What will be refused whole must not be done by half. */
  private static boolean canSettle(Task task, AttemptCredential credential, CounterDelta delta) {
    return credential.matches(task) && delta.fitsOn(task.progress());
  }

  /**
   * Who comes too late perhaps says again what was done before its answer was lost. That is for
   * settling to tell.
   */
  private void updateIfStillHeld(UUID id, AttemptCredential credential, TaskPatch patch) {
    try {
      update(id, credential, patch);
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

  private void applyWithoutSettling(UUID id, AttemptCredential credential, TaskPatch patch) {
    boolean adds =
        patch.addsToCounters() || !(credential instanceof AttemptCredential.OperatorCredential);
    if (adds) {
      remote.addProgress(id, credential, patch.newSuccess(), patch.newFailures());
    }
    if (patch.updatesTask() && adds) {
      afterPartialWrite(() -> update(id, credential, patch));
    } else if (patch.updatesTask()) {
      update(id, credential, patch);
    }
  }

  private UUID update(UUID id, AttemptCredential credential, TaskPatch patch) {
    remote.update(id, credential, patch.priority(), patch.expectedCount(), patch.metadata());
    return id;
  }
}
