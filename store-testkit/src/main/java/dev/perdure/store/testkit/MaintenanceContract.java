// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Inactive attempts, heartbeats and deadlines. */
abstract class MaintenanceContract extends StoreContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  MaintenanceContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static Heartbeat heartbeat(Task task) {
    return new Heartbeat(task.lease(), null, null, null);
  }

  private List<Task> inactive() {
    return store.maintenance().inactive(100).tasks();
  }

  /** Claims the only due task of this kind for a remote worker. */
  private Task remote(String kind, boolean start) {
    LeaseOwner worker = new LeaseOwner.RemoteOwner("elsewhere", FOR_EVER);
    return store
        .claim(new ClaimRequest(worker, capacities(1, kind), 1, start))
        .leases()
        .getFirst()
        .task();
  }

  @Test
  void an_attempt_is_inactive_after_its_timeout() {
    submit(TestTask.retrying("a").withTimeout(TIMEOUT));
    submit(TestTask.withoutRetry("b"));
    Task task = remote("a", true);
    remote("b", true);

    clock.advance(TIMEOUT.minusMillis(1));
    assertThat(inactive()).isEmpty();
    assertRefused(lifecycle.timeOut(task, clock.instant()));
    clock.advance(MILLI);
    TaskSnapshot taskSnapshot = store.maintenance().inactive(100);
    assertThat(taskSnapshot.tasks()).containsExactly(task);
    assertThat(taskSnapshot.now()).isEqualTo(clock.instant());
    Task retry = write(lifecycle.timeOut(task, taskSnapshot.now()));
    assertThat(retry.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(retry.lastResult().failureKind()).isEqualTo("timeout");
    assertThat(inactive()).isEmpty();
  }

  @Test
  void attempts_of_nodes_are_not_reported_as_inactive() {
    submit(TestTask.withoutRetry("a").withTimeout(TIMEOUT));
    Task task = running("a");
    clock.advance(TIMEOUT.multipliedBy(2));
    assertThat(inactive()).isEmpty();
    store.nodes().leave(node);
    assertThat(inactive()).as("also after its node has left").isEmpty();
    assertThat(store.maintenance().orphans(100).tasks()).containsExactly(task);

    store.heartbeat(List.of(heartbeat(task)));
    Task failed = settle(task, new Outcome.TimedOut());
    assertThat(failed.state()).as("the node can time it out").isEqualTo(TaskState.FAILURE);
    assertThat(failed.lastResult().failureKind()).isEqualTo("timeout");
  }

  @Test
  void the_timeout_counts_from_the_start_and_not_from_the_claim() {
    submit(TestTask.withoutRetry("a").withTimeout(TIMEOUT));
    Task claimed = remote("a", false);
    clock.advance(TIMEOUT.multipliedBy(2));
    assertThat(inactive()).isEmpty();

    Task started = write(lifecycle.start(claimed));
    assertThat(started.state()).isEqualTo(TaskState.RUNNING);
    assertThat(started.times().startedAt()).isEqualTo(clock.instant());
    clock.advance(TIMEOUT.minusMillis(1));
    assertThat(inactive()).isEmpty();
    clock.advance(MILLI);
    assertThat(inactive()).extracting(Task::id).containsExactly(claimed.id());
  }

  @Test
  void a_heartbeat_between_search_and_write_prevents_the_timeout() {
    submit(TestTask.withoutRetry("a").withTimeout(TIMEOUT));
    remote("a", true);
    clock.advance(TIMEOUT);
    TaskSnapshot taskSnapshot = store.maintenance().inactive(100);
    Task found = taskSnapshot.tasks().getFirst();

    assertThat(store.heartbeat(List.of(heartbeat(found)))).containsExactly(WriteResult.written());
    assertRefused(lifecycle.timeOut(found, taskSnapshot.now()));
    clock.advance(TIMEOUT);
    assertThat(write(lifecycle.timeOut(found, taskSnapshot.now())).state())
        .isEqualTo(TaskState.FAILURE);
  }

  /** A timeout parks a task whose policy cannot be read. */
  @Test
  void a_heartbeat_between_search_and_write_prevents_parking() {
    submit(TestTask.withoutRetry("a").withPolicy("{\"backoff\": 7}").withTimeout(TIMEOUT));
    Task task = remote("a", true);
    clock.advance(TIMEOUT);
    store.heartbeat(List.of(heartbeat(task)));

    assertRefused(lifecycle.timeOut(task, clock.instant()));
    clock.advance(TIMEOUT);
    Task parked = write(lifecycle.timeOut(task, clock.instant()));
    assertThat(parked.status()).isEqualTo(DisplayStatus.PARKED);
  }

  @Test
  void inactive_attempts_are_limited() {
    for (int i = 0; i < 10; i++) {
      submit(TestTask.withoutRetry("a").withTimeout(TIMEOUT));
      remote("a", true);
    }
    clock.advance(TIMEOUT);

    assertThat(store.maintenance().inactive(3).tasks()).hasSize(3);
    assertThat(inactive()).hasSize(10);
  }

  @Test
  void a_heartbeat_updates_progress() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    clock.advance(TIMEOUT);

    store.heartbeat(List.of(new Heartbeat(task.lease(), 7L, 5_000_000_000L, null)));
    assertThat(find(task.id()).progress()).isEqualTo(new Progress(7, 0, 5_000_000_000L));
    assertThat(find(task.id()).times().updatedAt()).isEqualTo(clock.instant());
    store.heartbeat(List.of(heartbeat(task)));
    assertThat(find(task.id()).progress()).isEqualTo(new Progress(7, 0, 5_000_000_000L));
    assertThat(settle(task, FAILED).progress().success()).isEqualTo(7);
  }

  @Test
  void stale_heartbeats_change_nothing_and_results_keep_their_order() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));
    Task ended = running("a");
    settle(ended, SUCCEEDED);
    Task running = running("b");
    Snapshot before = snapshot(ended.id());

    clock.advance(TIMEOUT);
    List<WriteResult> results =
        store.heartbeat(
            List.of(
                heartbeat(ended),
                new Heartbeat(new LeaseKey(running.id(), 9), 1L, null, null),
                heartbeat(running),
                new Heartbeat(new LeaseKey(ids.next(0), 1), null, null, null)));

    assertThat(results)
        .containsExactly(
            WriteResult.refused(TaskState.SUCCESS, 1),
            WriteResult.refused(TaskState.RUNNING, 1),
            WriteResult.written(),
            WriteResult.notFound());
    assertThat(snapshot(ended.id())).isEqualTo(before);
    assertThat(find(running.id()).progress()).isEqualTo(Progress.NONE);
  }

  @Test
  void a_deadline_ends_every_live_state() {
    Instant deadline = clock.instant().plus(Duration.ofMinutes(2));
    Task pending = find(submit(TestTask.withoutRetry("p").withDeadline(deadline)));
    submit(TestTask.withoutRetry("c").withDeadline(deadline));
    Task claimed = claimed("c");
    submit(TestTask.withoutRetry("r").withDeadline(deadline));
    Task running = running("r");
    submit(TestTask.retrying("w").withDeadline(deadline));
    Failure failure = Failure.explicit("again").withMessage("no answer");
    Task waiting = settle(running("w"), new Outcome.Failed(failure, null));
    Task paused =
        write(
            lifecycle.pause(
                find(
                    submit(
                        TestTask.withoutRetry("h").withDeadline(deadline), DueTime.in(FOR_EVER)))));
    submit(TestTask.withoutRetry("s").withDeadline(deadline));
    settle(running("s"), SUCCEEDED);

    clock.set(deadline.minusMillis(1));
    assertThat(store.maintenance().pastDeadline(100).tasks()).isEmpty();
    clock.advance(MILLI);
    List<Task> past = store.maintenance().pastDeadline(100).tasks();
    assertThat(past).containsExactlyInAnyOrder(pending, claimed, running, waiting, paused);
    assertThat(store.maintenance().pastDeadline(2).tasks()).hasSize(2);
    for (Task task : past) {
      Task failed = write(lifecycle.expire(task));
      assertThat(failed.state()).isEqualTo(TaskState.FAILURE);
      assertThat(failed.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
      UUID id = task.id();
      assertThat(attempts(id)).hasSize(id.equals(pending.id()) || id.equals(paused.id()) ? 0 : 1);
    }
    assertThat(find(waiting.id()).lastResult())
        .as("keeps the failure of its last attempt")
        .isEqualTo(
            new LastResult(
                "explicit",
                "no answer",
                "again",
                TaskGiveUpReason.EXPIRED,
                null,
                error("explicit", "again", "no answer")));
    assertThat(store.maintenance().pastDeadline(100).tasks()).isEmpty();
  }

  @Test
  void a_revived_task_that_expires_does_not_show_its_previous_failure() {
    Instant deadline = clock.instant().plus(Duration.ofMinutes(2));
    UUID id = submit(TestTask.withoutRetry("a").withDeadline(deadline));
    settle(running("a"), FAILED);
    Task revived = write(lifecycle.revive(find(id)));
    clock.set(deadline);

    assertThat(write(lifecycle.expire(revived)).lastResult())
        .isEqualTo(
            new LastResult(
                null,
                null,
                null,
                TaskGiveUpReason.EXPIRED,
                null,
                ErrorFingerprint.of(TaskGiveUpReason.EXPIRED).id()));
  }
}
