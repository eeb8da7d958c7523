// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BatchStopResult;
import dev.perdure.engine.BulkCommand;
import dev.perdure.engine.BusyException;
import dev.perdure.engine.Engine;
import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchPage;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Shows and lists batches, stops them, and retries their failed tasks. */
final class BatchRoutes {

  /** Small, because each task is read with its payload, which may have megabytes. */
  private static final int RETRY_PAGE_SIZE = 50;

  private final Engine engine;
  private final ApiLimits limits;

  BatchRoutes(Engine engine, ApiLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  Response list(Request request) {
    BatchQuery query = BatchQuery.of(request.query(), limits);
    TaskCount total = engine.batches().count(query.filter(), PageQuery.MAX_COUNTED);
    Response response =
        PageResponder.respond(
            request,
            query.page(),
            page -> page(query.filter(), page),
            total.tasks(),
            BatchJson::row);
    return total.exact() ? response : response.withHeader("X-Total-Exact", "false");
  }

  private PageResponder.Page<BatchSummary> page(BatchFilter filter, PageRequest page) {
    BatchPage found = engine.batches().list(filter, page);
    PageResponder.ScanStop stop =
        found.lookedAt() == null || found.reached() == null
            ? null
            : new PageResponder.ScanStop(found.lookedAt(), found.reached());
    return new PageResponder.Page<>(found.batches(), found.nextCursor(), stop);
  }

  Response show(Request request) {
    BatchSummary batch = summary(id(request));
    return Response.ok(BatchJson.of(batch, earliestFailure(batch)));
  }

  private BatchSummary summary(UUID id) {
    return engine.batches().find(id).orElseThrow(() -> unknown(id));
  }

  static HttpProblemException unknown(UUID id) {
    return HttpProblemException.notFound("there is no batch " + id);
  }

  private @Nullable String earliestFailure(BatchSummary batch) {
    if (!batch.runs().isEmpty() || batch.count(DisplayStatus.FAILURE) == 0) {
      return null;
    }
    return engine
        .batches()
        .firstFailed(batch.id(), batch.run())
        .flatMap(engine::find)
        .map(task -> task.row().failure())
        .map(failure -> failure.reason() == null ? failure.kind() : failure.reason())
        .orElse(null);
  }

  private static TaskFilter failedIn(BatchSummary batch) {
    return TaskFilter.all()
        .withBatch(batch.id())
        .withRun(batch.run())
        .withStatuses(EnumSet.of(DisplayStatus.FAILURE));
  }

  private static boolean failedByItself(TaskRow task) {
    return task.failure().giveUpReason() != TaskGiveUpReason.UPSTREAM_FAILED;
  }

  /** Cancels all live tasks of a batch. Stopping it again succeeds. */
  Response stop(Request request) {
    UUID id = id(request);
    BatchStopResult stopped =
        runAndRecord(
            request, AuditEntry.of("stop batch", id.toString()), () -> engine.stopBatch(id));
    return Response.ok(BatchJson.of(id, stopped));
  }

  /**
   * Runs the failed tasks of a batch again that failed by themselves; the others follow. Or runs
   * the whole batch again, as a new run.
   */
  Response retry(Request request) {
    UUID id = id(request);
    RetryRequest wanted = request.hasBody() ? RetryRequest.of(request) : RetryRequest.FAILED;
    boolean newRun = wanted.newRun();
    BatchSummary batch = summary(id);
    int run = wanted.expectedRun() == null ? batch.run() : wanted.expectedRun();
    boolean repeated = newRun && batch.run() == run + 1;
    if (!repeated) {
      requireEnded(batch, run);
    }
    AuditEntry entry = AuditEntry.of(newRun ? "run batch again" : "retry batch", id.toString());
    long revived =
        runAndRecord(
            request,
            entry,
            () -> {
              if (newRun) {
                runAgain(id, run);
                return 0L;
              }
              return reviveFailed(batch);
            });
    return Response.ok(
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", id.toString())
            .put("run", run + (newRun ? 1 : 0))
            .put("revived", revived)
            .put("failed", batch.count(DisplayStatus.FAILURE))
            .put("next_run_at", InstantText.of(newRun ? nextRunAt(id) : null)));
  }

  private static void requireEnded(BatchSummary batch, int run) {
    if (batch.run() != run) {
      throw HttpProblemException.conflict(
          "expected_run: batch %s is at run %d, not at run %d"
              .formatted(batch.id(), batch.run(), run));
    }
    if (batch.endedAt() == null) {
      throw HttpProblemException.conflict(
          "batch %s has tasks that have not ended: wait for them, or stop the batch"
              .formatted(batch.id()));
    }
  }

  private void runAgain(UUID id, int run) {
    try {
      engine.runBatchAgain(id, run);
    } catch (IllegalStateException live) {
      throw HttpProblemException.conflict(String.valueOf(live.getMessage()));
    }
  }

  /** Null when another node has started the run already. */
  private @Nullable Instant nextRunAt(UUID id) {
    return engine.batches().find(id).map(BatchJson::nextRunAt).orElse(null);
  }

  /**
   * What to retry.
   *
   * @param newRun the whole batch, instead of its failed tasks
   * @param expectedRun the run that the caller has seen; null when it does not say
   */
  private record RetryRequest(boolean newRun, @Nullable Integer expectedRun) {

    static final RetryRequest FAILED = new RetryRequest(false, null);

    static RetryRequest of(Request request) {
      BodyReader body = BodyReader.of(request);
      JsonValueReader run = body.optional("run");
      String word = run == null ? null : run.oneOf("run", List.of("failed", "new"));
      JsonValueReader expected = body.optional("expected_run");
      Integer number = expected == null ? null : expected.integer(0);
      body.requireValid();
      return new RetryRequest("new".equals(word), number);
    }
  }

  /** Parents first: children that failed only because of them come back by themselves. */
  private long reviveFailed(BatchSummary batch) {
    long revived = 0;
    String after = null;
    do {
      TaskPage page =
          engine
              .tasks()
              .list(failedIn(batch), TaskSort.OLDEST, new PageRequest(RETRY_PAGE_SIZE, after));
      List<TaskRow> own = page.tasks().stream().filter(BatchRoutes::failedByItself).toList();
      revived += engine.bulk(BulkCommand.RETRY, own, Map.of());
      after = page.nextCursor();
    } while (after != null);
    if (revived == 0) {
      throw nothingToRetry(batch);
    }
    return revived;
  }

  private static HttpProblemException nothingToRetry(BatchSummary batch) {
    String detail =
        batch.count(DisplayStatus.FAILURE) == 0
            ? "batch %s has no failed task: retry canceled tasks one by one, or with POST /task/bulk"
            : "the tasks of batch %s failed only because of tasks that were canceled or are in other batches: retry those, and these come back";
    return HttpProblemException.conflict(detail.formatted(batch.id()));
  }

  /** A command of many writes may have done a part of its work when it fails. */
  private static <T> T runAndRecord(Request request, AuditEntry entry, Supplier<T> action) {
    T result;
    try {
      result = action.get();
    } catch (StoreException | BusyException e) {
      request.audit(entry.withUnknownOutcome());
      throw e;
    }
    request.audit(entry);
    return result;
  }

  /** The id in the path. */
  static UUID id(Request request) {
    String text = request.pathVariable("id");
    UUID id = QueryReader.parseUuid(text);
    if (id == null) {
      throw HttpProblemException.notFound(
          "'%s' is not a batch id".formatted(FieldError.sanitize(text)));
    }
    return id;
  }
}
