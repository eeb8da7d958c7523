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
 * Tries calls again as a policy says. Immutable and safe to share; make one for each operation.
 *
 * <pre>{@code
 * Retry retry = Retry.of(RetryPolicy.http());
 * Invoice invoice = retry.call(() -> billing.fetch(id));
 * }</pre>
 *
 * <p>A synchronous call stays on its thread. When the retries are used up, the last failure is
 * thrown itself, with the earlier ones and a {@link RetrySummary} among its suppressed exceptions.
 * An interrupt ends the call at once and leaves the thread's flag set. {@code Error}s are not
 * retried unless the policy names them.
 *
 * <p>No two methods differ only in the kind of function that they take: a lambda, in Java or in
 * Kotlin, always says which one it means.
 */
public final class Retry {

  private final RetryConfig config;
  private final boolean policyOnly;

  Retry(RetryConfig retryConfig) {
    this.config = retryConfig;
    this.policyOnly = retryConfig.isPolicyOnly();
  }

  /** Retries as this policy says, with nothing else to it. */
  public static Retry of(RetryPolicy policy) {
    return builder(policy).build();
  }

  /** Begins a retry with more to it: limits, listeners, a budget. */
  public static RetryBuilder builder(RetryPolicy policy) {
    return new RetryBuilder(policy);
  }

  /** The result of the call, which is made as often as it takes. */
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

  /** The same for a call that wants to know which attempt it is. */
  public <T extends @Nullable Object, X extends Exception> T callWithContext(ContextCall<T, X> call)
      throws X {
    return new SyncCall<>(config, call).run();
  }

  /** Does it, as often as it takes. */
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
   * The future result of an asynchronous call, which is started as often as it takes: first on this
   * thread, then on the executor. No thread waits between attempts. Cancelling or completing the
   * future ends the waiting and cancels the attempt under way; cancelling a stage derived from it
   * does not, since futures do not pass that on.
   */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Supplier<? extends CompletionStage<T>> call) {
    return new AsyncCall<T>(config, context -> call.get()).start();
  }

  /** The same for a call that wants to know which attempt it is. */
  public <T extends @Nullable Object> CompletableFuture<T> callAsyncWithContext(
      Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    return new AsyncCall<T>(config, call).start();
  }

  /**
   * The same retries, of which the process makes only the first: no wait is begun that would pass
   * the time limit, or 10 seconds when there is none. What the policy wants tried after that goes
   * on as a task of this kind, which the successor, a durable engine, makes survive.
   */
  public DurableRetry thenDurably(HandOverTarget handOverTarget, String kind) {
    return DurableRetry.of(config, handOverTarget, kind);
  }

  /** A supplier that retries by itself. */
  public <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> supplier) {
    ThrowingCall<T, RuntimeException> call = supplier::get;
    return () -> call(call);
  }

  /** A callable that retries by itself. */
  public <T extends @Nullable Object> Callable<T> wrapCallable(Callable<T> callable) {
    ThrowingCall<T, Exception> call = callable::call;
    return () -> call(call);
  }

  /** A function that retries by itself. */
  public <A extends @Nullable Object, T extends @Nullable Object> Function<A, T> wrapFunction(
      Function<A, T> function) {
    return argument -> this.<T, RuntimeException>call(() -> function.apply(argument));
  }
}
