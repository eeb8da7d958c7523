// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskSort;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.policy.json.Fields;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Status;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Submits tasks, shows them, and does what an operator asks of one. */
final class TaskRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(TaskRoutes.class);

  private static final String BATCH = "X-Batch-ID";

  private final Engine engine;
  private final TaskLimits limits;
  private final ActionsForm actions;
  private final Listing listing;

  TaskRoutes(Engine engine, TaskLimits limits, ActionsForm actions) {
    this.engine = engine;
    this.limits = limits;
    this.actions = actions;
    this.listing = new Listing(engine.tasks());
  }

  /** All of them or none; they are safe when this answers. */
  Response submit(Request request) {
    JsonNode body = request.json();
    List<NewTask> tasks = new TaskForm(limits.policies(), limits.tasks(), actions).read(body);
    List<NewTask> traced = TraceHeaders.of(request).given(tasks);
    SubmissionKey key = IdempotencyKey.of(request, body);
    return key == null ? submitted(engine.submit(traced)) : submitted(engine.submit(traced, key));
  }

  /** They are there: whoever were told otherwise now would submit them twice. */
  private Response submitted(List<UUID> ids) {
    try {
      Task first = task(ids.getFirst());
      ArrayNode shown =
          ids.size() == 1
              ? JsonNodeFactory.instance.arrayNode().add(TaskJson.row(first.row()))
              : rows(first.batch());
      return Response.json(Status.CREATED, shown).with(BATCH, first.batch().toString());
    } catch (RuntimeException unreadable) {
      LOG.warn(
          "tasks are submitted but cannot be shown, beginning with {}", ids.getFirst(), unreadable);
      ArrayNode known = JsonNodeFactory.instance.arrayNode();
      ids.forEach(id -> known.add(Deeds.known(id)));
      return Response.json(Status.CREATED, known);
    }
  }

  /** What cannot be shown now may be asked for again under the same key. */
  private Response submitted(Receipt receipt) {
    boolean first = receipt.answer() == Receipt.Answer.STORED;
    Response response =
        Response.json(first ? Status.CREATED : Status.OK, rows(receipt.batch()))
            .with(BATCH, receipt.batch().toString());
    return first ? response : response.with(IdempotencyKey.REPLAYED, "true");
  }

  /** The tasks of a batch as they were submitted, one behind the other. */
  private ArrayNode rows(UUID batch) {
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    TaskFilter together = TaskFilter.all().withBatch(batch);
    String after = null;
    do {
      Page page =
          engine.tasks().list(together, TaskSort.OLDEST, new PageRequest(PageRequest.MOST, after));
      page.tasks().forEach(task -> rows.add(TaskJson.row(task)));
      after = page.next();
    } while (after != null);
    return rows;
  }

  Response list(Request request) {
    TaskQuery query = TaskQuery.of(request.query(), limits);
    return listing.answer(request, query.filter(), query.page(), TaskJson::row);
  }

  Response show(Request request) {
    Task task = task(id(request));
    ObjectNode json = TaskJson.of(task);
    json.set("attempts", TaskJson.attempts(engine.attempts(task.id())));
    return Response.ok(json);
  }

  /** Repeating it is confirmed. */
  Response cancel(Request request) {
    return changed(request, "cancel", engine::cancel);
  }

  Response pause(Request request) {
    return changed(request, "pause", engine::pause);
  }

  Response resume(Request request) {
    return changed(request, "resume", engine::resume);
  }

  private Response changed(Request request, String action, Consumer<UUID> change) {
    UUID id = id(request);
    return changed(request, Deed.of(action, id.toString()), id, change);
  }

  private Response changed(Request request, Deed deed, UUID id, Consumer<UUID> change) {
    Deeds.carryOut(
        request,
        deed,
        () -> {
          change.accept(id);
          return id;
        });
    return Deeds.shown(id, () -> TaskJson.of(task(id)));
  }

  /** A retry that waits is due now or at {@code at}; what has failed or was canceled runs again. */
  Response retry(Request request) {
    Instant at = request.hasBody() ? at(request) : null;
    Task task = task(id(request));
    boolean ended = task.state() == TaskState.FAILURE || task.state() == TaskState.CANCELED;
    if (ended && at != null) {
      throw RefusedException.conflict(
          "task %s is %s: it can run again at once, without 'at'"
              .formatted(task.id(), task.status()));
    }
    ObjectNode detail =
        at == null ? null : JsonNodeFactory.instance.objectNode().put("at", at.toString());
    Deed deed = new Deed("retry", task.id().toString(), detail);
    return changed(request, deed, task.id(), id -> retry(id, ended, at));
  }

  private void retry(UUID id, boolean ended, @Nullable Instant at) {
    if (ended) {
      engine.revive(id);
    } else if (at == null) {
      engine.retryNow(id);
    } else {
      engine.retryAt(id, at);
    }
  }

  private static @Nullable Instant at(Request request) {
    Problems problems = new Problems();
    Fields fields = new Value("", request.json(), problems).fields();
    Value value = fields == null ? null : fields.given("at");
    Instant at = value == null ? null : value.instant();
    if (fields != null) {
      fields.refuseOthers();
    }
    problems.throwIfAny();
    return at;
  }

  private Task task(UUID id) {
    return engine.find(id).orElseThrow(() -> RefusedException.notFound("there is no task " + id));
  }

  /** The id in the path. */
  static UUID id(Request request) {
    String text = request.variable("id");
    UUID id = QueryForm.uuid(text);
    if (id == null) {
      throw RefusedException.notFound(
          "there is no task '%s', which is not an id".formatted(Problem.quotable(text)));
    }
    return id;
  }
}
