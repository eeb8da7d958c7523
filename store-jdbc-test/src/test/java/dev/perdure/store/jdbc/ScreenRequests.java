// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.DisplayStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** What the screens of the dashboard ask a store for. */
public final class ScreenRequests {

  /** How many tasks the stores of the cost tests have. */
  public static final int TASKS = Integer.getInteger("perdure.cost.tasks", 200_000);

  private static final PageRequest PAGE = PageRequest.first(50);
  private static final int MAX_COUNTED = 10_000;
  private static final Duration DAY = Duration.ofDays(1);

  private ScreenRequests() {}

  /** By name. */
  public static Map<String, Consumer<TaskStore>> all(UUID task, UUID batch) {
    Map<String, Consumer<TaskStore>> all = new LinkedHashMap<>();
    addOverview(all);
    addTaskLists(all);
    addTask(all, task, batch);
    addBatches(all, batch);
    all.put("deliveries", store -> store.outbox().list(DeliveryFilter.all(), PAGE));
    all.put(
        "dead deliveries",
        store -> store.outbox().list(DeliveryFilter.in(DeliveryState.DEAD), PAGE));
    all.put("schedules", store -> store.schedules().list("", 50));
    return all;
  }

  private static void addOverview(Map<String, Consumer<TaskStore>> all) {
    all.put("dead letters", store -> store.overview().deadLetters());
    all.put("nodes", store -> store.overview().nodes());
    all.put("schedule delays", store -> store.overview().scheduleDelays(100));
    for (RetryWindow window : RetryWindow.values()) {
      RetryWaveQuery query = RetryWaveQuery.of(window);
      all.put("wave " + window, store -> store.reader().retryWave(query));
      all.put("wave by kind " + window, store -> store.reader().retryWave(query.withByKind(true)));
    }
    ErrorQuery errors = ErrorQuery.of(DAY);
    all.put("errors", store -> store.reader().errors(errors));
    all.put("errors by kind", store -> store.reader().errors(errors.withByKind(true)));
    all.put("errors of retries", store -> store.reader().errors(errors.withRetries(true)));
  }

  private static void addTaskLists(Map<String, Consumer<TaskStore>> all) {
    TaskFilter any = TaskFilter.all();
    addList(all, "all", any);
    for (DisplayStatus status : DisplayStatus.values()) {
      addList(all, status.toString(), TaskFilter.in(status));
      addList(all, status + " of no kind", TaskFilter.in(status).withKind("none"));
    }
    TaskFilter failing = TaskFilter.in(DisplayStatus.FAILURE, DisplayStatus.RETRY_PENDING);
    addList(all, "failing", failing);
    addList(all, "failing of a kind", failing.withKind("kind-1"));
    addList(all, "with an error", any.withError("e1"));
    addList(all, "failed with an error", TaskFilter.in(DisplayStatus.FAILURE).withError("e1"));
    addList(all, "with no such error", any.withError("none"));
    addList(all, "of a kind", any.withKind("kind-1"));
    addList(all, "of no kind", any.withKind("none"));
    addList(all, "of a worker", any.withWorker("none"));
    addList(all, "with a text", any.withText("nothing"));
    all.put(
        "newest dead letters",
        store ->
            store
                .reader()
                .list(
                    TaskFilter.in(DisplayStatus.FAILURE),
                    TaskSort.LAST_ENDED,
                    PageRequest.first(10)));
    all.put("next retries", store -> store.reader().list(any, TaskSort.NEXT_RETRY, PAGE));
  }

  private static void addList(
      Map<String, Consumer<TaskStore>> all, String name, TaskFilter filter) {
    all.put("list " + name, store -> store.reader().list(filter, PAGE));
    all.put("count " + name, store -> store.reader().count(filter, MAX_COUNTED, ScanLimit.DEFAULT));
  }

  private static void addTask(Map<String, Consumer<TaskStore>> all, UUID task, UUID batch) {
    all.put("task", store -> store.reader().find(task));
    all.put("attempts", store -> store.reader().attemptRows(task, Long.MAX_VALUE, 100));
    all.put("relations", store -> store.reader().relations(task));
    all.put("parents", store -> store.batches().parents(task, 100));
    TaskFilter tasks = TaskFilter.all().withBatch(batch);
    all.put("tasks of a batch", store -> store.reader().list(tasks, TaskSort.OLDEST, PAGE));
  }

  private static void addBatches(Map<String, Consumer<TaskStore>> all, UUID batch) {
    all.put("batch", store -> store.batches().find(batch));
    all.put("links", store -> store.batches().dependencies(batch, 100_001));
    Map<String, BatchFilter> filters = new LinkedHashMap<>();
    filters.put("all", BatchFilter.ALL);
    filters.put("live", new BatchFilter(null, null, null, null, null, true));
    filters.put("ended", new BatchFilter(null, null, null, null, null, false));
    filters.put("of no kind", new BatchFilter(null, "none", null, null, null, null));
    filters.put("failed", new BatchFilter(null, null, DisplayStatus.FAILURE, null, null, null));
    filters.put("of no name", new BatchFilter("none", null, null, null, null, null));
    filters.forEach(
        (name, filter) -> {
          all.put("batches " + name, store -> store.batches().list(filter, PAGE));
          all.put("count batches " + name, store -> store.batches().count(filter, MAX_COUNTED));
        });
  }
}
