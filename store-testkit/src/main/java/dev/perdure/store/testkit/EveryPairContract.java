// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StateMachine;
import dev.perdure.engine.task.Step;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskRefusedException;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All states × all events. A legal pair moves the row as {@link StateMachine} says. An illegal one
 * is sent as a change decided in another state, where the event is legal: it alters nothing.
 */
abstract class EveryPairContract extends StoreContract {

  private static final String KIND = "perdure:pair";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Outcome FAILED_FOR_GOOD =
      new Outcome.Failed(Failure.explicit("final").withPermanent(true), null);

  EveryPairContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Nothing submitted so far depends on another task. */
  @Test
  void every_state_but_waiting_is_reached() {
    assertThat(Stream.of(TaskState.values()).filter(state -> reach(state).isEmpty()))
        .containsExactly(TaskState.WAITING);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"WAITING", "SUCCESS"})
  void legal_events_move_the_row(TaskState from) {
    List<TaskEvent> legal = events(from, true);
    assertThat(legal).isNotEmpty();
    for (TaskEvent event : legal) {
      Task before = reach(from).orElseThrow();
      clock.advance(TIMEOUT);
      if (event == TaskEvent.CLAIM) {
        makeDue(before);
        assertThat(claimed(KIND).id()).isEqualTo(before.id());
      } else {
        assertThat(apply(Crafted.change(before, from, event)))
            .as("%s × %s", from, event)
            .isEqualTo(Verdict.done());
      }
      assertMoved(before, event);
      putAway(find(before.id()));
    }
  }

  private void assertMoved(Task before, TaskEvent event) {
    String pair = before.state() + " × " + event;
    Task after = find(before.id());
    TaskState to = after.state();
    assertThat(StateMachine.next(before.state(), event)).as(pair).isEqualTo(new Step.To(to));
    assertThat(after.times().updatedAt()).as(pair).isEqualTo(clock.instant());
    assertThat(after.times().endedAt())
        .as(pair)
        .isEqualTo(to.isTerminal() ? clock.instant() : null);
    assertThat(after.worker() != null)
        .as(pair)
        .isEqualTo(to.isHeld() && event != TaskEvent.ENTRUST);
    assertThat(after.ending().giveUpReason() != null).as(pair).isEqualTo(to == TaskState.FAILURE);
    assertThat(after.epoch())
        .as(pair)
        .isEqualTo(before.epoch() + (event == TaskEvent.CLAIM ? 1 : 0));
    assertThat(after.definition()).as(pair).isEqualTo(before.definition());
    List<Attempt> attempts = attempts(before.id());
    boolean ended = before.state().isHeld() && !to.isHeld();
    assertThat(attempts.size()).as(pair).isEqualTo(ended ? 1 : endedBefore(before));
    if (ended) {
      assertRecorded(before, after, event);
    }
  }

  private void assertRecorded(Task before, Task after, TaskEvent event) {
    Change change = Crafted.change(before, before.state(), event);
    assertThat(attempts(before.id()))
        .as("%s × %s", before.state(), event)
        .containsExactly(
            new Attempt(
                before.id(),
                before.epoch(),
                before.counting().attempt(),
                before.worker(),
                before.times().startedAt(),
                clock.instant(),
                requireNonNull(change.note()),
                after.state().isClaimable() ? after.times().dueAt() : null));
  }

  /** How many leases it took to reach the state. */
  private static int endedBefore(Task task) {
    return switch (task.state()) {
      case RETRY_PENDING, SUCCESS, FAILURE -> 1;
      case WAITING, PENDING, CLAIMED, RUNNING, CANCELED -> 0;
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WAITING")
  void illegal_events_alter_nothing(TaskState state) {
    List<TaskEvent> illegal = events(state, false);
    assertThat(illegal).isNotEmpty();
    Task task = reach(state).orElseThrow();
    clock.advance(TIMEOUT.plus(Given.DELAY));
    for (TaskEvent event : illegal) {
      Seen before = see(task.id());
      if (event == TaskEvent.CLAIM) {
        assertThat(claim(10, KIND).leases()).isEmpty();
      } else {
        for (TaskState other : Crafted.legal(event).toList()) {
          assertThat(apply(Crafted.change(task, other, event)))
              .as("%s × %s decided in %s", state, event, other)
              .isEqualTo(Verdict.refused(state, task.epoch()));
        }
      }
      assertThat(see(task.id())).as("%s × %s", state, event).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WAITING")
  void illegal_events_are_not_even_decided(TaskState state) {
    Task task = reach(state).orElseThrow();
    for (TaskEvent event : events(state, false)) {
      if (isDecidedHere(event)) {
        assertThatThrownBy(() -> decide(task, event))
            .as("%s × %s", state, event)
            .isInstanceOf(TaskRefusedException.class)
            .hasMessageContaining(task.id().toString())
            .hasMessageContaining(" is refused: ");
      }
    }
  }

  /** What is left is the store's own, or belongs to tasks that wait for others. */
  private static boolean isDecidedHere(TaskEvent event) {
    return switch (event) {
      case CLAIM, MEET_DEPENDENCIES, FAIL_UPSTREAM, REVIVE_WAITING -> false;
      default -> true;
    };
  }

  private Change decide(Task task, TaskEvent event) {
    return switch (event) {
      case START -> lifecycle.start(task);
      case ENTRUST -> lifecycle.settle(task, new Outcome.Entrusted(null), clock.instant());
      case SUCCEED -> lifecycle.settle(task, SUCCEEDED, clock.instant());
      case FAIL_AND_RETRY -> lifecycle.settle(task, FAILED, clock.instant());
      case FAIL_FOR_GOOD -> lifecycle.settle(task, FAILED_FOR_GOOD, clock.instant());
      case TIME_OUT_AND_RETRY, TIME_OUT_FOR_GOOD -> lifecycle.timeOut(task, clock.instant());
      case EXPIRE -> lifecycle.expire(task);
      case HAND_BACK -> lifecycle.settle(task, new Outcome.HandedBack(), clock.instant());
      case LOSE, LOSE_FOR_GOOD -> lifecycle.lose(task);
      case SNOOZE -> lifecycle.settle(task, new Outcome.Snoozed(TIMEOUT), clock.instant());
      case CANCEL -> lifecycle.cancel(task);
      case PAUSE -> lifecycle.pause(task);
      case RESUME -> lifecycle.resume(task);
      case RETRY_AT -> lifecycle.retryAt(task, Due.now());
      case REVIVE -> lifecycle.revive(task);
      case CLAIM, MEET_DEPENDENCIES, FAIL_UPSTREAM, REVIVE_WAITING ->
          throw new IllegalArgumentException("nobody decides " + event);
    };
  }

  private static List<TaskEvent> events(TaskState state, boolean legal) {
    return Stream.of(TaskEvent.values())
        .filter(event -> StateMachine.allows(state, event) == legal)
        .toList();
  }

  /** A task in this state, by ordinary means; the only one of its kind that could be claimed. */
  private Optional<Task> reach(TaskState state) {
    if (state == TaskState.WAITING) {
      return Optional.empty();
    }
    Task pending = find(submit(Given.retrying("pair").withLane(KIND).withTimeout(TIMEOUT)));
    Task reached =
        switch (state) {
          case PENDING -> pending;
          case CLAIMED -> claimed(KIND);
          case RUNNING -> running(KIND);
          case RETRY_PENDING -> settle(running(KIND), FAILED);
          case SUCCESS -> settle(running(KIND), SUCCEEDED);
          case FAILURE -> settle(running(KIND), FAILED_FOR_GOOD);
          case CANCELED -> write(lifecycle.cancel(pending));
          case WAITING -> throw new IllegalStateException("nothing waits");
        };
    assertThat(reached.state()).isEqualTo(state);
    return Optional.of(reached);
  }

  private void makeDue(Task task) {
    Duration early = Duration.between(clock.instant(), task.times().dueAt());
    clock.advance(early.isNegative() ? Duration.ZERO : early);
  }

  /** So that the next claim finds the next task. */
  private void putAway(Task task) {
    if (task.state().isLive() && task.state() != TaskState.WAITING) {
      write(lifecycle.cancel(task));
    }
  }
}
