// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.HandOverTarget;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Retries that begin in the process and go on as a task. Immutable and safe to share.
 *
 * <pre>{@code
 * DurableRetry charge = Retry.of(policy).thenDurably(engine, "charge");
 * try {
 *   return charge.call(order, context -> payments.charge(order, context.idempotencyKey()));
 * } catch (HandedOverException later) {
 *   return accepted(later.task());
 * }
 * }</pre>
 *
 * <p>One policy rules both parts: the task counts the attempts made here, keeps their history and
 * the idempotency key, and is due when the policy decided. What the policy gives up is thrown as by
 * any {@link Retry}, and so is the failure of a call that nobody took over, with the reason for
 * that suppressed in it.
 */
public final class DurableRetry {

  /** How long the process tries when no time limit was set. */
  public static final Duration DEFAULT_IN_PROCESS_TIME = Duration.ofSeconds(10);

  private final RetryConfig config;
  private final HandOverPlan plan;

  private DurableRetry(RetryConfig retryConfig, HandOverPlan plan) {
    this.config = retryConfig;
    this.plan = plan;
  }

  static DurableRetry of(RetryConfig retryConfig, HandOverTarget handOverTarget, String kind) {
    requireNonNull(handOverTarget, "successor");
    if (retryConfig.policy().isNone()) {
      throw new IllegalArgumentException(
          "policy: never retries, so nothing would be handed over; name one that does");
    }
    return new DurableRetry(
        retryConfig.limits().timeLimit() == null
            ? retryConfig.withTimeLimit(DEFAULT_IN_PROCESS_TIME)
            : retryConfig,
        new HandOverPlan(
            handOverTarget, HandOverRequest.requireKind(kind), Integer.MAX_VALUE, null));
  }

  /** The process makes at most so many retries, also when there is time for more; 0 for none. */
  public DurableRetry maxInProcessRetries(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("afterRetries: must be 0 or more, not " + most);
    }
    return new DurableRetry(
        config, new HandOverPlan(plan.target(), plan.kind(), most, plan.idempotencyKey()));
  }

  /** With this idempotency key, instead of one that is made up for each call. */
  public DurableRetry withIdempotencyKey(String idempotencyKey) {
    HandOverRequest.requireKey(idempotencyKey);
    return new DurableRetry(
        config,
        new HandOverPlan(plan.target(), plan.kind(), plan.maxInProcessRetries(), idempotencyKey));
  }

  /**
   * The result of the call, which is made as often as the process may.
   *
   * @param payload what the task's handler needs to do the same; read only when it is handed over
   * @throws HandedOverException when it goes on as a task
   */
  public <T extends @Nullable Object, X extends Exception> T call(
      @Nullable Object payload, DurableCall<T, X> call) throws X {
    DurableRetryState course = new DurableRetryState(config, plan, payload);
    return new SyncCall<T, X>(course, context -> call.call(course)).run();
  }

  /** Does it, as often as the process may; as {@link #call}, without a result. */
  public <X extends Exception> void run(@Nullable Object payload, DurableAction<X> action)
      throws X {
    this.<@Nullable Void, X>call(
        payload,
        context -> {
          action.run(context);
          return null;
        });
  }

  /**
   * The future result of an asynchronous call. It fails with a {@link HandedOverException} when it
   * goes on as a task; the hand-over, which may block, runs on the executor. Cancelling the future
   * before that hands nothing over.
   */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      @Nullable Object payload,
      Function<? super DurableContext, ? extends CompletionStage<T>> call) {
    DurableRetryState course = new DurableRetryState(config, plan, payload);
    return new AsyncCall<T>(course, context -> call.apply(course)).start();
  }
}
