// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.internal.StateMachine;
import dev.perdure.engine.internal.Transition;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every combination of state and event. A legal pair changes the task as {@link StateMachine} says.
 * An illegal pair is sent as a change that was decided in another state, where the event is legal,
 * and must change nothing.
 */
abstract class StateTransitionContract extends StoreContract {

  private static final String QUEUE = "perdure:pair";
  private static final String PARENTS = "perdure:parents";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Outcome FAILED_PERMANENTLY =
      new Outcome.Failed(Failure.explicit("final").withPermanent(true), null);

  StateTransitionContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
  void legal_events_change_the_state(TaskState from) {
    List<TaskEvent> legal = events(from, true);
    assertThat(legal).isNotEmpty();
    for (TaskEvent event : legal) {
      Task before = event == TaskEvent.REVIVE_WAITING ? endedWithParent(from) : taskIn(from);
      clock.advance(TIMEOUT);
      switch (event) {
        case CLAIM -> {
          makeDue(before);
          assertThat(claimed(QUEUE).id()).isEqualTo(before.id());
        }
        case MEET_DEPENDENCIES -> {
          settle(running(PARENTS), SUCCEEDED);
          assertThat(store.dependencies().propagate(1).released()).isEqualTo(1);
        }
        default ->
            assertThat(apply(SampleChanges.change(before, from, event)))
                .as("%s × %s", from, event)
                .isEqualTo(WriteResult.written());
      }
      assertMoved(before, event);
      cancelIfLive(find(before.id()));
    }
  }

  private void assertMoved(Task before, TaskEvent event) {
    String pair = before.state() + " × " + event;
    Task after = find(before.id());
    TaskState to = after.state();
    assertThat(StateMachine.next(before.state(), event)).as(pair).isEqualTo(new Transition.To(to));
    assertThat(after.times().updatedAt()).as(pair).isEqualTo(clock.instant());
    assertThat(after.times().endedAt())
        .as(pair)
        .isEqualTo(to.isTerminal() ? clock.instant() : null);
    assertThat(after.worker() != null)
        .as(pair)
        .isEqualTo(to.isLeased() && event != TaskEvent.HAND_OFF);
    assertThat(after.lastResult().giveUpReason() != null)
        .as(pair)
        .isEqualTo(to == TaskState.FAILURE);
    assertThat(after.epoch())
        .as(pair)
        .isEqualTo(
            before.epoch() + (event == TaskEvent.CLAIM || event == TaskEvent.RESOLVE ? 1 : 0));
    assertThat(after.definition()).as(pair).isEqualTo(before.definition());
    List<Attempt> attempts = attempts(before.id());
    boolean recorded = SampleChanges.isRecorded(before.state(), event, to);
    assertThat(attempts.size()).as(pair).isEqualTo(endedBefore(before) + (recorded ? 1 : 0));
    if (recorded) {
      assertRecorded(before, after, event);
    }
  }

  private void assertRecorded(Task before, Task after, TaskEvent event) {
    TaskChange change = SampleChanges.change(before, before.state(), event);
    boolean leased = before.state().isLeased();
    assertThat(attempts(before.id()))
        .as("%s × %s", before.state(), event)
        .contains(
            new Attempt(
                before.id(),
                before.epoch() + (leased ? 0 : 1),
                before.retryCounters().attempt(),
                before.worker(),
                leased ? before.times().startedAt() : null,
                clock.instant(),
                requireNonNull(change.attemptDetails()),
                after.state().isClaimable() ? after.times().dueAt() : null));
  }

  /** Returns how many leases ended before the task reached its state. */
  private static int endedBefore(Task task) {
    return (int) task.epoch() - (task.state().isLeased() ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource
  void illegal_events_change_nothing(TaskState state) {
    List<TaskEvent> illegal = events(state, false);
    assertThat(illegal).isNotEmpty();
    Task task = taskIn(state);
    clock.advance(TIMEOUT.plus(TestTask.DELAY));
    for (TaskEvent event : illegal) {
      Snapshot before = snapshot(task.id());
      if (event == TaskEvent.CLAIM) {
        assertThat(claim(10, QUEUE).leases()).isEmpty();
      } else {
        for (TaskState other : SampleChanges.legalStates(event).toList()) {
          assertThat(apply(SampleChanges.change(task, other, event)))
              .as("%s × %s decided in %s", state, event, other)
              .isEqualTo(WriteResult.refused(state, task.epoch()));
        }
      }
      assertThat(snapshot(task.id())).as("%s × %s", state, event).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void task_lifecycle_refuses_illegal_events(TaskState state) {
    Task task = taskIn(state);
    for (TaskEvent event : events(state, false)) {
      if (isDecidedByLifecycle(event)) {
        assertThatThrownBy(() -> decide(task, event))
            .as("%s × %s", state, event)
            .isInstanceOf(IllegalTransitionException.class)
            .hasMessageContaining(task.id().toString())
            .hasMessageContaining(", which is ");
      }
    }
  }

  /** Returns whether TaskLifecycle decides the event. Other events belong to the store. */
  private static boolean isDecidedByLifecycle(TaskEvent event) {
    return switch (event) {
      case CLAIM, MEET_DEPENDENCIES, REVIVE_WAITING -> false;
      default -> true;
    };
  }

  private TaskChange decide(Task task, TaskEvent event) {
    return switch (event) {
      case START -> lifecycle.start(task);
      case HAND_OFF -> lifecycle.settle(task, new Outcome.HandedOff(null), clock.instant());
      case SUCCEED -> lifecycle.settle(task, SUCCEEDED, clock.instant());
      case FAIL_AND_RETRY -> lifecycle.settle(task, FAILED, clock.instant());
      case FAIL_AND_GIVE_UP -> lifecycle.settle(task, FAILED_PERMANENTLY, clock.instant());
      case TIME_OUT_AND_RETRY, TIME_OUT_AND_GIVE_UP -> lifecycle.timeOut(task, clock.instant());
      case EXPIRE -> lifecycle.expire(task);
      case HAND_BACK -> lifecycle.settle(task, new Outcome.HandedBack(), clock.instant());
      case WORKER_LOST, WORKER_LOST_AND_GIVE_UP -> lifecycle.workerLost(task);
      case SNOOZE -> lifecycle.settle(task, new Outcome.Snoozed(TIMEOUT), clock.instant());
      case CANCEL -> lifecycle.cancel(task);
      case PAUSE -> lifecycle.pause(task);
      case RESUME -> lifecycle.resume(task);
      case RESCHEDULE -> lifecycle.reschedule(task, DueTime.now());
      case REVIVE -> lifecycle.revive(task);
      case REVIVE_IGNORING_DEPENDENCIES -> lifecycle.reviveIgnoringDependencies(task);
      case FAIL_UPSTREAM -> lifecycle.failUpstream(task);
      case RESOLVE -> lifecycle.resolve(task, null, "by hand");
      case CLAIM, MEET_DEPENDENCIES, REVIVE_WAITING ->
          throw new IllegalArgumentException("TaskLifecycle does not decide " + event);
    };
  }

  private static List<TaskEvent> events(TaskState state, boolean legal) {
    return Stream.of(TaskEvent.values())
        .filter(event -> StateMachine.allows(state, event) == legal)
        .toList();
  }

  /** Returns a task in this state. No other task of its queue can be claimed. */
  private Task taskIn(TaskState state) {
    TestTask task = TestTask.retrying("pair").withQueue(QUEUE).withTimeout(TIMEOUT);
    Task pending = find(state == TaskState.WAITING ? submitWithParent(task) : submit(task));
    Task reached =
        switch (state) {
          case WAITING -> pending;
          case PENDING -> pending;
          case CLAIMED -> claimed(QUEUE);
          case RUNNING -> running(QUEUE);
          case RETRY_PENDING -> settle(running(QUEUE), FAILED);
          case SUCCESS -> settle(running(QUEUE), SUCCEEDED);
          case FAILURE -> settle(running(QUEUE), FAILED_PERMANENTLY);
          case CANCELED -> write(lifecycle.cancel(pending));
        };
    assertThat(reached.state()).isEqualTo(state);
    return reached;
  }

  /** Returns a task that ended while it waited for its parent. */
  private Task endedWithParent(TaskState state) {
    Task waiting = taskIn(TaskState.WAITING);
    return write(
        state == TaskState.FAILURE ? lifecycle.expire(waiting) : lifecycle.cancel(waiting));
  }

  private UUID submitWithParent(TestTask child) {
    TestTask parent = TestTask.withoutRetry("pair").withQueue(PARENTS);
    return submitGraph(List.of(parent, child), "0>1").getLast();
  }

  private void makeDue(Task task) {
    Duration early = Duration.between(clock.instant(), task.times().dueAt());
    clock.advance(early.isNegative() ? Duration.ZERO : early);
  }

  /** Cancels the task so that the next claim finds another one. */
  private void cancelIfLive(Task task) {
    if (task.state().isLive()) {
      write(lifecycle.cancel(task));
    }
  }
}
