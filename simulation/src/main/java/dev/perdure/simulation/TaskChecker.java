// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldFlags;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
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
 * What one task went through. It knows by itself what the row must be, from what was asked of the
 * store and what was answered, and holds each step against the promises.
 */
final class TaskChecker {

  /** An end that happened and was not told yet. */
  private record PendingNotification(long epoch, long attempt, TaskState state) {}

  /** A node does not trust an answer for longer than this. */
  private static final Duration MAX_START_DELAY = NodeLeaseOptions.DEFAULT.stopAfter();

  private final World world;
  private final Map<LeaseKey, Instant> leaseEndedAt = new HashMap<>();
  private final RetryLimit limit;
  private final Set<PendingNotification> pendingNotifications = new HashSet<>();
  private final List<String> ends = new ArrayList<>();
  private Task last;
  private Instant notBefore;
  private long lastReceivedEpoch;
  private @Nullable TaskEvent lastEndEvent;

  TaskChecker(World world, Task task, Due due) {
    this.world = world;
    this.last = task;
    this.notBefore = dueInstant(due, world.now());
    String policy = task.definition().policy();
    this.limit = policy == null ? RetryLimit.none() : PolicyJson.read(policy).maxRetries();
  }

  private Instant dueInstant(Due due, Instant before) {
    return switch (due) {
      case Due.Unchanged unchanged -> before;
      case Due.In in -> world.now().plus(Duration.ofMillis(in.delay().toMillis()));
      case Due.At at -> at.instant();
    };
  }

  /** Every end that was written, in order. */
  List<String> ends() {
    return ends;
  }

  /** An end, in the words in which the world outside is told of it. */
  static String describeEnd(TaskChange taskChange) {
    return taskChange.to().text()
        + " "
        + taskChange.guard().epoch()
        + "/"
        + taskChange.guard().attempt();
  }

  void requireUnchanged(@Nullable Task row) {
    require(last.equals(row), Invariant.NO_UNREQUESTED_CHANGE, "the row became " + row);
  }

  void claimed(Task row) {
    Instant now = world.now();
    require(
        last.state().isClaimable() && last.hold() == 0,
        Invariant.ONLY_CLAIMABLE_IS_CLAIMED,
        "claimed although it was " + last.state() + " with hold " + last.hold());
    require(
        !now.isBefore(notBefore),
        Invariant.NEVER_EARLY,
        "claimed at %s, promised not before %s".formatted(now, notBefore));
    require(
        row.epoch() == last.epoch() + 1,
        Invariant.FENCING,
        "the epoch went from " + last.epoch() + " to " + row.epoch());
    require(
        row.retryCounters().equals(last.retryCounters()),
        Invariant.ATTEMPTS_NUMBERED,
        "the claim changed the numbers: " + last.retryCounters() + ", " + row.retryCounters());
    last = row;
  }

  /** The node was told of its claim. */
  void claimReceived(LeaseKey key) {
    lastReceivedEpoch = Math.max(lastReceivedEpoch, key.epoch());
  }

  /** An execution begins; the answer to its claim may have been on its way for a while. */
  void started(SimulatedExecution simulatedExecution) {
    Instant ended = leaseEndedAt.get(simulatedExecution.key());
    if (ended == null) {
      return;
    }
    simulatedExecution.leaseEndedElsewhere();
    boolean late = ended.plus(MAX_START_DELAY).isBefore(world.now());
    require(
        !late || simulatedExecution.process().frozeSince(ended),
        Invariant.NO_STALE_START,
        "epoch %d starts at %s, its lease ended at %s"
            .formatted(simulatedExecution.key().epoch(), world.now(), ended));
  }

  void heartbeatRecorded(Task row) {
    require(
        last.state().isLeased() && last.epoch() == row.epoch(),
        Invariant.FENCING,
        "a sign of life was taken while it was " + last.state());
    Duration timeout = last.definition().timeout();
    // By what the store knew, it was silent for too long; by what its node knew, it was not.
    if (timeout != null && !last.times().updatedAt().plus(timeout).isAfter(world.now())) {
      world.trace.covered(CoveragePoint.HEARTBEAT_BEAT_TIMEOUT);
    }
    last = row;
  }

  /** The store said that it wrote this; {@code row} and {@code records} are what is there now. */
  void changed(TaskChange taskChange, Task row, NodeProcess by, List<Attempt> records) {
    requireFence(taskChange);
    requireFinal(taskChange);
    requireNumbers(taskChange);
    require(
        row.state() == taskChange.to()
            && row.epoch() == last.epoch()
            && row.retryCounters().equals(taskChange.retryCounters()),
        Invariant.ACKNOWLEDGED_WRITE_DURABLE,
        taskChange.event()
            + " was answered, and the row is "
            + row.state()
            + " "
            + row.retryCounters());
    if (last.state().isLeased() && !taskChange.to().isLeased()) {
      leaseEnded(taskChange, by, records);
    }
    CoverageDetector.detect(world.trace, last, taskChange);
    updateNotBefore(taskChange);
    if (taskChange.to().isTerminal()) {
      ends.add(describeEnd(taskChange));
      pendingNotifications.add(
          new PendingNotification(
              taskChange.guard().epoch(), taskChange.guard().attempt(), taskChange.to()));
    }
    last = row;
  }

  private void requireFence(TaskChange taskChange) {
    Guard guard = taskChange.guard();
    require(
        guard.epoch() == last.epoch()
            && guard.from() == last.state()
            && guard.attempt() == last.retryCounters().attempt(),
        Invariant.FENCING,
        "%s of epoch %d was taken, the task was %s in epoch %d"
            .formatted(taskChange.event(), guard.epoch(), last.state(), last.epoch()));
  }

  private void requireFinal(TaskChange taskChange) {
    require(
        last.state().isLive() || taskChange.resetsRetries(),
        Invariant.TERMINAL_IS_FINAL,
        taskChange.event() + " changed what had ended: " + last.state());
  }

  private void requireNumbers(TaskChange taskChange) {
    boolean next =
        taskChange.resetsRetries()
            || taskChange.event() == TaskEvent.FAIL_AND_RETRY
            || taskChange.event() == TaskEvent.TIME_OUT_AND_RETRY;
    long expected = last.retryCounters().attempt() + (next ? 1 : 0);
    require(
        taskChange.retryCounters().attempt() == expected,
        Invariant.ATTEMPTS_NUMBERED,
        "%s made attempt %d of %d"
            .formatted(
                taskChange.event(),
                taskChange.retryCounters().attempt(),
                last.retryCounters().attempt()));
    require(
        limit.unlimited() || taskChange.retryCounters().policyAttempt() <= limit.retries(),
        Invariant.RETRIES_WITHIN_POLICY,
        "retry " + taskChange.retryCounters().policyAttempt() + " of at most " + limit.retries());
  }

  private void leaseEnded(TaskChange taskChange, NodeProcess by, List<Attempt> records) {
    List<Attempt> ofLease =
        records.stream().filter(record -> record.epoch() == last.epoch()).toList();
    require(
        ofLease.size() == 1 && ofLease.getFirst().number() == last.retryCounters().attempt(),
        Invariant.ONE_OUTCOME_PER_LEASE,
        "epoch " + last.epoch() + " ended with the records " + ofLease);
    SimulatedExecution simulatedExecution = world.executions.find(last.lease());
    requireRecordMatches(taskChange, simulatedExecution);
    lastEndEvent = taskChange.event();
    leaseEndedAt.put(last.lease(), world.now());
    switch (taskChange.event()) {
      case WORKER_LOST, WORKER_LOST_AND_GIVE_UP -> requireLossCause(simulatedExecution, by);
      case TIME_OUT_AND_RETRY, TIME_OUT_AND_GIVE_UP -> requireTimeoutCause(simulatedExecution);
      case CANCEL, EXPIRE -> leaseEndedElsewhere(simulatedExecution);
      case HAND_BACK -> handedBack(taskChange, simulatedExecution);
      default -> {}
    }
  }

  private void requireRecordMatches(
      TaskChange taskChange, @Nullable SimulatedExecution simulatedExecution) {
    SimulatedExecution.ReportedOutcome reportedOutcome =
        simulatedExecution == null
            ? SimulatedExecution.ReportedOutcome.NONE
            : simulatedExecution.reportedOutcome();
    boolean isTrue =
        switch (taskChange.event()) {
          case SUCCEED -> reportedOutcome == SimulatedExecution.ReportedOutcome.SUCCEEDED;
          case FAIL_AND_RETRY, FAIL_AND_GIVE_UP ->
              reportedOutcome == SimulatedExecution.ReportedOutcome.FAILED
                  || (reportedOutcome == SimulatedExecution.ReportedOutcome.SUCCEEDED
                      && hasRejectedResult(taskChange));
          case SNOOZE -> reportedOutcome == SimulatedExecution.ReportedOutcome.SNOOZED;
          // What an interrupted handler throws is taken for its answer to the interrupt.
          case HAND_BACK ->
              simulatedExecution == null || simulatedExecution.wasStopped() || isParked(taskChange);
          default -> true;
        };
    require(
        isTrue,
        Invariant.RECORD_MATCHES_EXECUTION,
        "epoch "
            + last.epoch()
            + " is recorded as "
            + taskChange.event()
            + ", it said "
            + reportedOutcome);
  }

  private static boolean hasRejectedResult(TaskChange taskChange) {
    return taskChange.attemptDetails() != null
        && FailingStore.REJECTED_RESULT.equals(taskChange.attemptDetails().code());
  }

  private static boolean isParked(TaskChange taskChange) {
    return HoldFlags.isSet(taskChange.holdChange().set(), HoldFlags.PARKED);
  }

  private void requireTimeoutCause(@Nullable SimulatedExecution simulatedExecution) {
    Duration timeout = requireNonNull(last.definition().timeout(), "timeout");
    require(
        simulatedExecution != null && simulatedExecution.wasSilentFor(timeout),
        Invariant.TIMEOUT_HAS_A_CAUSE,
        "epoch %d timed out after %s, and %s"
            .formatted(
                last.epoch(),
                timeout,
                simulatedExecution == null ? "nobody had run it" : "was not silent"));
  }

  private void requireLossCause(
      @Nullable SimulatedExecution simulatedExecution, NodeProcess judge) {
    NodeChecker.NodeRow row = requireNonNull(world.nodeChecker.find(last.worker()), "row");
    NodeProcess holder = row.process();
    Instant since = row.renewedAt();
    requireLossCause(
        !row.validUntil().isAfter(world.now()), "the row of its node is valid", row.validUntil());
    if (holder.diedUncleanly() || holder.frozeSince(since)) {
      return;
    }
    requireLossCause(
        row.hasLeft() || !holder.missedRenewalSince(since),
        "its node could have renewed its row, and did not, since",
        since);
    boolean unstorable = simulatedExecution != null && simulatedExecution.hasRejectedResult();
    // Who stood still, and his clock with him, does not know of an outage that came meanwhile.
    requireLossCause(
        unstorable || holder.disturbedSince(since) || judge.frozeSince(since),
        "its node could have handed it back since",
        since);
  }

  private void requireLossCause(boolean holds, String but, Instant when) {
    require(
        holds,
        Invariant.LOSS_HAS_A_CAUSE,
        "epoch " + last.epoch() + " was lost, but " + but + " " + when);
  }

  private static void leaseEndedElsewhere(@Nullable SimulatedExecution simulatedExecution) {
    if (simulatedExecution != null) {
      simulatedExecution.leaseEndedElsewhere();
    }
  }

  private void handedBack(TaskChange taskChange, @Nullable SimulatedExecution simulatedExecution) {
    if (simulatedExecution == null && !isParked(taskChange)) {
      world.trace.covered(
          lastReceivedEpoch < last.epoch()
              ? CoveragePoint.LOST_CLAIM_HANDED_BACK
              : CoveragePoint.CLAIM_RESPONSE_TOO_LATE);
    }
  }

  private void updateNotBefore(TaskChange taskChange) {
    Instant written = dueInstant(taskChange.due(), notBefore);
    Duration delay =
        taskChange.attemptDetails() == null ? null : taskChange.attemptDetails().delay();
    // What the record says counts, whatever was written beside it.
    notBefore = delay == null ? written : world.now().plusMillis(delay.toMillis());
  }

  /** The store said that it did not write this. */
  void refused(TaskChange taskChange, Task row) {
    requireUnchanged(row);
    boolean sameLease = row.epoch() == taskChange.guard().epoch();
    if (sameLease && taskChange.event() == lastEndEvent && taskChange.attemptDetails() != null) {
      world.trace.covered(CoveragePoint.SETTLE_REPEATED_AFTER_LOST_RESPONSE);
    }
    CoverageDetector.detectRefused(world.trace, row, taskChange);
  }

  /** Somebody was told of it. */
  void listenerNotified(TaskChange taskChange, NodeProcess by) {
    if (taskChange.to().isTerminal()) {
      require(
          pendingNotifications.remove(
              new PendingNotification(
                  taskChange.guard().epoch(), taskChange.guard().attempt(), taskChange.to())),
          Invariant.LISTENER_MATCHES_STORE,
          by.name() + " told of " + taskChange.event() + ", the task is " + last.state());
    }
  }

  boolean isUnfinished() {
    return last.state().isLive() && !HoldFlags.isSet(last.hold(), HoldFlags.PARKED);
  }

  void checkFinalState(List<Attempt> records) {
    require(
        records.size() == last.epoch() - (last.state().isLeased() ? 1 : 0),
        Invariant.ONE_OUTCOME_PER_LEASE,
        last.epoch() + " leases left " + records.size() + " records");
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
