// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Due;
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

/** Many threads at once. */
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
      submit(nextShard(), Collections.nCopies(50, TestTask.withoutRetry("a")), Due.now());
    }
  }

  @Test
  void claims_never_overlap_and_leave_nothing() throws Exception {
    submitMany();
    Queue<LeaseKey> taken = new ConcurrentLinkedQueue<>();
    together(
        THREADS,
        () -> {
          // A claim may come back empty while others hold what is left.
          for (int i = 0; taken.size() < TASKS && i < MAX_CLAIMS; i++) {
            claim(7, "a").leases().forEach(lease -> taken.add(lease.task().lease()));
          }
          return null;
        });

    assertThat(taken).hasSize(TASKS).doesNotHaveDuplicates().allMatch(key -> key.epoch() == 1);
    assertThat(store.nodes().renew(node, FOR_EVER).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(taken);
  }

  @Test
  void of_many_ends_of_one_lease_one_is_written() throws Exception {
    submitMany();
    List<Task> tasks = claim(TASKS, "a").leases().stream().map(Lease::task).toList();
    assertThat(tasks).hasSize(TASKS);
    List<TaskChange> taskChanges =
        tasks.stream().map(task -> lifecycle.settle(task, SUCCEEDED, clock.instant())).toList();

    List<List<WriteResult>> all = together(4, () -> applyInParts(taskChanges));

    for (int i = 0; i < TASKS; i++) {
      int place = i;
      assertThat(all.stream().filter(writeResults -> writeResults.get(place).applied()))
          .as("writes of change %d", i)
          .hasSize(1);
      assertThat(attempts(tasks.get(i).id())).hasSize(1);
    }
  }

  private List<WriteResult> applyInParts(List<TaskChange> taskChanges) {
    List<WriteResult> writeResults = new ArrayList<>();
    for (int from = 0; from < taskChanges.size(); from += 100) {
      writeResults.addAll(store.apply(taskChanges.subList(from, from + 100)));
    }
    return writeResults;
  }

  /** Two batches in opposite order must not wait for each other for ever. */
  @Test
  void batches_in_any_order_do_not_block_each_other() throws Exception {
    submitMany();
    List<Task> tasks = claim(200, "a").leases().stream().map(Lease::task).toList();
    List<TaskChange> forward =
        tasks.stream().map(task -> lifecycle.settle(task, SUCCEEDED, clock.instant())).toList();
    List<TaskChange> backward = tasks.reversed().stream().map(lifecycle::cancel).toList();
    Queue<List<TaskChange>> work = new ConcurrentLinkedQueue<>(List.of(forward, backward));

    List<List<WriteResult>> all = together(2, () -> store.apply(work.remove()));

    assertThat(all.stream().flatMap(List::stream).filter(WriteResult::applied))
        .hasSize(tasks.size());
  }

  @Test
  void a_submission_is_seen_whole_or_not_at_all() throws Exception {
    int size = 500;
    UUID batch = ids.next(0);
    List<NewTaskRow> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rows.add(new NewTaskRow(ids.next(0), TestTask.withoutRetry("a").definition(), Due.now()));
    }
    Queue<Runnable> submitting =
        new ConcurrentLinkedQueue<>(List.of(() -> store.submit(new Submission(batch, rows))));
    TaskFilter filter = TaskFilter.all().withBatch(batch);

    List<List<Long>> seen =
        together(
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

  private static <T> List<T> together(int threads, Callable<T> work) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<T> results = new ArrayList<>();
      for (Future<T> future :
          executor.invokeAll(Collections.nCopies(threads, work), 100, TimeUnit.SECONDS)) {
        results.add(future.get());
      }
      return results;
    }
  }
}
