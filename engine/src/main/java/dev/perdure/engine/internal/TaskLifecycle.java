// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldChange;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a task changes when something happens to it: the state machine, the retry policy and
 * the deliveries together, before any store is involved. The same task, event and instant always
 * give the same change, except for the ids of the deliveries. Thread-safe.
 *
 * <p>An event that the state does not allow throws {@link IllegalTransitionException}.
 */
public final class TaskLifecycle {

  private final LossLimit lossLimit;
  private final DeliveryPlanner deliveryPlanner;
  private final DeliveryIdGenerator deliveryIdGenerator;
  private final PolicyCache policies = new PolicyCache();

  /** A lifecycle without deliveries. */
  public TaskLifecycle(LossLimit lossLimit) {
    this(
        lossLimit,
        DeliveryPlanner.NONE,
        shard -> {
          throw new IllegalStateException("a lifecycle without deliveries needs no ids");
        });
  }

  public TaskLifecycle(
      LossLimit lossLimit,
      DeliveryPlanner deliveryPlanner,
      DeliveryIdGenerator deliveryIdGenerator) {
    this.lossLimit = lossLimit;
    this.deliveryPlanner = deliveryPlanner;
    this.deliveryIdGenerator = deliveryIdGenerator;
  }

  /**
   * The change when an attempt ends. {@code now} is the database's clock, as well as the caller
   * knows it.
   */
  public TaskChange settle(Task task, Outcome outcome, Instant now) {
    return switch (outcome) {
      case Outcome.Succeeded done ->
          on(task, TaskEvent.SUCCEED).note(AttemptDetails.success(done.result())).change();
      case Outcome.Failed failed ->
          failed(task, failed, now, TaskEvent.FAIL_AND_RETRY, TaskEvent.FAIL_AND_GIVE_UP, false);
      case Outcome.TimedOut silent -> timedOut(task, now, false);
      case Outcome.Snoozed snoozed ->
          on(task, TaskEvent.SNOOZE)
              .due(DueTime.in(snoozed.delay()))
              .note(AttemptDetails.of(AttemptOutcome.SNOOZED).withDelay(snoozed.delay()))
              .change();
      case Outcome.HandedOff handedOff -> handedOff(task, handedOff.cancelAction());
      case Outcome.HandedBack back -> handedBack(task);
      case Outcome.Parked parked -> parked(task, parked.reason(), false);
    };
  }

  /**
   * The change when an attempt ends and reports items. Deliveries see the new counters.
   *
   * @param counterDelta one that {@link CounterDelta#fitsOn fits}
   */
  public TaskChange settle(Task task, Outcome outcome, CounterDelta counterDelta, Instant now) {
    return settle(task.withCounterDelta(counterDelta), outcome, now).withCounterDelta(counterDelta);
  }

  /**
   * The deliveries that tell a callee to stop when it took over a task that had already ended.
   *
   * @param handOff the hand-off that was refused
   */
  public List<NewDelivery> lateCancelDeliveries(Task task, TaskChange handOff) {
    return planDeliveries(task, handOff);
  }

  /** The attempt starts; needed only for a task that was claimed without starting it. */
  public TaskChange start(Task task) {
    return on(task, TaskEvent.START).change();
  }

  /**
   * The store saw no heartbeat for the task's timeout; it checks that again when it writes. Only
   * for attempts that no node runs: a node knows its own attempts better than the store.
   */
  public TaskChange timeOut(Task task, Instant now) {
    return timedOut(task, now, true);
  }

  private TaskChange timedOut(Task task, Instant now, boolean inactive) {
    Duration timeout = task.definition().timeout();
    String length = timeout == null ? "its timeout" : DurationText.format(timeout);
    Failure timeoutFailure = Failure.timeout().withMessage("no heartbeat for " + length);
    return failed(
        task,
        new Outcome.Failed(timeoutFailure, null),
        now,
        TaskEvent.TIME_OUT_AND_RETRY,
        TaskEvent.TIME_OUT_AND_GIVE_UP,
        inactive);
  }

  /** Like {@link #workerLost(Task, String)}, with the worker as it is stored. */
  public TaskChange workerLost(Task task) {
    return workerLost(task, String.valueOf(task.worker()));
  }

  /**
   * The owner of the lease died. A lease whose attempt never started does not count as a loss.
   *
   * @param workerName what people call the owner: of a node, its name instead of its id
   */
  public TaskChange workerLost(Task task, String workerName) {
    AttemptDetails note =
        AttemptDetails.of(AttemptOutcome.LOST, "its worker was lost: " + workerName);
    if (task.state() != TaskState.RUNNING) {
      return on(task, TaskEvent.WORKER_LOST).inactive(true).note(note).change();
    }
    RetryCounters counters = task.retryCounters().afterLoss();
    if (counters.losses() > lossLimit.maxLosses()) {
      return on(task, TaskEvent.WORKER_LOST_AND_GIVE_UP)
          .inactive(true)
          .counting(counters)
          .reason(TaskGiveUpReason.LOST)
          .note(note)
          .change();
    }
    Duration wait = LossLimit.waitAfter(counters.losses());
    return on(task, TaskEvent.WORKER_LOST)
        .inactive(true)
        .counting(counters)
        .due(DueTime.in(wait))
        .note(note.withDelay(wait))
        .change();
  }

  /** The task's deadline passed. */
  public TaskChange expire(Task task) {
    return on(task, TaskEvent.EXPIRE)
        .reason(TaskGiveUpReason.EXPIRED)
        .note(
            task.state().isLeased()
                ? AttemptDetails.of(AttemptOutcome.FAILURE, "the deadline passed")
                : null)
        .change();
  }

  public TaskChange cancel(Task task) {
    return on(task, TaskEvent.CANCEL)
        .note(task.state().isLeased() ? AttemptDetails.of(AttemptOutcome.CANCELED) : null)
        .change();
  }

  public TaskChange pause(Task task) {
    return on(task, TaskEvent.PAUSE).hold(HoldChange.setting(HoldReason.PAUSED)).change();
  }

  /** Resumes a paused or parked task. */
  public TaskChange resume(Task task) {
    return on(task, TaskEvent.RESUME)
        .hold(HoldChange.clearing(HoldReason.PAUSED, HoldReason.PARKED))
        .change();
  }

  /** Moves a task that is not claimed yet to another instant. */
  public TaskChange reschedule(Task task, DueTime dueTime) {
    return on(task, TaskEvent.RESCHEDULE).due(dueTime).change();
  }

  /**
   * Runs an ended task again, even if it was parked; its policy starts over. It waits while tasks
   * that it depends on have not ended, and cannot be revived while one of them has failed.
   */
  public TaskChange revive(Task task) {
    return revive(task, DueTime.now());
  }

  /** Like {@link #revive(Task)}, at this time. */
  public TaskChange revive(Task task, DueTime dueTime) {
    boolean waits = task.dependencies().unmet() > 0;
    ChangeBuilder revived = on(task, waits ? TaskEvent.REVIVE_WAITING : TaskEvent.REVIVE);
    if (task.dependencies().failed() > 0) {
      throw new IllegalTransitionException(
          task.id(), task.state(), TaskEvent.REVIVE, "a task that it depends on failed");
    }
    return revived(revived.due(dueTime), task);
  }

  /** Like {@link #revive(Task)}, whatever the tasks that it depends on do. */
  public TaskChange reviveIgnoringDependencies(Task task) {
    return revived(on(task, TaskEvent.REVIVE_IGNORING_DEPENDENCIES).due(DueTime.now()), task);
  }

  /**
   * A task that failed because of another one comes back with it. It is due now, unless it was
   * submitted for later.
   */
  public TaskChange reviveAfterUpstream(Task task) {
    boolean waits = task.dependencies().unmet() > 0;
    ChangeBuilder revived = on(task, waits ? TaskEvent.REVIVE_WAITING : TaskEvent.REVIVE);
    return revived(revived.due(DueTime.unchanged()), task);
  }

  private static TaskChange revived(ChangeBuilder changeBuilder, Task task) {
    return changeBuilder
        .counting(task.retryCounters().afterRevive())
        .hold(HoldChange.clearing(HoldReason.PARKED))
        .comparingDependencies()
        .change();
  }

  /** A task that it depends on, and that had to succeed, did not. */
  public TaskChange failUpstream(Task task) {
    return on(task, TaskEvent.FAIL_UPSTREAM)
        .reason(TaskGiveUpReason.UPSTREAM_FAILED)
        .comparingDependencies()
        .change();
  }

  /**
   * An operator marks the failed task as succeeded.
   *
   * @param result the result in JSON that its children get
   */
  public TaskChange resolve(Task task, @Nullable String result, String reason) {
    return on(task, TaskEvent.RESOLVE).note(AttemptDetails.resolved(result, reason)).change();
  }

  private TaskChange failed(
      Task task,
      Outcome.Failed failed,
      Instant now,
      TaskEvent retryEvent,
      TaskEvent giveUpEvent,
      boolean inactive) {
    Decision decision;
    try {
      decision = decide(task, failed.failure(), now);
    } catch (InvalidPolicyException unreadable) {
      return parked(task, "its policy cannot be read: " + unreadable.getMessage(), inactive);
    }
    return switch (decision) {
      case Decision.Retry retry ->
          on(task, retryEvent)
              .inactive(inactive)
              .counting(task.retryCounters().afterRetry(retry.delay()))
              .due(DueTime.in(retry.delay()))
              .note(AttemptDetails.failure(failed.failure(), failed.stack(), retry.delay()))
              .change();
      case Decision.GiveUp giveUp ->
          on(task, giveUpEvent)
              .inactive(inactive)
              .reason(TaskGiveUpReason.of(giveUp.reason()))
              .note(AttemptDetails.failure(failed.failure(), failed.stack(), null))
              .change();
    };
  }

  private Decision decide(Task task, Failure failure, Instant now) {
    RetryPolicy policy = policies.read(task.definition().policy());
    RetryCounters counters = task.retryCounters();
    Duration age = Duration.between(task.times().retrySince(), now);
    DecisionContext context =
        new DecisionContext(
            counters.policyAttempt(),
            age.isNegative() ? Duration.ZERO : age,
            now,
            counters.previousDelay());
    return policy.decide(context, failure, SeededRandom.of(task.id(), counters.attempt()));
  }

  /**
   * Without an owner, only the timeout ends the attempt if the callee does not, and the callee
   * needs a handle to report.
   */
  private TaskChange handedOff(Task task, @Nullable String cancelAction) {
    ChangeBuilder changeBuilder = on(task, TaskEvent.HAND_OFF).cancelAction(cancelAction);
    if (task.definition().timeout() == null || task.handleEpoch() == null) {
      throw new IllegalArgumentException(
          "task %s cannot be handed off: it needs a queue and a timeout".formatted(task.id()));
    }
    return changeBuilder.change();
  }

  private TaskChange handedBack(Task task) {
    return on(task, TaskEvent.HAND_BACK)
        .note(AttemptDetails.of(AttemptOutcome.HANDED_BACK))
        .change();
  }

  private TaskChange parked(Task task, String why, boolean inactive) {
    return on(task, TaskEvent.HAND_BACK)
        .inactive(inactive)
        .hold(HoldChange.setting(HoldReason.PARKED))
        .note(AttemptDetails.of(AttemptOutcome.HANDED_BACK, why))
        .change();
  }

  private ChangeBuilder on(Task task, TaskEvent event) {
    return switch (StateMachine.next(task.state(), event)) {
      case Transition.To to ->
          new ChangeBuilder(task, event, to.state(), change -> withDeliveries(task, change));
      case Transition.Illegal illegal ->
          throw new IllegalTransitionException(task.id(), task.state(), event, illegal.reason());
    };
  }

  private TaskChange withDeliveries(Task before, TaskChange change) {
    return needsDeliveries(change) ? change.withDeliveries(planDeliveries(before, change)) : change;
  }

  /** Only the end of a task and a scheduled retry cause deliveries. */
  private static boolean needsDeliveries(TaskChange change) {
    return change.to().isTerminal()
        || (change.to() == TaskState.RETRY_PENDING && change.attemptDetails() != null);
  }

  private List<NewDelivery> planDeliveries(Task before, TaskChange change) {
    List<DeliveryMessage> messages = deliveryPlanner.plan(before, change);
    if (messages.size() > DeliveryPlanner.MAX_DELIVERIES) {
      throw new IllegalArgumentException(
          "a change may cause at most %d deliveries, not %d"
              .formatted(DeliveryPlanner.MAX_DELIVERIES, messages.size()));
    }
    int shard = Shards.of(before.id());
    return messages.stream()
        .map(message -> new NewDelivery(deliveryIdGenerator.next(shard), message))
        .toList();
  }
}
