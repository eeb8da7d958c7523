// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations from many threads at once. */
@Timeout(120)
abstract class ConcurrencyContract extends StoreContract {

  private static final int THREADS = 8;
  private static final int TASKS = 2_000;
  private static final int MAX_CLAIMS = 10_000;

  ConcurrencyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private void submitMany() {
    for (int i = 0; i < TASKS / 50; i++) {
      submit(nextShard(), Collections.nCopies(50, TestTask.withoutRetry("a")), DueTime.now());
    }
  }

  @Test
  void concurrent_claims_never_overlap_and_miss_nothing() throws Exception {
    submitMany();
    Queue<LeaseKey> claimed = new ConcurrentLinkedQueue<>();
    runConcurrently(
        THREADS,
        () -> {
          // A claim can be empty while other threads have locked the remaining tasks.
          for (int i = 0; claimed.size() < TASKS && i < MAX_CLAIMS; i++) {
            claim(7, "a").leases().forEach(lease -> claimed.add(lease.task().lease()));
          }
          return null;
        });

    assertThat(claimed).hasSize(TASKS).doesNotHaveDuplicates().allMatch(key -> key.epoch() == 1);
    assertThat(store.nodes().renew(node, FOR_EVER).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(claimed);
  }

  @Test
  void only_one_of_many_concurrent_ends_of_a_lease_is_written() throws Exception {
    submitMany();
    List<Task> tasks = claim(TASKS, "a").leases().stream().map(Lease::task).toList();
    assertThat(tasks).hasSize(TASKS);
    List<TaskChange> changes =
        tasks.stream().map(task -> lifecycle.settle(task, SUCCEEDED, clock.instant())).toList();

    List<List<WriteResult>> all = runConcurrently(4, () -> applyInParts(changes));

    for (int i = 0; i < TASKS; i++) {
      int index = i;
      assertThat(all.stream().filter(results -> results.get(index).applied()))
          .as("writes of change %d", i)
          .hasSize(1);
      assertThat(attempts(tasks.get(i).id())).hasSize(1);
    }
  }

  private List<WriteResult> applyInParts(List<TaskChange> changes) {
    List<WriteResult> results = new ArrayList<>();
    for (int from = 0; from < changes.size(); from += 100) {
      results.addAll(store.apply(changes.subList(from, from + 100)));
    }
    return results;
  }

  @Test
  void batches_in_opposite_order_do_not_deadlock() throws Exception {
    submitMany();
    List<Task> tasks = claim(200, "a").leases().stream().map(Lease::task).toList();
    List<TaskChange> forward =
        tasks.stream().map(task -> lifecycle.settle(task, SUCCEEDED, clock.instant())).toList();
    List<TaskChange> backward = tasks.reversed().stream().map(lifecycle::cancel).toList();
    Queue<List<TaskChange>> action = new ConcurrentLinkedQueue<>(List.of(forward, backward));

    List<List<WriteResult>> all = runConcurrently(2, () -> store.apply(action.remove()));

    assertThat(all.stream().flatMap(List::stream).filter(WriteResult::applied))
        .hasSize(tasks.size());
  }

  @Test
  void a_submission_becomes_visible_as_a_whole() throws Exception {
    int size = 500;
    UUID batch = ids.next(0);
    List<NewTaskRow> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rows.add(new NewTaskRow(ids.next(0), TestTask.withoutRetry("a").definition(), DueTime.now()));
    }
    Queue<Runnable> submitting =
        new ConcurrentLinkedQueue<>(List.of(() -> store.submit(new Submission(batch, rows))));
    TaskFilter filter = TaskFilter.all().withBatch(batch);

    List<List<Long>> seen =
        runConcurrently(
            2,
            () -> {
              Runnable submit = submitting.poll();
              if (submit != null) {
                submit.run();
              }
              return countUntil(filter, size);
            });

    assertThat(seen.stream().flatMap(List::stream)).containsOnly(0L, (long) size);
  }

  private List<Long> countUntil(TaskFilter filter, long whole) {
    List<Long> counts = new ArrayList<>(List.of(0L));
    while (counts.getLast() < whole) {
      counts.add(store.reader().count(filter, 1_000));
    }
    return counts;
  }

  private static <T> List<T> runConcurrently(int threads, Callable<T> action) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<T> results = new ArrayList<>();
      for (Future<T> future :
          executor.invokeAll(Collections.nCopies(threads, action), 100, TimeUnit.SECONDS)) {
        results.add(future.get());
      }
      return results;
    }
  }
}
