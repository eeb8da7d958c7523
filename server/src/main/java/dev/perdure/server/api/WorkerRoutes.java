// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.RemoteWork;
import dev.perdure.engine.StaleAttemptException;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.InstantText;
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
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lets remote workers and callees claim, heartbeat, count and settle attempts. */
final class WorkerRoutes {

  private final Engine engine;
  private final RemoteWork remote;
  private final AttemptCredentials credentials;

  WorkerRoutes(Engine engine, AttemptCredentials credentials) {
    this.engine = engine;
    this.remote = engine.remote();
    this.credentials = credentials;
  }

  /** Claims due tasks. While none is due, it waits as long as the request allows. */
  Response claim(Request request) {
    BodyReader body = BodyReader.of(request);
    Set<String> include = Set.copyOf(included(body));
    RemoteClaim claim = readClaim(body);
    RequestPermit permit = request.permit();
    ClaimResult claimed = permit.releasedWhile(() -> remote.claim(claim, permit::isClientGone));
    try {
      ArrayNode leases = leases(claimed, claim.lease(), include);
      return Response.ok(leases).onClientGone(() -> remote.handBack(claimed.leases()));
    } catch (StoreException unreadable) {
      remote.handBack(claimed.leases());
      throw unreadable;
    }
  }

  private ArrayNode leases(ClaimResult claimed, Duration length, Set<String> include) {
    LeaseGraph graph = new LeaseGraph(engine.batches(), include);
    ArrayNode leases = JsonNodeFactory.instance.arrayNode();
    String until = InstantText.of(claimed.now().plus(length));
    for (Lease lease : claimed.leases()) {
      ObjectNode json = lease(lease.task()).put("lease_until", until);
      leases.add(graph.addTo(json, lease));
    }
    return leases;
  }

  /** The task with the trace context that its worker continues. */
  private ObjectNode lease(Task task) {
    TraceContext trace = remote.traceParent(task);
    return TaskJson.of(task)
        .put("traceparent", trace.traceparent())
        .put("tracestate", trace.state());
  }

  private static List<String> included(BodyReader body) {
    JsonValueReader value = body.optional("include");
    List<JsonValueReader> items = value == null ? null : value.array(LeaseGraph.PARTS.size());
    return items == null
        ? List.of()
        : items.stream()
            .map(item -> item.oneOf("include", LeaseGraph.PARTS))
            .flatMap(Stream::ofNullable)
            .toList();
  }

  private static RemoteClaim readClaim(BodyReader body) {
    JsonValueReader worker = body.required("worker");
    String name = worker == null ? null : worker.text();
    List<String> kinds = kinds(body.required("kinds"));
    int limit = body.integer("limit", 1, 1, RemoteClaim.MAX_TASKS);
    Duration lease = lease(body);
    Duration wait = body.duration("wait", Duration.ZERO, Duration.ZERO, RemoteClaim.MAX_WAIT);
    body.requireValid();
    return body.buildOrReport(
        () -> new RemoteClaim(String.valueOf(name), kinds, limit, lease, wait));
  }

  private static Duration lease(BodyReader body) {
    return body.duration(
        "lease", RemoteClaim.DEFAULT_LEASE, RemoteClaim.MIN_LEASE, RemoteClaim.MAX_LEASE);
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
    Duration lease = lease(body);
    body.requireValid();
    AttemptCredential credential = AttemptCredentials.ofRequest(request, epoch);
    Instant until = body.buildOrReport(() -> remote.heartbeat(id, credential, lease));
    return Response.ok(acknowledgement(id, epoch).put("lease_until", InstantText.of(until)));
  }

  /** Adds to the progress counters. They are durable when the response is sent. */
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
          new AuditEntry("add counters", id.toString(), detail),
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

  /** Settles an attempt, adds to its counters and changes fields of the task. */
  Response patch(Request request) {
    UUID id = TaskRoutes.id(request);
    AttemptCredential handle = credentials.ofHandle(request, id);
    TaskPatch patch = TaskPatch.of(request);
    if (handle != null && patch.priority() != null) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "a handle can settle an attempt, add to its counters and replace the metadata, but not"
              + " change 'priority': leave it out");
    }
    AttemptCredential credential =
        handle == null ? AttemptCredentials.ofRequest(request, patch.epoch()) : handle;
    AuditEntry entry = new AuditEntry("patch", id.toString(), patch.summary());
    try {
      Task settled =
          runAudited(request, credential, entry, () -> settleOrUpdate(id, credential, patch));
      return AuditedCommands.respondWith(
          id, () -> toJson(settled == null ? task(id) : settled, handle));
    } catch (StaleAttemptException late) {
      throw tooLate(id, credential, late);
    }
  }

  /** A handle shows only the status: it is part of a URL, and URLs end up in many logs. */
  private static JsonNode toJson(Task task, @Nullable AttemptCredential handle) {
    return handle == null ? TaskJson.of(task) : TaskJson.statusSummary(task);
  }

  /** Records the action in the audit log when an operator does it; not for workers. */
  private static <T extends @Nullable Object> T runAudited(
      Request request, AttemptCredential credential, AuditEntry entry, Supplier<T> action) {
    return credential instanceof AttemptCredential.OperatorCredential
        ? AuditedCommands.runAndRecord(request, entry, action)
        : action.get();
  }

  private Task task(UUID id) {
    return engine.find(id).orElseThrow(() -> new NoSuchElementException("there is no task " + id));
  }

  /**
   * A callee may report while no node holds its attempt, because the node that called it died or
   * stopped. Its handle is not stale: {@code on_start} will be sent again with the same handle. So
   * the callee is asked to repeat the report instead of being refused.
   */
  private RuntimeException tooLate(
      UUID id, AttemptCredential credential, StaleAttemptException late) {
    boolean sameAttempt =
        credential instanceof AttemptCredential.HandleCredential handle
            && engine
                .find(id)
                .filter(task -> task.state().isLive() && handle.isSameAttempt(task))
                .isPresent();
    return sameAttempt
        ? HttpProblemException.unavailable(
            "the attempt is moving to another node: send this request again")
        : late;
  }

  /** The settled task; null when the patch does not settle the attempt. */
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

  /** Checked before the update, so that a refused settlement does not leave half a patch. */
  private static boolean canSettle(Task task, AttemptCredential credential, CounterDelta delta) {
    return credential.matches(task) && delta.fitsOn(task.progress());
  }

  /**
   * Ignores a stale credential: the request may repeat a settlement whose response was lost, and
   * settling recognizes that.
   */
  private void updateIfStillHeld(UUID id, AttemptCredential credential, TaskPatch patch) {
    try {
      update(id, credential, patch);
    } catch (StaleAttemptException late) {
      // Settling checks the credential again.
    }
  }

  /** Reports a store error as an unknown outcome: part of the patch is already written. */
  private static <T> T afterPartialWrite(Supplier<T> rest) {
    try {
      return rest.get();
    } catch (StoreException e) {
      throw new StoreException(
          "only a part of the patch is written", e, StoreException.ErrorKind.UNKNOWN);
    }
  }

  private void applyWithoutSettling(UUID id, AttemptCredential credential, TaskPatch patch) {
    boolean addsProgress =
        patch.addsToCounters() || !(credential instanceof AttemptCredential.OperatorCredential);
    if (addsProgress) {
      remote.addProgress(id, credential, patch.newSuccess(), patch.newFailures());
    }
    if (patch.updatesTask() && addsProgress) {
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
