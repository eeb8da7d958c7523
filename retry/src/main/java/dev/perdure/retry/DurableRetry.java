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
 * Retries that start in process and continue as a durable task. Immutable and thread-safe.
 *
 * <pre>{@code
 * DurableRetry charge = Retry.of(policy).thenDurably(engine, "charge");
 * try {
 *   return charge.call(order, context -> payments.charge(order, context.idempotencyKey()));
 * } catch (HandedOverException later) {
 *   return accepted(later.taskId());
 * }
 * }</pre>
 *
 * <p>One policy controls both parts. The task counts the attempts made in process, keeps their
 * history and the idempotency key, and is due when the policy decided. If the policy gives up, the
 * failure is thrown as by any {@link Retry}. If the hand-over fails, the failure of the call is
 * thrown, and the error of the hand-over is suppressed in it.
 */
public final class DurableRetry {

  /** The in-process time limit if none was set. */
  public static final Duration DEFAULT_IN_PROCESS_TIME = Duration.ofSeconds(10);

  private final RetryConfig config;
  private final HandOverPlan plan;

  private DurableRetry(RetryConfig config, HandOverPlan plan) {
    this.config = config;
    this.plan = plan;
  }

  static DurableRetry of(RetryConfig config, HandOverTarget target, String kind) {
    requireNonNull(target, "target");
    if (config.policy().isNone()) {
      throw new IllegalArgumentException(
          "policy: never retries, so nothing would be handed over; use one that retries");
    }
    return new DurableRetry(
        config.timeLimit() == null ? config.withTimeLimit(DEFAULT_IN_PROCESS_TIME) : config,
        new HandOverPlan(target, HandOverRequest.requireKind(kind), Integer.MAX_VALUE, null));
  }

  /** Limits the retries in process, even if there is time for more; 0 for none. */
  public DurableRetry maxInProcessRetries(int retries) {
    if (retries < 0) {
      throw new IllegalArgumentException("maxInProcessRetries: must be 0 or more, not " + retries);
    }
    return new DurableRetry(
        config, new HandOverPlan(plan.target(), plan.kind(), retries, plan.idempotencyKey()));
  }

  /** Uses this idempotency key instead of a random one for each call. */
  public DurableRetry withIdempotencyKey(String idempotencyKey) {
    HandOverRequest.requireKey(idempotencyKey);
    return new DurableRetry(
        config,
        new HandOverPlan(plan.target(), plan.kind(), plan.maxInProcessRetries(), idempotencyKey));
  }

  /**
   * Makes the call, with retries in process, and returns its result.
   *
   * @param payload the input for the handler of the task; read only if the call is handed over
   * @throws HandedOverException if the call continues as a task
   */
  public <T extends @Nullable Object, X extends Exception> T call(
      @Nullable Object payload, DurableCall<T, X> call) throws X {
    DurableRetryState state = new DurableRetryState(config, plan, payload);
    return new SyncCall<T, X>(state, context -> call.call(state)).run();
  }

  /** Runs the action, with retries in process; like {@link #call}, without a result. */
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
   * Makes an asynchronous call, with retries in process. The future fails with a {@link
   * HandedOverException} if the call continues as a task. The hand-over may block, so it runs on
   * the executor. If you cancel the future before that, nothing is handed over.
   */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      @Nullable Object payload,
      Function<? super DurableContext, ? extends CompletionStage<T>> call) {
    DurableRetryState state = new DurableRetryState(config, plan, payload);
    return new AsyncCall<T>(state, context -> call.apply(state)).start();
  }
}
