// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.RemoteWork;
import dev.perdure.engine.Right;
import dev.perdure.engine.TooLateException;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Tally;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.Place;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Status;
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
final class WorkRoutes {

  private final Engine engine;
  private final RemoteWork remote;
  private final Rights rights;

  WorkRoutes(Engine engine, Rights rights) {
    this.engine = engine;
    this.remote = engine.remote();
    this.rights = rights;
  }

  /** Leases on what is due; while there is nothing it waits as long as it was asked to. */
  Response claim(Request request) {
    RemoteClaim asked = asked(request);
    Place place = request.place();
    Claimed claimed = place.leftFor(() -> remote.claim(asked, place::isDeserted));
    ArrayNode leases = JsonNodeFactory.instance.arrayNode();
    String until = claimed.now().plus(asked.lease()).toString();
    claimed.leases().forEach(lease -> leases.add(lease(lease.task()).put("lease_until", until)));
    return Response.ok(leases).ifLost(() -> remote.handBack(claimed.leases()));
  }

  /** The task, and what its worker continues. */
  private ObjectNode lease(Task task) {
    TraceContext trace = remote.traceParent(task);
    return TaskJson.of(task).put("traceparent", trace.header()).put("tracestate", trace.state());
  }

  private static RemoteClaim asked(Request request) {
    Form form = Form.of(request);
    Value worker = form.required("worker");
    String name = worker == null ? null : worker.text();
    List<String> kinds = kinds(form.required("kinds"));
    int limit = form.whole("limit", 1, 1, RemoteClaim.MOST_TASKS);
    Duration lease = form.length("lease", RemoteClaim.USUAL_LEASE);
    Duration patience = form.lengthOrNone("wait");
    form.requireRight();
    return form.checked(() -> new RemoteClaim(String.valueOf(name), kinds, limit, lease, patience));
  }

  private static List<String> kinds(@Nullable Value value) {
    List<Value> items = value == null ? null : value.items(RemoteClaim.MOST_KINDS);
    List<String> kinds = new ArrayList<>();
    for (Value item : items == null ? List.<Value>of() : items) {
      String kind = item.text();
      if (kind != null) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  Response heartbeat(Request request) {
    UUID id = TaskRoutes.id(request);
    Form form = Form.of(request);
    form.required("epoch");
    Long epoch = Patch.epoch(form);
    Duration lease = form.length("lease", RemoteClaim.USUAL_LEASE);
    form.requireRight();
    Right right = Rights.of(request, epoch);
    Instant until = form.checked(() -> remote.heartbeat(id, right, lease));
    return Response.ok(said(id, epoch).put("lease_until", until.toString()));
  }

  /** Adds to counters; durable when it answers. */
  Response count(Request request) {
    UUID id = TaskRoutes.id(request);
    Right handle = rights.ofHandle(request, id);
    Form form = Form.of(request);
    Long epoch = Patch.epoch(form);
    long success = form.whole("new_success", 0L, 0);
    long failures = form.whole("new_failures", 0L, 0);
    form.requireRight();
    Right right = handle == null ? Rights.of(request, epoch) : handle;
    ObjectNode detail =
        JsonNodeFactory.instance
            .objectNode()
            .put("new_success", success)
            .put("new_failures", failures);
    try {
      carryOut(
          request,
          right,
          new Deed("count", id.toString(), detail),
          () -> {
            remote.add(id, right, success, failures);
            return id;
          });
    } catch (TooLateException late) {
      throw tooLate(id, right, late);
    }
    return Response.json(Status.ACCEPTED, said(id, epoch));
  }

  private static ObjectNode said(UUID id, @Nullable Long epoch) {
    return JsonNodeFactory.instance.objectNode().put("id", id.toString()).put("epoch", epoch);
  }

  /** Settles an attempt, counts, and changes what is said of the task. */
  Response patch(Request request) {
    UUID id = TaskRoutes.id(request);
    Right handle = rights.ofHandle(request, id);
    Patch patch = Patch.of(request);
    if (handle != null && patch.steers()) {
      throw RefusedException.of(
          Status.FORBIDDEN, "a handle is for ends and counters: leave out priority and metadata");
    }
    Right right = handle == null ? Rights.of(request, patch.epoch()) : handle;
    Deed deed = new Deed("patch", id.toString(), patch.summary());
    try {
      Task settled = carryOut(request, right, deed, () -> settled(id, right, patch));
      return Deeds.shown(id, () -> shown(settled == null ? task(id) : settled, handle));
    } catch (TooLateException late) {
      throw tooLate(id, right, late);
    }
  }

  /** Handles stand in addresses, which are kept in many places: they open as little as they can. */
  private static JsonNode shown(Task task, @Nullable Right handle) {
    return handle == null ? TaskJson.of(task) : TaskJson.standing(task);
  }

  /** What operators do is written down; what workers do is their work. */
  private static <T extends @Nullable Object> T carryOut(
      Request request, Right right, Deed deed, Supplier<T> act) {
    return right instanceof Right.OfOperator ? Deeds.carryOut(request, deed, act) : act.get();
  }

  private Task task(UUID id) {
    return engine.find(id).orElseThrow(() -> new NoSuchElementException("there is no task " + id));
  }

  /**
   * A callee may speak while its attempt is in nobody's hands, since the server that called it died
   * or stopped. What it says is not stale: in a moment the start is sent again, with its handle.
   */
  private RuntimeException tooLate(UUID id, Right right, TooLateException late) {
    boolean goesOn =
        right instanceof Right.OfHandle handle
            && engine
                .find(id)
                .filter(task -> task.state().isLive() && handle.isOf(task))
                .isPresent();
    return goesOn
        ? RefusedException.unavailable("the attempt changes hands just now: say it again")
        : late;
  }

  /** Null when it was not settled but only changed. */
  private @Nullable Task settled(UUID id, Right right, Patch patch) {
    Outcome outcome = patch.outcome();
    if (outcome == null) {
      change(id, right, patch);
      return null;
    }
    Tally tally = new Tally(patch.success(), patch.failures());
    if (patch.revises() && canEnd(task(id), right, tally)) {
      reviseInTime(id, right, patch);
    }
    return remote.settle(id, right, outcome, tally);
  }

  /** What will be refused whole must not be done by half. */
  private static boolean canEnd(Task task, Right right, Tally tally) {
    return right.covers(task) && tally.fitsOn(task.progress());
  }

  /**
   * Who comes too late perhaps says again what was done before its answer was lost. That is for
   * settling to tell.
   */
  private void reviseInTime(UUID id, Right right, Patch patch) {
    try {
      revised(id, right, patch);
    } catch (TooLateException late) {
      // Settling looks again.
    }
  }

  /** A part is written: who were told that nothing is would write that part twice. */
  private static <T> T afterPart(Supplier<T> rest) {
    try {
      return rest.get();
    } catch (StoreException trouble) {
      throw new StoreException("only a part is written", trouble, StoreException.Sort.UNKNOWN);
    }
  }

  private void change(UUID id, Right right, Patch patch) {
    boolean adds = patch.counts() || !(right instanceof Right.OfOperator);
    if (adds) {
      remote.add(id, right, patch.success(), patch.failures());
    }
    if (patch.revises() && adds) {
      afterPart(() -> revised(id, right, patch));
    } else if (patch.revises()) {
      revised(id, right, patch);
    }
  }

  private UUID revised(UUID id, Right right, Patch patch) {
    remote.revise(id, right, patch.priority(), patch.expected(), patch.metadata());
    return id;
  }
}
