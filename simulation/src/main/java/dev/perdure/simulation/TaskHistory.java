// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.LeaseTimes;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
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
final class TaskHistory {

  /** An end that happened and was not told yet. */
  private record End(long epoch, long attempt, TaskState state) {}

  /** A node does not trust an answer for longer than this. */
  private static final Duration LATEST_START = LeaseTimes.DEFAULT.stopAfter();

  private final World world;
  private final Map<LeaseKey, Instant> endedAt = new HashMap<>();
  private final RetryLimit limit;
  private final Set<End> untold = new HashSet<>();
  private final List<String> ends = new ArrayList<>();
  private Task last;
  private Instant promised;
  private long answered;
  private @Nullable TaskEvent lastEnd;

  TaskHistory(World world, Task task, Due due) {
    this.world = world;
    this.last = task;
    this.promised = instant(due, world.now());
    String policy = task.definition().policy();
    this.limit = policy == null ? RetryLimit.none() : PolicyJson.read(policy).maxRetries();
  }

  private Instant instant(Due due, Instant before) {
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
  static String text(Change change) {
    return change.to().text() + " " + change.guard().epoch() + "/" + change.guard().attempt();
  }

  void requireUnchanged(@Nullable Task row) {
    require(last.equals(row), Invariant.NOTHING_UNASKED, "the row became " + row);
  }

  void claimed(Task row) {
    Instant now = world.now();
    require(
        last.state().isClaimable() && last.hold() == 0,
        Invariant.NOTHING_HELD_IS_CLAIMED,
        "claimed although it was " + last.state() + " with hold " + last.hold());
    require(
        !now.isBefore(promised),
        Invariant.NEVER_EARLY,
        "claimed at %s, promised not before %s".formatted(now, promised));
    require(
        row.epoch() == last.epoch() + 1,
        Invariant.FENCED,
        "the epoch went from " + last.epoch() + " to " + row.epoch());
    require(
        row.counting().equals(last.counting()),
        Invariant.NUMBERED,
        "the claim changed the numbers: " + last.counting() + ", " + row.counting());
    last = row;
  }

  /** The node was told of its claim. */
  void answered(LeaseKey key) {
    answered = Math.max(answered, key.epoch());
  }

  /** An execution begins; the answer to its claim may have been on its way for a while. */
  void started(Handler handler) {
    Instant ended = endedAt.get(handler.key());
    if (ended == null) {
      return;
    }
    handler.endedElsewhere();
    boolean late = ended.plus(LATEST_START).isBefore(world.now());
    require(
        !late || handler.process().frozeSince(ended),
        Invariant.NO_STALE_START,
        "epoch %d starts at %s, its lease ended at %s"
            .formatted(handler.key().epoch(), world.now(), ended));
  }

  void heard(Task row) {
    require(
        last.state().isHeld() && last.epoch() == row.epoch(),
        Invariant.FENCED,
        "a sign of life was taken while it was " + last.state());
    Duration timeout = last.definition().timeout();
    // By what the store knew, it was silent for too long; by what its node knew, it was not.
    if (timeout != null && !last.times().updatedAt().plus(timeout).isAfter(world.now())) {
      world.trace.saw(Situation.SIGN_OF_LIFE_BEAT_THE_TIMEOUT);
    }
    last = row;
  }

  /** The store said that it wrote this; {@code row} and {@code records} are what is there now. */
  void changed(Change change, Task row, NodeProcess by, List<Attempt> records) {
    requireFence(change);
    requireFinal(change);
    requireNumbers(change);
    require(
        row.state() == change.to()
            && row.epoch() == last.epoch()
            && row.counting().equals(change.counting()),
        Invariant.DURABLE_ANSWER,
        change.event() + " was answered, and the row is " + row.state() + " " + row.counting());
    if (last.state().isHeld() && !change.to().isHeld()) {
      leaseEnded(change, by, records);
    }
    Situations.note(world.trace, last, change);
    promise(change);
    if (change.to().isTerminal()) {
      ends.add(text(change));
      untold.add(new End(change.guard().epoch(), change.guard().attempt(), change.to()));
    }
    last = row;
  }

  private void requireFence(Change change) {
    Guard guard = change.guard();
    require(
        guard.epoch() == last.epoch()
            && guard.from() == last.state()
            && guard.attempt() == last.counting().attempt(),
        Invariant.FENCED,
        "%s of epoch %d was taken, the task was %s in epoch %d"
            .formatted(change.event(), guard.epoch(), last.state(), last.epoch()));
  }

  private void requireFinal(Change change) {
    require(
        last.state().isLive() || change.countsAnew(),
        Invariant.FINAL,
        change.event() + " changed what had ended: " + last.state());
  }

  private void requireNumbers(Change change) {
    boolean next =
        change.countsAnew()
            || change.event() == TaskEvent.FAIL_AND_RETRY
            || change.event() == TaskEvent.TIME_OUT_AND_RETRY;
    long expected = last.counting().attempt() + (next ? 1 : 0);
    require(
        change.counting().attempt() == expected,
        Invariant.NUMBERED,
        "%s made attempt %d of %d"
            .formatted(change.event(), change.counting().attempt(), last.counting().attempt()));
    require(
        limit.unlimited() || change.counting().policyAttempt() <= limit.retries(),
        Invariant.RETRIES_WITHIN_POLICY,
        "retry " + change.counting().policyAttempt() + " of at most " + limit.retries());
  }

  private void leaseEnded(Change change, NodeProcess by, List<Attempt> records) {
    List<Attempt> ofLease =
        records.stream().filter(record -> record.epoch() == last.epoch()).toList();
    require(
        ofLease.size() == 1 && ofLease.getFirst().number() == last.counting().attempt(),
        Invariant.ONE_OUTCOME,
        "epoch " + last.epoch() + " ended with the records " + ofLease);
    Handler handler = world.executions.find(last.lease());
    requireTrue(change, handler);
    lastEnd = change.event();
    endedAt.put(last.lease(), world.now());
    switch (change.event()) {
      case LOSE, LOSE_FOR_GOOD -> requireCause(handler, by);
      case TIME_OUT_AND_RETRY, TIME_OUT_FOR_GOOD -> requireSilence(handler);
      case CANCEL, EXPIRE -> endedElsewhere(handler);
      case HAND_BACK -> handedBack(change, handler);
      default -> {}
    }
  }

  private void requireTrue(Change change, @Nullable Handler handler) {
    Handler.Said said = handler == null ? Handler.Said.NOTHING : handler.said();
    boolean isTrue =
        switch (change.event()) {
          case SUCCEED -> said == Handler.Said.DONE;
          case FAIL_AND_RETRY, FAIL_FOR_GOOD ->
              said == Handler.Said.FAILED || (said == Handler.Said.DONE && isUnstorable(change));
          case SNOOZE -> said == Handler.Said.SNOOZED;
          // What an interrupted handler throws is taken for its answer to the interrupt.
          case HAND_BACK -> handler == null || handler.wasStopped() || isParked(change);
          default -> true;
        };
    require(
        isTrue,
        Invariant.TRUE_RECORD,
        "epoch " + last.epoch() + " is recorded as " + change.event() + ", it said " + said);
  }

  private static boolean isUnstorable(Change change) {
    return change.note() != null && FailingStore.UNSTORABLE.equals(change.note().code());
  }

  private static boolean isParked(Change change) {
    return Hold.has(change.holding().set(), Hold.PARKED);
  }

  private void requireSilence(@Nullable Handler handler) {
    Duration timeout = requireNonNull(last.definition().timeout(), "timeout");
    require(
        handler != null && handler.wasSilentFor(timeout),
        Invariant.TIMEOUT_HAS_A_CAUSE,
        "epoch %d timed out after %s, and %s"
            .formatted(
                last.epoch(), timeout, handler == null ? "nobody had run it" : "was not silent"));
  }

  private void requireCause(@Nullable Handler handler, NodeProcess judge) {
    NodeRows.Standing row = requireNonNull(world.nodeRows.find(last.worker()), "row");
    NodeProcess holder = row.process();
    Instant since = row.renewedAt();
    requireCause(
        !row.validUntil().isAfter(world.now()), "the row of its node is valid", row.validUntil());
    if (holder.diedSuddenly() || holder.frozeSince(since)) {
      return;
    }
    requireCause(
        row.hasLeft() || !holder.neglectedItsRowSince(since),
        "its node could have renewed its row, and did not, since",
        since);
    boolean unstorable = handler != null && handler.isUnstorable();
    // Who stood still, and his clock with him, does not know of an outage that came meanwhile.
    requireCause(
        unstorable || holder.troubledSince(since) || judge.frozeSince(since),
        "its node could have handed it back since",
        since);
  }

  private void requireCause(boolean holds, String but, Instant when) {
    require(
        holds,
        Invariant.LOSS_HAS_A_CAUSE,
        "epoch " + last.epoch() + " was lost, but " + but + " " + when);
  }

  private static void endedElsewhere(@Nullable Handler handler) {
    if (handler != null) {
      handler.endedElsewhere();
    }
  }

  private void handedBack(Change change, @Nullable Handler handler) {
    if (handler == null && !isParked(change)) {
      world.trace.saw(
          answered < last.epoch()
              ? Situation.LOST_CLAIM_HANDED_BACK
              : Situation.CLAIM_ANSWERED_TOO_LATE);
    }
  }

  private void promise(Change change) {
    Instant written = instant(change.due(), promised);
    Duration delay = change.note() == null ? null : change.note().delay();
    // What the record says counts, whatever was written beside it.
    promised = delay == null ? written : world.now().plusMillis(delay.toMillis());
  }

  /** The store said that it did not write this. */
  void refused(Change change, Task row) {
    requireUnchanged(row);
    boolean sameLease = row.epoch() == change.guard().epoch();
    if (sameLease && change.event() == lastEnd && change.note() != null) {
      world.trace.saw(Situation.SETTLE_REPEATED_AFTER_LOST_ANSWER);
    }
    Situations.noteRefused(world.trace, row, change);
  }

  /** Somebody was told of it. */
  void told(Change change, NodeProcess by) {
    if (change.to().isTerminal()) {
      require(
          untold.remove(new End(change.guard().epoch(), change.guard().attempt(), change.to())),
          Invariant.TOLD_THE_TRUTH,
          by.name() + " told of " + change.event() + ", the task is " + last.state());
    }
  }

  boolean isUnfinished() {
    return last.state().isLive() && !Hold.has(last.hold(), Hold.PARKED);
  }

  void close(List<Attempt> records) {
    require(
        records.size() == last.epoch() - (last.state().isHeld() ? 1 : 0),
        Invariant.ONE_OUTCOME,
        last.epoch() + " leases left " + records.size() + " records");
  }

  private void require(boolean holds, Invariant invariant, String what) {
    if (!holds) {
      world.findings.report(invariant, "task " + Trace.brief(last.id()) + ": " + what);
    }
  }

  UUID id() {
    return last.id();
  }

  Task last() {
    return last;
  }
}
