// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Failure;
import dev.perdure.policy.UnfinishedWork;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/*
 * A call that can be handed over. It keeps what its successor must know: every attempt that failed
 * and that the policy wants followed by another.
 *
 * One rule says what is handed over: the attempt that the policy has decided on and that the
 * process will not make, because of a limit of its own or because its timer or executor broke. What
 * the policy gives up, no successor would try either: it counts with the same policy. A caller who
 * interrupts or cancels has said that he wants no more of it, and is obeyed.
 */
final class DurableCourse extends Course implements DurableContext {

  private final HandOverPlan plan;
  private final @Nullable Object payload;
  private final String key;
  private final Deque<Failed> failed = new ArrayDeque<>();
  private long attemptStartedAt;

  DurableCourse(Settings settings, HandOverPlan plan, @Nullable Object payload) {
    super(settings);
    this.plan = plan;
    this.payload = payload;
    this.key = plan.key() == null ? SystemWaits.newKey() : plan.key();
  }

  private record Failed(
      long number,
      Failure failure,
      @Nullable Throwable thrown,
      long startedAt,
      long endedAt,
      Duration delay) {

    FailedAttempt seenAt(long now) {
      Duration endedAgo = between(endedAt, now);
      Duration ran = between(startedAt, endedAt);
      return new FailedAttempt(number, failure, thrown, endedAgo.plus(ran), endedAgo, delay);
    }

    /** A clock that jumps back must not keep a call from being handed over. */
    private static Duration between(long from, long to) {
      return Duration.ofNanos(Math.max(0, to - from));
    }
  }

  @Override
  public String idempotencyKey() {
    return key;
  }

  @Override
  void beginAttempt() {
    super.beginAttempt();
    attemptStartedAt = settings().waits().nanoTime();
  }

  @Override
  @Nullable StopReason hindrance(Duration elapsedThen) {
    return attempt() >= plan.inProcessRetries()
        ? StopReason.IN_PROCESS_RETRIES
        : super.hindrance(elapsedThen);
  }

  @Override
  Next wanted(
      Duration delay, Failure failure, @Nullable Throwable thrown, @Nullable StopReason hindrance) {
    if (failed.size() == UnfinishedWork.MOST_ATTEMPTS) {
      failed.removeFirst();
    }
    long now = settings().waits().nanoTime();
    failed.add(new Failed(attempt(), failure, thrown, attemptStartedAt, now, delay));
    return hindrance == null
        ? new Next.Wait(delay, failure)
        : new Next.HandOver(this, failure, hindrance);
  }

  @Override
  Next stranded(Failure failure, @Nullable Throwable thrown, Throwable broken) {
    Complaints.log("the process makes no further attempt, since it cannot wait for it", broken);
    if (thrown != null) {
      suppress(thrown, broken);
    }
    return new Next.HandOver(this, failed.getLast().failure(), StopReason.CANNOT_GO_ON);
  }

  /**
   * Hands over and says what to throw: where the work goes on; or, if nobody took it, its failure.
   */
  Throwable deliver(Next.HandOver over, @Nullable Throwable thrown) {
    UUID task;
    try {
      task = plan.successor().takeOver(unfinished());
    } catch (Throwable notTaken) {
      Complaints.log("a call of kind '" + plan.kind() + "' could not be handed over", notTaken);
      Throwable answer = thrown == null ? new RefusedResultException(over.failure()) : thrown;
      suppress(answer, notTaken);
      tellGivenUp(over.failure(), over.reason());
      return told(answer, over.reason());
    }
    tellGivenUp(over.failure(), StopReason.HANDED_OVER);
    return told(new HandedOverException(plan.kind(), task, thrown), StopReason.HANDED_OVER);
  }

  private UnfinishedWork unfinished() {
    long now = settings().waits().nanoTime();
    List<FailedAttempt> attempts = failed.stream().map(each -> each.seenAt(now)).toList();
    return new UnfinishedWork(plan.kind(), payload, settings().policy(), key, elapsed(), attempts);
  }
}
