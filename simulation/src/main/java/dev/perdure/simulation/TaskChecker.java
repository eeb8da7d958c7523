// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.json.PolicyJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks the invariants of one task. It derives the expected row from the requests to the store and
 * their results, and compares each step with it.
 */
final class TaskChecker {

  /** An end that is written and of which no listener was notified yet. */
  private record PendingNotification(long epoch, long attempt, TaskState state) {}

  /** A node starts nothing from a claim response that is older than this. */
  private static final Duration MAX_START_DELAY = NodeLeaseOptions.DEFAULT.stopAfter();

  private final World world;
  private final Map<LeaseKey, Instant> leaseEndedAt = new HashMap<>();
  private final Set<PendingNotification> pendingNotifications = new HashSet<>();
  private final List<String> ends = new ArrayList<>();
  private Task last;
  private Instant notBefore;
  private RetryLimit limit;
  private long lastReceivedEpoch;
  private @Nullable TaskEvent lastEndEvent;

  TaskChecker(World world, Task task, DueTime dueTime) {
    this.world = world;
    this.last = task;
    this.notBefore = dueInstant(dueTime, world.now());
    this.limit = limit(task.definition());
  }

  private static RetryLimit limit(TaskDefinition task) {
    String policy = task.policy();
    return policy == null ? RetryLimit.none() : PolicyJson.read(policy).maxRetries();
  }

  private Instant dueInstant(DueTime dueTime, Instant before) {
    return switch (dueTime) {
      case DueTime.Unchanged unchanged -> before;
      case DueTime.In in -> world.now().plus(Duration.ofMillis(in.delay().toMillis()));
      case DueTime.At at -> at.instant();
    };
  }

  /** Returns every end that was written, in order. */
  List<String> ends() {
    return ends;
  }

  /** Describes an end in the form that its delivery contains. */
  static String describeEnd(TaskChange change) {
    return change.to().text() + " " + change.guard().epoch() + "/" + change.guard().attempt();
  }

  void requireUnchanged(@Nullable Task row) {
    require(last.equals(row), Invariant.NO_UNREQUESTED_CHANGE, "the row changed to " + row);
  }

  void claimed(Task row) {
    Instant now = world.now();
    require(
        last.state().isClaimable() && !last.paused() && !last.parked(),
        Invariant.ONLY_CLAIMABLE_IS_CLAIMED,
        "claimed in state " + last.state() + " with hold " + last.hold());
    require(
        !now.isBefore(notBefore),
        Invariant.NEVER_EARLY,
        "claimed at %s, but due at %s".formatted(now, notBefore));
    require(
        row.epoch() == last.epoch() + 1,
        Invariant.FENCING,
        "a claim changed the epoch from " + last.epoch() + " to " + row.epoch());
    require(
        row.retryCounters().equals(last.retryCounters()),
        Invariant.ATTEMPTS_NUMBERED,
        "a claim changed the counters from " + last.retryCounters() + " to " + row.retryCounters());
    last = row;
  }

  /**
   * Checks what a propagation changed: only the counts, and the state of a task that waits no
   * longer. Returns whether it does.
   */
  boolean propagated(Task row) {
    // Whether a release was right is checked against the parents, not against the counts.
    boolean released =
        last.state() == TaskState.WAITING
            && (row.state() == TaskState.PENDING || row.dependencies().unmet() == 0);
    last =
        ExpectedRows.with(
            last,
            last.definition(),
            released ? TaskState.PENDING : last.state(),
            last.hold(),
            released ? row.times() : last.times(),
            row.dependencies());
    requireUnchanged(row);
    return released;
  }

  /** Checks that a write has changed the row to the one that was expected. */
  void rewritten(Task expected, Task row, Invariant invariant) {
    last = expected;
    require(expected.equals(row), invariant, "it is " + row + " instead of " + expected);
  }

  /** Checks that the task took the payload, due time and policy of a duplicate if it had to. */
  void replaced(Submission.NewTaskRow by, Task row) {
    boolean unclaimed = last.epoch() == 0 && last.state() != TaskState.RETRY_PENDING;
    world.trace.covered(
        unclaimed ? CoveragePoint.DUPLICATE_REPLACED : CoveragePoint.DUPLICATE_NOT_REPLACED);
    if (unclaimed) {
      notBefore = dueInstant(by.due(), world.now());
      limit = limit(by.definition());
    }
    Task expected =
        unclaimed ? ExpectedRows.replaced(last, by.definition(), notBefore, world.now()) : last;
    rewritten(expected, row, Invariant.REPLACED_BEFORE_START);
  }

  /** Records that the node received the response to its claim. */
  void claimReceived(LeaseKey key) {
    lastReceivedEpoch = Math.max(lastReceivedEpoch, key.epoch());
  }

  /** Checks the start of an execution. The response to its claim may have been slow. */
  void started(SimulatedExecution execution) {
    Instant ended = leaseEndedAt.get(execution.key());
    if (ended == null) {
      return;
    }
    execution.leaseEndedElsewhere();
    boolean late = ended.plus(MAX_START_DELAY).isBefore(world.now());
    require(
        !late || execution.process().frozeSince(ended),
        Invariant.NO_STALE_START,
        "epoch %d starts at %s, but its lease ended at %s"
            .formatted(execution.key().epoch(), world.now(), ended));
  }

  void heartbeatRecorded(Task row) {
    require(
        last.state().isLeased() && last.epoch() == row.epoch(),
        Invariant.FENCING,
        "a heartbeat was accepted in state " + last.state());
    Duration timeout = last.definition().timeout();
    // In the store the attempt was already inactive; its node knew of a later heartbeat.
    if (timeout != null && !last.times().updatedAt().plus(timeout).isAfter(world.now())) {
      world.trace.covered(CoveragePoint.HEARTBEAT_BEAT_TIMEOUT);
    }
    last = row;
  }

  /** Checks a change that the store applied, against the row and the attempt records it has now. */
  void changed(TaskChange change, Task row, NodeProcess by, List<Attempt> records) {
    requireGuard(change);
    requireFinal(change);
    requireAttemptNumber(change);
    require(
        row.state() == change.to()
            && row.epoch() == last.epoch() + (isResolved(change) ? 1 : 0)
            && row.retryCounters().equals(change.retryCounters()),
        Invariant.ACKNOWLEDGED_WRITE_DURABLE,
        change.event()
            + " was acknowledged, but the row has "
            + row.state()
            + " "
            + row.retryCounters());
    if (last.state().isLeased() && !change.to().isLeased()) {
      leaseEnded(change, by, records);
    }
    CoverageDetector.detect(world.trace, last, change);
    updateNotBefore(change);
    if (change.to().isTerminal()) {
      ends.add(describeEnd(change));
      pendingNotifications.add(
          new PendingNotification(change.guard().epoch(), change.guard().attempt(), change.to()));
    }
    last = row;
  }

  private void requireGuard(TaskChange change) {
    Guard guard = change.guard();
    require(
        guard.epoch() == last.epoch()
            && guard.from() == last.state()
            && guard.attempt() == last.retryCounters().attempt()
            && (guard.dependencies() == null || guard.dependencies().equals(last.dependencies())),
        Invariant.FENCING,
        "%s with %s was accepted, but the task was %s in epoch %d with %s"
            .formatted(change.event(), guard, last.state(), last.epoch(), last.dependencies()));
  }

  private void requireFinal(TaskChange change) {
    require(
        last.state().isLive() || change.resetsRetries() || isResolved(change),
        Invariant.TERMINAL_IS_FINAL,
        change.event() + " changed an ended task: " + last.state());
  }

  /** An operator marked a failed task as succeeded, which has an epoch of its own. */
  private static boolean isResolved(TaskChange change) {
    return change.event() == TaskEvent.RESOLVE && change.guard().from() == TaskState.FAILURE;
  }

  private void requireAttemptNumber(TaskChange change) {
    boolean next =
        change.resetsRetries()
            || change.event() == TaskEvent.FAIL_AND_RETRY
            || change.event() == TaskEvent.TIME_OUT_AND_RETRY;
    long expected = last.retryCounters().attempt() + (next ? 1 : 0);
    require(
        change.retryCounters().attempt() == expected,
        Invariant.ATTEMPTS_NUMBERED,
        "%s wrote attempt %d after attempt %d"
            .formatted(
                change.event(), change.retryCounters().attempt(), last.retryCounters().attempt()));
    require(
        limit.unlimited() || change.retryCounters().policyAttempt() <= limit.retries(),
        Invariant.RETRIES_WITHIN_POLICY,
        "retry " + change.retryCounters().policyAttempt() + " of at most " + limit.retries());
  }

  private void leaseEnded(TaskChange change, NodeProcess by, List<Attempt> records) {
    List<Attempt> ofLease =
        records.stream().filter(record -> record.epoch() == last.epoch()).toList();
    require(
        ofLease.size() == 1 && ofLease.getFirst().number() == last.retryCounters().attempt(),
        Invariant.ONE_OUTCOME_PER_LEASE,
        "epoch " + last.epoch() + " ended with the attempt records " + ofLease);
    SimulatedExecution execution = world.executions.find(last.lease());
    requireRecordMatches(change, execution);
    lastEndEvent = change.event();
    leaseEndedAt.put(last.lease(), world.now());
    switch (change.event()) {
      case WORKER_LOST, WORKER_LOST_AND_GIVE_UP -> requireLossCause(execution, by);
      case TIME_OUT_AND_RETRY, TIME_OUT_AND_GIVE_UP -> requireTimeoutCause(execution);
      case CANCEL, EXPIRE -> leaseEndedElsewhere(execution);
      case HAND_BACK -> handedBack(change, execution);
      default -> {}
    }
  }

  private void requireRecordMatches(TaskChange change, @Nullable SimulatedExecution execution) {
    SimulatedExecution.ReportedOutcome reported =
        execution == null ? SimulatedExecution.ReportedOutcome.NONE : execution.reportedOutcome();
    boolean matches =
        switch (change.event()) {
          case SUCCEED -> reported == SimulatedExecution.ReportedOutcome.SUCCEEDED;
          case FAIL_AND_RETRY, FAIL_AND_GIVE_UP ->
              reported == SimulatedExecution.ReportedOutcome.FAILED
                  || (reported == SimulatedExecution.ReportedOutcome.SUCCEEDED
                      && hasRejectedResult(change));
          case SNOOZE -> reported == SimulatedExecution.ReportedOutcome.SNOOZED;
          // The engine treats whatever an interrupted handler throws as its response to the
          // interrupt.
          case HAND_BACK -> execution == null || execution.wasStopped() || isParked(change);
          default -> true;
        };
    require(
        matches,
        Invariant.RECORD_MATCHES_EXECUTION,
        "epoch "
            + last.epoch()
            + " is recorded as "
            + change.event()
            + ", but its handler reported "
            + reported);
  }

  private static boolean hasRejectedResult(TaskChange change) {
    return change.attemptDetails() != null
        && FailingStore.REJECTED_RESULT.equals(change.attemptDetails().code());
  }

  private static boolean isParked(TaskChange change) {
    return change.holdChange().set().contains(HoldReason.PARKED);
  }

  private void requireTimeoutCause(@Nullable SimulatedExecution execution) {
    Duration timeout = requireNonNull(last.definition().timeout(), "timeout");
    require(
        execution != null && execution.wasInactiveFor(timeout),
        Invariant.TIMEOUT_HAS_A_CAUSE,
        "epoch %d timed out after %s, but its handler %s"
            .formatted(last.epoch(), timeout, execution == null ? "never ran" : "had a heartbeat"));
  }

  private void requireLossCause(@Nullable SimulatedExecution execution, NodeProcess reaper) {
    String objection = LossCause.objection(world, last.worker(), execution, reaper);
    require(
        objection == null,
        Invariant.LOSS_HAS_A_CAUSE,
        "epoch " + last.epoch() + " was lost, but " + objection);
  }

  private static void leaseEndedElsewhere(@Nullable SimulatedExecution execution) {
    if (execution != null) {
      execution.leaseEndedElsewhere();
    }
  }

  private void handedBack(TaskChange change, @Nullable SimulatedExecution execution) {
    if (execution == null && !isParked(change)) {
      world.trace.covered(
          lastReceivedEpoch < last.epoch()
              ? CoveragePoint.LOST_CLAIM_HANDED_BACK
              : CoveragePoint.CLAIM_RESPONSE_TOO_LATE);
    }
  }

  private void updateNotBefore(TaskChange change) {
    Instant written = dueInstant(change.due(), notBefore);
    Duration delay = change.attemptDetails() == null ? null : change.attemptDetails().delay();
    // The delay in the attempt record counts, even if another due time was written with it.
    notBefore = delay == null ? written : world.now().plusMillis(delay.toMillis());
  }

  /** Checks a change that the store refused. */
  void refused(TaskChange change, Task row) {
    requireUnchanged(row);
    boolean sameLease = row.epoch() == change.guard().epoch();
    if (sameLease && change.event() == lastEndEvent && change.attemptDetails() != null) {
      world.trace.covered(CoveragePoint.SETTLE_REPEATED_AFTER_LOST_RESPONSE);
    }
    CoverageDetector.detectRefused(world, row, change);
  }

  /** Checks that a listener is notified of an end once and only after it is written. */
  void listenerNotified(TaskChange change, NodeProcess by) {
    if (change.to().isTerminal()) {
      require(
          pendingNotifications.remove(
              new PendingNotification(
                  change.guard().epoch(), change.guard().attempt(), change.to())),
          Invariant.LISTENER_MATCHES_STORE,
          by.name() + " reported " + change.event() + ", but the task is " + last.state());
    }
  }

  boolean isUnfinished() {
    return last.state().isLive() && !last.parked();
  }

  void checkFinalState(List<Attempt> records) {
    require(
        records.size() == last.epoch() - (last.state().isLeased() ? 1 : 0),
        Invariant.ONE_OUTCOME_PER_LEASE,
        last.epoch() + " leases have " + records.size() + " attempt records");
  }

  private void require(boolean holds, Invariant invariant, String what) {
    if (!holds) {
      world.violations.report(invariant, "task " + Trace.shortId(last.id()) + ": " + what);
    }
  }

  UUID id() {
    return last.id();
  }

  Task last() {
    return last;
  }
}
