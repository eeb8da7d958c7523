// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.HandOverTarget;
import dev.perdure.policy.RetryPolicy;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls with retries, as a policy says. Immutable and thread-safe; create one per operation.
 *
 * <pre>{@code
 * Retry retry = Retry.of(RetryPolicy.http());
 * Invoice invoice = retry.call(() -> billing.fetch(id));
 * }</pre>
 *
 * <p>A synchronous call stays on its thread. When no retries are left, the last failure itself is
 * thrown; the earlier ones and a {@link RetrySummary} are its suppressed exceptions. An interrupt
 * ends the call at once and leaves the thread's interrupt flag set. An {@code Error} is retried
 * only if the policy names its type.
 *
 * <p>No two methods differ only in the functional interface that they accept, so a lambda is never
 * ambiguous, in Java or in Kotlin.
 */
public final class Retry {

  private final RetryConfig config;
  private final boolean policyOnly;

  Retry(RetryConfig config) {
    this.config = config;
    this.policyOnly = config.isPolicyOnly();
  }

  /** Creates a retry with this policy and no other settings. */
  public static Retry of(RetryPolicy policy) {
    return builder(policy).build();
  }

  /** Starts a retry with further settings, such as limits, listeners and a budget. */
  public static RetryBuilder builder(RetryPolicy policy) {
    return new RetryBuilder(policy);
  }

  /** Makes the call, with retries, and returns its result. */
  public <T extends @Nullable Object, X extends Exception> T call(ThrowingCall<T, X> call)
      throws X {
    if (!policyOnly) {
      return new SyncCall<T, X>(config, context -> call.call()).run();
    }
    try {
      return call.call();
    } catch (Throwable thrown) {
      return new SyncCall<T, X>(config, context -> call.call()).resumeAfter(thrown);
    }
  }

  /** Does the same for a call that receives the context of its attempt. */
  public <T extends @Nullable Object, X extends Exception> T callWithContext(ContextCall<T, X> call)
      throws X {
    return new SyncCall<>(config, call).run();
  }

  /** Runs the action, with retries. */
  public <X extends Exception> void run(ThrowingAction<X> action) throws X {
    if (!policyOnly) {
      asCall(action).run();
      return;
    }
    try {
      action.run();
    } catch (Throwable thrown) {
      asCall(action).resumeAfter(thrown);
    }
  }

  private <X extends Exception> SyncCall<@Nullable Void, X> asCall(ThrowingAction<X> action) {
    return new SyncCall<>(
        config,
        context -> {
          action.run();
          return null;
        });
  }

  /**
   * Makes an asynchronous call, with retries. The first attempt starts on this thread, later ones
   * on the executor. No thread waits between attempts. If you cancel or complete the future, the
   * waiting ends and the running attempt is canceled. Canceling a stage derived from the future
   * does not have this effect, because futures do not propagate cancellation to their source.
   */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Supplier<? extends CompletionStage<T>> call) {
    return new AsyncCall<T>(config, context -> call.get()).start();
  }

  /** Does the same for a call that receives the context of its attempt. */
  public <T extends @Nullable Object> CompletableFuture<T> callAsyncWithContext(
      Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    return new AsyncCall<T>(config, call).start();
  }

  /**
   * Continues the retries as a durable task when they take too long. In process, no wait starts
   * that would exceed the time limit, or 10 seconds if there is none. The retries after that are
   * made by a task of this kind, stored by the target, usually the durable engine.
   */
  public DurableRetry thenDurably(HandOverTarget target, String kind) {
    return DurableRetry.of(config, target, kind);
  }

  /** Returns a supplier that calls this one with retries. */
  public <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> supplier) {
    ThrowingCall<T, RuntimeException> call = supplier::get;
    return () -> call(call);
  }

  /** Returns a callable that calls this one with retries. */
  public <T extends @Nullable Object> Callable<T> wrapCallable(Callable<T> callable) {
    ThrowingCall<T, Exception> call = callable::call;
    return () -> call(call);
  }

  /** Returns a function that calls this one with retries. */
  public <A extends @Nullable Object, T extends @Nullable Object> Function<A, T> wrapFunction(
      Function<A, T> function) {
    return argument -> this.<T, RuntimeException>call(() -> function.apply(argument));
  }
}
