// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Failure;
import dev.perdure.policy.HandOverRequest;
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
final class DurableRetryState extends RetryState implements DurableContext {

  private final HandOverPlan plan;
  private final @Nullable Object payload;
  private final String idempotencyKey;
  private final Deque<RecordedAttempt> failedAttempts = new ArrayDeque<>();
  private long attemptStartedAt;

  DurableRetryState(RetryConfig retryConfig, HandOverPlan plan, @Nullable Object payload) {
    super(retryConfig);
    this.plan = plan;
    this.payload = payload;
    this.idempotencyKey =
        plan.idempotencyKey() == null
            ? SystemTimeProvider.newIdempotencyKey()
            : plan.idempotencyKey();
  }

  private record RecordedAttempt(
      long number,
      Failure failure,
      @Nullable Throwable thrown,
      long startedAt,
      long endedAt,
      Duration delay) {

    FailedAttempt toFailedAttempt(long now) {
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
    return idempotencyKey;
  }

  @Override
  void beginAttempt() {
    super.beginAttempt();
    attemptStartedAt = config().timeProvider().nanoTime();
  }

  @Override
  @Nullable StopReason reachedLimit(Duration elapsedThen) {
    return attempt() >= plan.maxInProcessRetries()
        ? StopReason.IN_PROCESS_LIMIT
        : super.reachedLimit(elapsedThen);
  }

  @Override
  NextStep retryUnlessLimited(
      Duration delay, Failure failure, @Nullable Throwable thrown, @Nullable StopReason hindrance) {
    if (failedAttempts.size() == HandOverRequest.MAX_ATTEMPTS) {
      failedAttempts.removeFirst();
    }
    long now = config().timeProvider().nanoTime();
    failedAttempts.add(
        new RecordedAttempt(attempt(), failure, thrown, attemptStartedAt, now, delay));
    return hindrance == null
        ? new NextStep.Wait(delay, failure)
        : new NextStep.HandOver(this, failure, hindrance);
  }

  @Override
  NextStep schedulingFailed(Failure failure, @Nullable Throwable thrown, Throwable broken) {
    RetryLog.warn("the process makes no further attempt, since it cannot wait for it", broken);
    if (thrown != null) {
      suppress(thrown, broken);
    }
    return new NextStep.HandOver(
        this, failedAttempts.getLast().failure(), StopReason.INTERNAL_ERROR);
  }

  /**
   * Hands over and says what to throw: where the work goes on; or, if nobody took it, its failure.
   */
  Throwable handOver(NextStep.HandOver over, @Nullable Throwable thrown) {
    UUID task;
    try {
      task = plan.target().acceptHandOver(handOverRequest());
    } catch (Throwable notTaken) {
      RetryLog.warn("a call of kind '" + plan.kind() + "' could not be handed over", notTaken);
      Throwable answer = thrown == null ? new RejectedResultException(over.failure()) : thrown;
      suppress(answer, notTaken);
      notifyGiveUp(over.failure(), over.reason());
      return withSummary(answer, over.reason());
    }
    notifyGiveUp(over.failure(), StopReason.HANDED_OVER);
    return withSummary(new HandedOverException(plan.kind(), task, thrown), StopReason.HANDED_OVER);
  }

  private HandOverRequest handOverRequest() {
    long now = config().timeProvider().nanoTime();
    List<FailedAttempt> attempts =
        failedAttempts.stream().map(each -> each.toFailedAttempt(now)).toList();
    return new HandOverRequest(
        plan.kind(), payload, config().policy(), idempotencyKey, elapsed(), attempts);
  }
}
