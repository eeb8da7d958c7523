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
 * The state of a call that can be handed over. It records what the hand-over target must know: every
 * failed attempt that the policy wants to retry.
 *
 * One rule says what is handed over: an attempt that the policy has decided on and that the process
 * does not make, because of a limit of the process or because its timer or executor failed. If the
 * policy gives up, nothing is handed over, because the target uses the same policy. If the caller
 * interrupts or cancels the call, nothing is handed over either: the caller does not want the result.
 */
final class DurableRetryState extends RetryState implements DurableContext {

  private final HandOverPlan plan;
  private final @Nullable Object payload;
  private final String idempotencyKey;
  private final Deque<RecordedAttempt> failedAttempts = new ArrayDeque<>();
  private long attemptStartedAt;

  DurableRetryState(RetryConfig config, HandOverPlan plan, @Nullable Object payload) {
    super(config);
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

    /** A clock that jumps back must not prevent a hand-over. */
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
  @Nullable StopReason reachedLimit(Duration elapsedAtRetry) {
    return attempt() >= plan.maxInProcessRetries()
        ? StopReason.IN_PROCESS_LIMIT
        : super.reachedLimit(elapsedAtRetry);
  }

  @Override
  NextStep retryUnlessLimited(
      Duration delay, Failure failure, @Nullable Throwable thrown, @Nullable StopReason limit) {
    if (failedAttempts.size() == HandOverRequest.MAX_ATTEMPTS) {
      failedAttempts.removeFirst();
    }
    long now = config().timeProvider().nanoTime();
    failedAttempts.add(
        new RecordedAttempt(attempt(), failure, thrown, attemptStartedAt, now, delay));
    return limit == null
        ? new NextStep.Wait(delay, failure)
        : new NextStep.HandOver(this, failure, limit);
  }

  @Override
  NextStep schedulingFailed(Failure failure, @Nullable Throwable thrown, Throwable error) {
    RetryLog.warn("No further attempt in process: the timer or the executor failed", error);
    if (thrown != null) {
      suppress(thrown, error);
    }
    return new NextStep.HandOver(
        this, failedAttempts.getLast().failure(), StopReason.INTERNAL_ERROR);
  }

  /**
   * Hands over and returns the exception to throw: a {@link HandedOverException}, or the failure of
   * the call if the hand-over failed.
   */
  Throwable handOver(NextStep.HandOver over, @Nullable Throwable thrown) {
    UUID task;
    try {
      task = plan.target().acceptHandOver(handOverRequest());
    } catch (Throwable error) {
      RetryLog.warn("A call of kind '" + plan.kind() + "' could not be handed over", error);
      Throwable answer = thrown == null ? new RejectedResultException(over.failure()) : thrown;
      suppress(answer, error);
      notifyGiveUp(over.failure(), over.reason());
      return withSummary(answer, over.reason());
    }
    notifyGiveUp(over.failure(), StopReason.HANDED_OVER);
    return withSummary(new HandedOverException(plan.kind(), task, thrown), StopReason.HANDED_OVER);
  }

  private HandOverRequest handOverRequest() {
    long now = config().timeProvider().nanoTime();
    List<FailedAttempt> attempts =
        failedAttempts.stream().map(attempt -> attempt.toFailedAttempt(now)).toList();
    return new HandOverRequest(
        plan.kind(), payload, config().policy(), idempotencyKey, elapsed(), attempts);
  }
}
