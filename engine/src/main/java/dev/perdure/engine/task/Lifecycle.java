// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Facts;
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
 * <p>An event that is illegal in the task's state throws {@link TaskRefusedException}.
 */
public final class Lifecycle {

  private final LossLimit lossLimit;
  private final Announcer announcer;
  private final DeliveryIds deliveryIds;
  private final Policies policies = new Policies();

  /** One that tells nobody. */
  public Lifecycle(LossLimit lossLimit) {
    this(
        lossLimit,
        Announcer.SILENT,
        shard -> {
          throw new IllegalStateException("nobody is told anything");
        });
  }

  public Lifecycle(LossLimit lossLimit, Announcer announcer, DeliveryIds deliveryIds) {
    this.lossLimit = lossLimit;
    this.announcer = announcer;
    this.deliveryIds = deliveryIds;
  }

  /** What the end of an attempt means. {@code now} is the database's, as well as it is known. */
  public Change settle(Task task, Outcome outcome, Instant now) {
    return switch (outcome) {
      case Outcome.Succeeded done ->
          on(task, TaskEvent.SUCCEED).note(AttemptNote.success(done.result())).change();
      case Outcome.Failed failed ->
          failed(task, failed, now, TaskEvent.FAIL_AND_RETRY, TaskEvent.FAIL_FOR_GOOD, false);
      case Outcome.TimedOut silent -> timedOut(task, now, false);
      case Outcome.Snoozed snoozed ->
          on(task, TaskEvent.SNOOZE)
              .due(Due.in(snoozed.delay()))
              .note(AttemptNote.of(AttemptOutcome.SNOOZED).withDelay(snoozed.delay()))
              .change();
      case Outcome.Entrusted entrusted -> entrusted(task, entrusted.cancelAction());
      case Outcome.HandedBack back -> handedBack(task);
      case Outcome.Parked parked -> parked(task, parked.why(), false);
    };
  }

  /**
   * The same, and adds to the counters with it: whoever is told of the end is told of that too.
   *
   * @param tally one that {@link Tally#fitsOn fits}
   */
  public Change settle(Task task, Outcome outcome, Tally tally, Instant now) {
    return settle(task.counted(tally), outcome, now).adding(tally);
  }

  /**
   * What a callee is to be told that took a task over when it had ended already.
   *
   * @param entrusting the change that was refused for it
   */
  public List<NewDelivery> recall(Task task, Change entrusting) {
    return news(task, entrusting);
  }

  /** The attempt starts; only a task that was claimed without starting needs it. */
  public Change start(Task task) {
    return on(task, TaskEvent.START).change();
  }

  /**
   * The store was told nothing of the attempt for its timeout; it checks that once more. For those
   * that no node runs: whoever runs an attempt knows better than the store how silent it is.
   */
  public Change timeOut(Task task, Instant now) {
    return timedOut(task, now, true);
  }

  private Change timedOut(Task task, Instant now, boolean inactive) {
    Duration timeout = task.definition().timeout();
    String length = timeout == null ? "its timeout" : DurationText.format(timeout);
    Failure silence = Failure.timeout().withMessage("no sign of life for " + length);
    return failed(
        task,
        new Outcome.Failed(silence, null),
        now,
        TaskEvent.TIME_OUT_AND_RETRY,
        TaskEvent.TIME_OUT_FOR_GOOD,
        inactive);
  }

  /** Whoever held the task is dead. A lease whose attempt never started costs nothing. */
  public Change lose(Task task) {
    AttemptNote note = AttemptNote.of(AttemptOutcome.LOST, "its worker died: " + task.worker());
    if (task.state() != TaskState.RUNNING) {
      return on(task, TaskEvent.LOSE).inactive(true).note(note).change();
    }
    Counting counting = task.counting().lost();
    if (counting.losses() > lossLimit.most()) {
      return on(task, TaskEvent.LOSE_FOR_GOOD)
          .inactive(true)
          .counting(counting)
          .reason(EndReason.LOST)
          .note(note)
          .change();
    }
    Duration wait = LossLimit.waitAfter(counting.losses());
    return on(task, TaskEvent.LOSE)
        .inactive(true)
        .counting(counting)
        .due(Due.in(wait))
        .note(note.withDelay(wait))
        .change();
  }

  /** The deadline passed. */
  public Change expire(Task task) {
    return on(task, TaskEvent.EXPIRE)
        .reason(EndReason.EXPIRED)
        .note(
            task.state().isHeld()
                ? AttemptNote.of(AttemptOutcome.FAILURE, "the deadline passed")
                : null)
        .change();
  }

  public Change cancel(Task task) {
    return on(task, TaskEvent.CANCEL)
        .note(task.state().isHeld() ? AttemptNote.of(AttemptOutcome.CANCELED) : null)
        .change();
  }

  public Change pause(Task task) {
    return on(task, TaskEvent.PAUSE).hold(Hold.PAUSED, 0).change();
  }

  /** Goes on with a task that was paused or parked. */
  public Change resume(Task task) {
    return on(task, TaskEvent.RESUME).hold(0, Hold.PAUSED | Hold.PARKED).change();
  }

  /** Another instant for the retry that waits. */
  public Change retryAt(Task task, Due due) {
    return on(task, TaskEvent.RETRY_AT).due(due).change();
  }

  /** An ended task runs again; its policy counts from here. */
  public Change revive(Task task) {
    TaskEvent event =
        Hold.has(task.hold(), Hold.WAITING) ? TaskEvent.REVIVE_WAITING : TaskEvent.REVIVE;
    return on(task, event).counting(task.counting().revived()).due(Due.now()).change();
  }

  private Change failed(
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
              .counting(task.counting().retried(retry.delay()))
              .due(Due.in(retry.delay()))
              .note(AttemptNote.failure(failed.failure(), failed.stack(), retry.delay()))
              .change();
      case Decision.GiveUp giveUp ->
          on(task, forGood)
              .inactive(inactive)
              .reason(EndReason.of(giveUp.reason()))
              .note(AttemptNote.failure(failed.failure(), failed.stack(), null))
              .change();
    };
  }

  private Decision decide(Task task, Failure failure, Instant now) {
    RetryPolicy policy = policies.read(task.definition().policy());
    Counting counting = task.counting();
    Duration age = Duration.between(task.times().retrySince(), now);
    Facts facts =
        new Facts(
            counting.policyAttempt(),
            age.isNegative() ? Duration.ZERO : age,
            now,
            counting.previousDelay());
    return policy.decide(facts, failure, Draws.of(task.id(), counting.attempt()));
  }

  /** Only silence ends what nobody holds, and only a handle lets the callee say how it ended. */
  private Change entrusted(Task task, @Nullable String cancelAction) {
    Draft draft = on(task, TaskEvent.ENTRUST).cancelAction(cancelAction);
    if (task.definition().timeout() == null || task.handleEpoch() == null) {
      throw new IllegalArgumentException(
          "task %s cannot be entrusted: it needs a lane and a timeout".formatted(task.id()));
    }
    return draft.change();
  }

  private Change handedBack(Task task) {
    return on(task, TaskEvent.HAND_BACK).note(AttemptNote.of(AttemptOutcome.HANDED_BACK)).change();
  }

  private Change parked(Task task, String why, boolean inactive) {
    return on(task, TaskEvent.HAND_BACK)
        .inactive(inactive)
        .hold(Hold.PARKED, 0)
        .note(AttemptNote.of(AttemptOutcome.HANDED_BACK, why))
        .change();
  }

  private Draft on(Task task, TaskEvent event) {
    return switch (StateMachine.next(task.state(), event)) {
      case Step.To to -> new Draft(task, event, to.state());
      case Step.Refused refused ->
          throw new TaskRefusedException(task.id(), task.state(), event, refused.why());
    };
  }

  /** A task ends, or a retry was decided; of anything else nobody outside is told. */
  private static boolean isNews(Change change) {
    return change.to().isTerminal()
        || (change.to() == TaskState.RETRY_PENDING && change.note() != null);
  }

  private List<NewDelivery> news(Task before, Change change) {
    List<Announcement> announcements = announcer.announce(before, change);
    if (announcements.size() > Announcer.MOST_AT_ONCE) {
      throw new IllegalArgumentException(
          "one change announces at most %d, not %d"
              .formatted(Announcer.MOST_AT_ONCE, announcements.size()));
    }
    int shard = Shards.of(before.id());
    return announcements.stream()
        .map(announcement -> new NewDelivery(deliveryIds.next(shard), announcement))
        .toList();
  }

  /** A change that so far leaves everything but the state as it is. */
  private final class Draft {

    private final Task before;
    private final TaskEvent event;
    private final TaskState to;
    private Guard guard;
    private Due due = Due.unchanged();
    private Counting counting;
    private Holding holding = Holding.UNCHANGED;
    private @Nullable EndReason reason;
    private @Nullable AttemptNote note;
    private @Nullable String cancelAction;

    Draft(Task from, TaskEvent event, TaskState to) {
      this.before = from;
      this.event = event;
      this.to = to;
      this.counting = from.counting();
      this.guard = new Guard(from.state(), from.epoch(), counting.attempt(), from.worker(), false);
    }

    Draft inactive(boolean value) {
      guard = new Guard(guard.from(), guard.epoch(), guard.attempt(), guard.worker(), value);
      return this;
    }

    Draft due(Due value) {
      due = value;
      return this;
    }

    Draft counting(Counting value) {
      counting = value;
      return this;
    }

    Draft hold(int set, int clear) {
      holding = new Holding(set, clear);
      return this;
    }

    Draft reason(EndReason value) {
      reason = value;
      return this;
    }

    Draft cancelAction(@Nullable String value) {
      cancelAction = value;
      return this;
    }

    Draft note(@Nullable AttemptNote value) {
      note = value;
      return this;
    }

    Change change() {
      Change change =
          new Change(
              before.id(),
              guard,
              event,
              to,
              due,
              counting,
              holding,
              reason,
              note,
              cancelAction,
              List.of(),
              Tally.NONE);
      return isNews(change) ? change.telling(news(before, change)) : change;
    }
  }
}
