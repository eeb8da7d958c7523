// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldChange;
import dev.perdure.engine.task.HoldFlags;
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
 * Decides what becomes of a task when something happened to it: the state machine and the policy
 * together, and whom to tell, before any store is touched. The same task, event and instant always
 * give the same change, but for the ids of its deliveries. Safe to share.
 *
 * <p>An event that is illegal in the task's state throws {@link IllegalTransitionException}.
 */
public final class TaskLifecycle {

  private final LossLimit lossLimit;
  private final DeliveryPlanner deliveryPlanner;
  private final DeliveryIdGenerator deliveryIdGenerator;
  private final PolicyCache policyCache = new PolicyCache();

  /** One that tells nobody. */
  public TaskLifecycle(LossLimit lossLimit) {
    this(
        lossLimit,
        DeliveryPlanner.NONE,
        shard -> {
          throw new IllegalStateException("nobody is told anything");
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

  /** What the end of an attempt means. {@code now} is the database's, as well as it is known. */
  public TaskChange settle(Task task, Outcome outcome, Instant now) {
    return switch (outcome) {
      case Outcome.Succeeded done ->
          on(task, TaskEvent.SUCCEED).note(AttemptDetails.success(done.result())).change();
      case Outcome.Failed failed ->
          failed(task, failed, now, TaskEvent.FAIL_AND_RETRY, TaskEvent.FAIL_AND_GIVE_UP, false);
      case Outcome.TimedOut silent -> timedOut(task, now, false);
      case Outcome.Snoozed snoozed ->
          on(task, TaskEvent.SNOOZE)
              .due(Due.in(snoozed.delay()))
              .note(AttemptDetails.of(AttemptOutcome.SNOOZED).withDelay(snoozed.delay()))
              .change();
      case Outcome.HandedOff handedOff -> handedOff(task, handedOff.cancelAction());
      case Outcome.HandedBack back -> handedBack(task);
      case Outcome.Parked parked -> parked(task, parked.reason(), false);
    };
  }

  /**
   * The same, and adds to the counters with it: whoever is told of the end is told of that too.
   *
   * @param counterDelta one that {@link CounterDelta#fitsOn fits}
   */
  public TaskChange settle(Task task, Outcome outcome, CounterDelta counterDelta, Instant now) {
    return settle(task.withCounterDelta(counterDelta), outcome, now).withCounterDelta(counterDelta);
  }

  /**
   * What a callee is to be told that took a task over when it had ended already.
   *
   * @param entrusting the change that was refused for it
   */
  public List<NewDelivery> lateCancelDeliveries(Task task, TaskChange entrusting) {
    return planDeliveries(task, entrusting);
  }

  /** The attempt starts; only a task that was claimed without starting needs it. */
  public TaskChange start(Task task) {
    return on(task, TaskEvent.START).change();
  }

  /**
   * The store was told nothing of the attempt for its timeout; it checks that once more. For those
   * that no node runs: whoever runs an attempt knows better than the store how silent it is.
   */
  public TaskChange timeOut(Task task, Instant now) {
    return timedOut(task, now, true);
  }

  private TaskChange timedOut(Task task, Instant now, boolean inactive) {
    Duration timeout = task.definition().timeout();
    String length = timeout == null ? "its timeout" : DurationText.format(timeout);
    Failure silence = Failure.timeout().withMessage("no sign of life for " + length);
    return failed(
        task,
        new Outcome.Failed(silence, null),
        now,
        TaskEvent.TIME_OUT_AND_RETRY,
        TaskEvent.TIME_OUT_AND_GIVE_UP,
        inactive);
  }

  /** Whoever held the task is dead. A lease whose attempt never started costs nothing. */
  public TaskChange workerLost(Task task) {
    AttemptDetails note =
        AttemptDetails.of(AttemptOutcome.LOST, "its worker died: " + task.worker());
    if (task.state() != TaskState.RUNNING) {
      return on(task, TaskEvent.WORKER_LOST).inactive(true).note(note).change();
    }
    RetryCounters retryCounters = task.retryCounters().afterLoss();
    if (retryCounters.losses() > lossLimit.maxLosses()) {
      return on(task, TaskEvent.WORKER_LOST_AND_GIVE_UP)
          .inactive(true)
          .counting(retryCounters)
          .reason(TaskGiveUpReason.LOST)
          .note(note)
          .change();
    }
    Duration wait = LossLimit.waitAfter(retryCounters.losses());
    return on(task, TaskEvent.WORKER_LOST)
        .inactive(true)
        .counting(retryCounters)
        .due(Due.in(wait))
        .note(note.withDelay(wait))
        .change();
  }

  /** The deadline passed. */
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
    return on(task, TaskEvent.PAUSE).hold(HoldFlags.PAUSED, 0).change();
  }

  /** Goes on with a task that was paused or parked. */
  public TaskChange resume(Task task) {
    return on(task, TaskEvent.RESUME).hold(0, HoldFlags.PAUSED | HoldFlags.PARKED).change();
  }

  /** Another instant for the retry that waits. */
  public TaskChange retryAt(Task task, Due due) {
    return on(task, TaskEvent.RETRY_AT).due(due).change();
  }

  /** An ended task runs again; its policy counts from here. */
  public TaskChange revive(Task task) {
    TaskEvent event =
        HoldFlags.isSet(task.hold(), HoldFlags.WAITING)
            ? TaskEvent.REVIVE_WAITING
            : TaskEvent.REVIVE;
    return on(task, event).counting(task.retryCounters().afterRevive()).due(Due.now()).change();
  }

  private TaskChange failed(
      Task task,
      Outcome.Failed failed,
      Instant now,
      TaskEvent again,
      TaskEvent forGood,
      boolean inactive) {
    Decision decision;
    try {
      decision = decide(task, failed.failure(), now);
    } catch (InvalidPolicyException unreadable) {
      return parked(task, "its policy cannot be read: " + unreadable.getMessage(), inactive);
    }
    return switch (decision) {
      case Decision.Retry retry ->
          on(task, again)
              .inactive(inactive)
              .counting(task.retryCounters().afterRetry(retry.delay()))
              .due(Due.in(retry.delay()))
              .note(AttemptDetails.failure(failed.failure(), failed.stack(), retry.delay()))
              .change();
      case Decision.GiveUp giveUp ->
          on(task, forGood)
              .inactive(inactive)
              .reason(TaskGiveUpReason.of(giveUp.reason()))
              .note(AttemptDetails.failure(failed.failure(), failed.stack(), null))
              .change();
    };
  }

  private Decision decide(Task task, Failure failure, Instant now) {
    RetryPolicy policy = policyCache.read(task.definition().policy());
    RetryCounters retryCounters = task.retryCounters();
    Duration age = Duration.between(task.times().retrySince(), now);
    DecisionContext decisionContext =
        new DecisionContext(
            retryCounters.policyAttempt(),
            age.isNegative() ? Duration.ZERO : age,
            now,
            retryCounters.previousDelay());
    return policy.decide(
        decisionContext, failure, SeededRandom.of(task.id(), retryCounters.attempt()));
  }

  /** Only silence ends what nobody holds, and only a handle lets the callee say how it ended. */
  private TaskChange handedOff(Task task, @Nullable String cancelAction) {
    ChangeBuilder changeBuilder = on(task, TaskEvent.HAND_OFF).cancelAction(cancelAction);
    if (task.definition().timeout() == null || task.handleEpoch() == null) {
      throw new IllegalArgumentException(
          "task %s cannot be entrusted: it needs a lane and a timeout".formatted(task.id()));
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
        .hold(HoldFlags.PARKED, 0)
        .note(AttemptDetails.of(AttemptOutcome.HANDED_BACK, why))
        .change();
  }

  private ChangeBuilder on(Task task, TaskEvent event) {
    return switch (StateMachine.next(task.state(), event)) {
      case Transition.To to -> new ChangeBuilder(task, event, to.state());
      case Transition.Illegal refused ->
          throw new IllegalTransitionException(task.id(), task.state(), event, refused.reason());
    };
  }

  /** A task ends, or a retry was decided; of anything else nobody outside is told. */
  private static boolean needsDeliveries(TaskChange taskChange) {
    return taskChange.to().isTerminal()
        || (taskChange.to() == TaskState.RETRY_PENDING && taskChange.attemptDetails() != null);
  }

  private List<NewDelivery> planDeliveries(Task before, TaskChange taskChange) {
    List<DeliveryMessage> deliveryMessages = deliveryPlanner.plan(before, taskChange);
    if (deliveryMessages.size() > DeliveryPlanner.MAX_DELIVERIES) {
      throw new IllegalArgumentException(
          "one change announces at most %d, not %d"
              .formatted(DeliveryPlanner.MAX_DELIVERIES, deliveryMessages.size()));
    }
    int shard = Shards.of(before.id());
    return deliveryMessages.stream()
        .map(deliveryMessage -> new NewDelivery(deliveryIdGenerator.next(shard), deliveryMessage))
        .toList();
  }

  /** A change that so far leaves everything but the state as it is. */
  private final class ChangeBuilder {

    private final Task before;
    private final TaskEvent event;
    private final TaskState to;
    private Guard guard;
    private Due due = Due.unchanged();
    private RetryCounters retryCounters;
    private HoldChange holdChange = HoldChange.UNCHANGED;
    private @Nullable TaskGiveUpReason reason;
    private @Nullable AttemptDetails note;
    private @Nullable String cancelAction;

    ChangeBuilder(Task from, TaskEvent event, TaskState to) {
      this.before = from;
      this.event = event;
      this.to = to;
      this.retryCounters = from.retryCounters();
      this.guard =
          new Guard(from.state(), from.epoch(), retryCounters.attempt(), from.worker(), false);
    }

    ChangeBuilder inactive(boolean value) {
      guard = new Guard(guard.from(), guard.epoch(), guard.attempt(), guard.worker(), value);
      return this;
    }

    ChangeBuilder due(Due value) {
      due = value;
      return this;
    }

    ChangeBuilder counting(RetryCounters value) {
      retryCounters = value;
      return this;
    }

    ChangeBuilder hold(int set, int clear) {
      holdChange = new HoldChange(set, clear);
      return this;
    }

    ChangeBuilder reason(TaskGiveUpReason value) {
      reason = value;
      return this;
    }

    ChangeBuilder cancelAction(@Nullable String value) {
      cancelAction = value;
      return this;
    }

    ChangeBuilder note(@Nullable AttemptDetails value) {
      note = value;
      return this;
    }

    TaskChange change() {
      TaskChange taskChange =
          new TaskChange(
              before.id(),
              guard,
              event,
              to,
              due,
              retryCounters,
              holdChange,
              reason,
              note,
              cancelAction,
              List.of(),
              CounterDelta.NONE);
      return needsDeliveries(taskChange)
          ? taskChange.withDeliveries(planDeliveries(before, taskChange))
          : taskChange;
    }
  }
}
