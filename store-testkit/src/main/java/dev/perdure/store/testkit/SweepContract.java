// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Silence, deadlines, and signs of life. */
abstract class SweepContract extends StoreContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  SweepContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static SignOfLife alive(Task task) {
    return new SignOfLife(task.lease(), null, null, null);
  }

  private List<Task> silent() {
    return store.sweeps().silent(100).tasks();
  }

  /** The one task of this kind that is due, claimed by a remote worker. */
  private Task remote(String kind, boolean start) {
    Holder worker = new Holder.OfWorker("elsewhere", FOR_EVER);
    return store
        .claim(new ClaimRequest(worker, rooms(1, kind), 1, start))
        .leases()
        .getFirst()
        .task();
  }

  @Test
  void an_attempt_is_silent_when_its_timeout_has_passed() {
    submit(Given.retrying("a").withTimeout(TIMEOUT));
    submit(Given.plain("b"));
    Task task = remote("a", true);
    remote("b", true);

    clock.advance(TIMEOUT.minusMillis(1));
    assertThat(silent()).isEmpty();
    assertRefused(lifecycle.timeOut(task, clock.instant()));
    clock.advance(MILLI);
    Reading reading = store.sweeps().silent(100);
    assertThat(reading.tasks()).containsExactly(task);
    assertThat(reading.now()).isEqualTo(clock.instant());
    Task retry = write(lifecycle.timeOut(task, reading.now()));
    assertThat(retry.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(retry.ending().failureKind()).isEqualTo("timeout");
    assertThat(silent()).isEmpty();
  }

  @Test
  void what_a_node_runs_is_not_for_the_store_to_judge() {
    submit(Given.plain("a").withTimeout(TIMEOUT));
    Task task = running("a");
    clock.advance(TIMEOUT.multipliedBy(2));
    assertThat(silent()).isEmpty();
    store.nodes().leave(node);
    assertThat(silent()).as("nor what a node ran that is gone").isEmpty();
    assertThat(store.sweeps().orphans(100).tasks()).containsExactly(task);

    store.signs(List.of(alive(task)));
    Task failed = settle(task, new Outcome.TimedOut());
    assertThat(failed.state()).as("its node knows better").isEqualTo(TaskState.FAILURE);
    assertThat(failed.ending().failureKind()).isEqualTo("timeout");
  }

  @Test
  void silence_counts_from_the_start_not_from_the_claim() {
    submit(Given.plain("a").withTimeout(TIMEOUT));
    Task claimed = remote("a", false);
    clock.advance(TIMEOUT.multipliedBy(2));
    assertThat(silent()).isEmpty();

    Task started = write(lifecycle.start(claimed));
    assertThat(started.state()).isEqualTo(TaskState.RUNNING);
    assertThat(started.times().startedAt()).isEqualTo(clock.instant());
    clock.advance(TIMEOUT.minusMillis(1));
    assertThat(silent()).isEmpty();
    clock.advance(MILLI);
    assertThat(silent()).extracting(Task::id).containsExactly(claimed.id());
  }

  /** Fault 7. */
  @Test
  void a_sign_of_life_between_the_scan_and_the_write_saves_the_attempt() {
    submit(Given.plain("a").withTimeout(TIMEOUT));
    remote("a", true);
    clock.advance(TIMEOUT);
    Reading reading = store.sweeps().silent(100);
    Task found = reading.tasks().getFirst();

    assertThat(store.signs(List.of(alive(found)))).containsExactly(Verdict.done());
    assertRefused(lifecycle.timeOut(found, reading.now()));
    clock.advance(TIMEOUT);
    assertThat(write(lifecycle.timeOut(found, reading.now())).state()).isEqualTo(TaskState.FAILURE);
  }

  /** Fault 7, of a task that cannot be decided. */
  @Test
  void a_sign_of_life_saves_an_attempt_from_being_parked_too() {
    submit(Given.plain("a").withPolicy("{\"backoff\": 7}").withTimeout(TIMEOUT));
    Task task = remote("a", true);
    clock.advance(TIMEOUT);
    store.signs(List.of(alive(task)));

    assertRefused(lifecycle.timeOut(task, clock.instant()));
    clock.advance(TIMEOUT);
    Task parked = write(lifecycle.timeOut(task, clock.instant()));
    assertThat(parked.hold()).isEqualTo(Hold.PARKED);
  }

  @Test
  void silent_attempts_come_in_bounds() {
    for (int i = 0; i < 10; i++) {
      submit(Given.plain("a").withTimeout(TIMEOUT));
      remote("a", true);
    }
    clock.advance(TIMEOUT);

    assertThat(store.sweeps().silent(3).tasks()).hasSize(3);
    assertThat(silent()).hasSize(10);
  }

  @Test
  void a_sign_of_life_brings_progress() {
    submit(Given.plain("a"));
    Task task = running("a");
    clock.advance(TIMEOUT);

    store.signs(List.of(new SignOfLife(task.lease(), 7L, 5_000_000_000L, null)));
    assertThat(find(task.id()).progress()).isEqualTo(new Progress(7, 0, 5_000_000_000L));
    assertThat(find(task.id()).times().updatedAt()).isEqualTo(clock.instant());
    store.signs(List.of(alive(task)));
    assertThat(find(task.id()).progress()).isEqualTo(new Progress(7, 0, 5_000_000_000L));
    assertThat(settle(task, FAILED).progress().success()).isEqualTo(7);
  }

  @Test
  void stale_signs_alter_nothing_and_verdicts_keep_their_order() {
    submit(Given.plain("a"));
    submit(Given.plain("b"));
    Task ended = running("a");
    settle(ended, SUCCEEDED);
    Task running = running("b");
    Seen before = see(ended.id());

    clock.advance(TIMEOUT);
    List<Verdict> verdicts =
        store.signs(
            List.of(
                alive(ended),
                new SignOfLife(new LeaseKey(running.id(), 9), 1L, null, null),
                alive(running),
                new SignOfLife(new LeaseKey(ids.next(0), 1), null, null, null)));

    assertThat(verdicts)
        .containsExactly(
            Verdict.refused(TaskState.SUCCESS, 1),
            Verdict.refused(TaskState.RUNNING, 1),
            Verdict.done(),
            Verdict.missing());
    assertThat(see(ended.id())).isEqualTo(before);
    assertThat(find(running.id()).progress()).isEqualTo(Progress.NONE);
  }

  @Test
  void a_deadline_ends_every_live_state() {
    Instant deadline = clock.instant().plus(Duration.ofMinutes(2));
    Task pending = find(submit(Given.plain("p").withDeadline(deadline)));
    submit(Given.plain("c").withDeadline(deadline));
    Task claimed = claimed("c");
    submit(Given.plain("r").withDeadline(deadline));
    Task running = running("r");
    submit(Given.retrying("w").withDeadline(deadline));
    Failure failure = Failure.explicit("again").withMessage("no answer");
    Task waiting = settle(running("w"), new Outcome.Failed(failure, null));
    Task paused =
        write(
            lifecycle.pause(
                find(submit(Given.plain("h").withDeadline(deadline), Due.in(FOR_EVER)))));
    submit(Given.plain("s").withDeadline(deadline));
    settle(running("s"), SUCCEEDED);

    clock.set(deadline.minusMillis(1));
    assertThat(store.sweeps().pastDeadline(100).tasks()).isEmpty();
    clock.advance(MILLI);
    List<Task> past = store.sweeps().pastDeadline(100).tasks();
    assertThat(past).containsExactlyInAnyOrder(pending, claimed, running, waiting, paused);
    assertThat(store.sweeps().pastDeadline(2).tasks()).hasSize(2);
    for (Task task : past) {
      Task failed = write(lifecycle.expire(task));
      assertThat(failed.state()).isEqualTo(TaskState.FAILURE);
      assertThat(failed.ending().giveUpReason()).isEqualTo(EndReason.EXPIRED);
      UUID id = task.id();
      assertThat(attempts(id)).hasSize(id.equals(pending.id()) || id.equals(paused.id()) ? 0 : 1);
    }
    assertThat(find(waiting.id()).ending())
        .as("what it was to be retried for")
        .isEqualTo(new Ending("explicit", "no answer", "again", EndReason.EXPIRED, null));
    assertThat(store.sweeps().pastDeadline(100).tasks()).isEmpty();
  }

  @Test
  void a_revived_task_that_expires_does_not_show_the_failure_before() {
    Instant deadline = clock.instant().plus(Duration.ofMinutes(2));
    UUID id = submit(Given.plain("a").withDeadline(deadline));
    settle(running("a"), FAILED);
    Task revived = write(lifecycle.revive(find(id)));
    clock.set(deadline);

    assertThat(write(lifecycle.expire(revived)).ending())
        .isEqualTo(new Ending(null, null, null, EndReason.EXPIRED, null));
  }
}
