// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Progress reports add to counters, and live tasks can be updated. */
abstract class TaskUpdateContract extends StoreContract {

  private static final Duration LEASE = Duration.ofSeconds(60);

  TaskUpdateContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static ProgressReport plus(Task task, long success, long failures) {
    return new ProgressReport(task.lease(), success, failures, null);
  }

  private WriteResult add(ProgressReport report) {
    return store.addProgress(List.of(report)).getFirst();
  }

  private Task remote(String kind) {
    LeaseOwner worker = new LeaseOwner.RemoteOwner("elsewhere", LEASE);
    return store
        .claim(new ClaimRequest(worker, capacities(1, kind), 1, true))
        .leases()
        .getFirst()
        .task();
  }

  @Test
  void progress_reports_add_up() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    clock.advance(MILLI);

    assertThat(add(plus(task, 3, 1))).isEqualTo(WriteResult.written());
    assertThat(add(plus(task, 4, 0))).isEqualTo(WriteResult.written());
    assertThat(find(task.id()).progress()).isEqualTo(new Progress(7, 1, null));
    assertThat(find(task.id()).times().updatedAt()).isEqualTo(clock.instant());
    assertThat(store.addProgress(List.of())).isEmpty();
  }

  @Test
  void concurrent_reports_are_all_counted() throws Exception {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    int writers = 4;
    int reports = 25;
    Callable<Void> writer =
        () -> {
          for (int i = 0; i < reports; i++) {
            ProgressReport report = plus(task, 1, 2);
            while (!add(report).applied()) {
              Thread.onSpinWait(); // Another thread is writing the row.
            }
          }
          return null;
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(writers)) {
      for (Future<Void> done :
          pool.invokeAll(IntStream.range(0, writers).mapToObj(i -> writer).toList())) {
        done.get();
      }
    }

    assertThat(find(task.id()).progress()).isEqualTo(new Progress(100, 200, null));
  }

  @Test
  void a_report_that_overflows_does_not_affect_others() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));
    Task full = running("a");
    Task other = running("b");
    add(plus(full, Long.MAX_VALUE - 1, 0));
    Snapshot before = snapshot(full.id());
    clock.advance(MILLI);

    assertThat(store.addProgress(List.of(plus(full, 2, 0), plus(other, 2, 0))))
        .containsExactly(WriteResult.refused(TaskState.RUNNING, 1), WriteResult.written());
    assertThat(snapshot(full.id())).isEqualTo(before);
    assertThat(find(other.id()).progress().success()).isEqualTo(2);
    assertThat(add(plus(full, 1, Long.MAX_VALUE)))
        .as("up to the maximum")
        .isEqualTo(WriteResult.written());
    assertThat(add(plus(full, 0, 1))).isEqualTo(WriteResult.refused(TaskState.RUNNING, 1));
  }

  @Test
  void stale_reports_change_nothing_and_results_keep_their_order() {
    submit(TestTask.retrying("a"));
    submit(TestTask.withoutRetry("b"));
    Task failed = running("a");
    settle(failed, FAILED);
    Task running = running("b");
    Snapshot before = snapshot(failed.id());
    clock.advance(MILLI);

    List<WriteResult> results =
        store.addProgress(
            List.of(
                plus(failed, 1, 0),
                new ProgressReport(new LeaseKey(running.id(), 9), 1, 0, null),
                new ProgressReport(new LeaseKey(ids.next(0), 1), 1, 0, null),
                plus(running, 1, 0)));

    assertThat(results)
        .containsExactly(
            WriteResult.refused(TaskState.RETRY_PENDING, 1),
            WriteResult.refused(TaskState.RUNNING, 1),
            WriteResult.notFound(),
            WriteResult.written());
    assertThat(snapshot(failed.id())).isEqualTo(before);
    assertThat(find(running.id()).progress().success()).isEqualTo(1);
  }

  @Test
  void a_report_counts_as_a_heartbeat() {
    submit(TestTask.withoutRetry("a").withTimeout(LEASE));
    Task task = remote("a");
    clock.advance(LEASE.minus(MILLI));
    add(new ProgressReport(task.lease(), 0, 0, LEASE));
    clock.advance(LEASE.minus(MILLI));
    assertThat(store.maintenance().orphans(9).tasks()).isEmpty();
    assertThat(store.maintenance().inactive(9).tasks()).isEmpty();
    clock.advance(MILLI);
    assertThat(store.maintenance().orphans(9).tasks()).hasSize(1);
    assertThat(store.maintenance().inactive(9).tasks()).hasSize(1);
  }

  @Test
  void a_report_never_shortens_a_lease() {
    submit(TestTask.withoutRetry("a"));
    Task task = remote("a");
    add(new ProgressReport(task.lease(), 0, 0, Duration.ofSeconds(1)));
    add(plus(task, 0, 0));
    clock.advance(LEASE.minus(MILLI));
    assertThat(store.maintenance().orphans(9).tasks()).isEmpty();
  }

  @Test
  void a_report_does_not_add_a_lease_to_a_nodes_task() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    add(new ProgressReport(task.lease(), 1, 0, LEASE));
    clock.advance(LEASE);
    assertThat(store.maintenance().orphans(9).tasks()).isEmpty();
  }

  @Test
  void an_update_changes_only_the_given_fields() {
    UUID id = submit(TestTask.withoutRetry("a"));
    clock.advance(MILLI);

    WriteResult result = store.update(new TaskUpdate(id, null, 7, null, "{\"n\":1}"));
    assertThat(result).isEqualTo(WriteResult.written());
    assertThat(find(id).definition().priority()).isEqualTo(7);
    assertThat(find(id).definition().metadata()).isEqualTo("{\"n\":1}");
    assertThat(find(id).progress().expected()).isNull();
    assertThat(find(id).times().updatedAt()).isEqualTo(clock.instant());
    store.update(new TaskUpdate(id, null, null, 50L, null));
    assertThat(find(id).definition().priority()).isEqualTo(7);
    assertThat(find(id).definition().metadata()).isEqualTo("{\"n\":1}");
    assertThat(find(id).progress().expected()).isEqualTo(50);
  }

  @Test
  void a_new_priority_changes_the_claim_order() {
    UUID first = submit(0, List.of(TestTask.withoutRetry("a")), DueTime.now()).getFirst();
    clock.advance(MILLI);
    UUID second = submit(0, List.of(TestTask.withoutRetry("a")), DueTime.now()).getFirst();
    store.update(new TaskUpdate(second, null, 1, null, null));
    assertThat(claimedIds(claim(1, "a"))).containsExactly(second);

    UUID third =
        submit(0, List.of(TestTask.withoutRetry("a").withPriority(5)), DueTime.now()).getFirst();
    store.update(new TaskUpdate(third, null, 0, null, null));
    assertThat(claimedIds(claim(1, "a"))).containsExactly(first);
    assertThat(claimedIds(claim(1, "a"))).containsExactly(third);
  }

  @Test
  void updates_of_ended_tasks_and_stale_leases_are_refused() {
    UUID id = submit(TestTask.withoutRetry("a"));
    TaskUpdate byLease = new TaskUpdate(id, 1L, 3, 3L, "{}");
    Snapshot pending = snapshot(id);
    assertThat(store.update(byLease)).isEqualTo(WriteResult.refused(TaskState.PENDING, 0));
    assertThat(snapshot(id)).isEqualTo(pending);

    Task task = running("a");
    assertThat(store.update(byLease)).isEqualTo(WriteResult.written());
    settle(task, SUCCEEDED);
    Snapshot ended = snapshot(id);
    assertThat(store.update(new TaskUpdate(id, null, 4, 4L, "{}")))
        .isEqualTo(WriteResult.refused(TaskState.SUCCESS, 1));
    assertThat(snapshot(id)).isEqualTo(ended);
    assertThat(store.update(new TaskUpdate(ids.next(0), null, 4, null, null)))
        .isEqualTo(WriteResult.notFound());
  }
}
