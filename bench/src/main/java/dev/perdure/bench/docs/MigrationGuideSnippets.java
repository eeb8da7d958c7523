// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import static dev.perdure.policy.FailureMatcher.exception;
import static dev.perdure.policy.FailureMatcher.status;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.failsafe.CircuitBreaker;
import dev.perdure.bench.docs.Billing.BusyException;
import dev.perdure.bench.docs.Billing.Invoice;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.CircuitBreakerAdapter;
import dev.perdure.retry.FailureClassifier;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBudget;
import dev.perdure.retry.RetryListener;
import dev.perdure.retry.RetrySummary;
import dev.perdure.retry.http.HttpRetry;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The Perdure code of the "coming from …" guides, one region per block. */
final class MigrationGuideSnippets {

  private MigrationGuideSnippets() {}

  static Invoice first(Billing billing, String id) throws IOException {
    // region first
    RetryPolicy policy =
        RetryPolicy.exponential(ofMillis(500))
            .maxDelay(ofSeconds(10))
            .maxRetries(3)
            .retryOn(exception(IOException.class))
            .neverOn(exception(FileNotFoundException.class))
            .build();
    Retry retry = Retry.of(policy);

    Invoice invoice = retry.call(() -> billing.fetch(id));
    // endregion
    return invoice;
  }

  static Retry limits(RetryPolicy policy) {
    // region limits
    Retry retry =
        Retry.builder(policy).timeLimit(ofSeconds(30)).attemptTimeout(ofSeconds(5)).build();
    // endregion
    return retry;
  }

  static Retry result(RetryPolicy policy) {
    // region result
    Retry retry =
        Retry.builder(policy)
            .retryOnResult(result -> result instanceof Invoice invoice && !invoice.complete())
            .build();
    // endregion
    return retry;
  }

  static Retry serverDelay(RetryPolicy policy) {
    // region server-delay
    FailureClassifier classifier =
        thrown -> {
          Failure failure = FailureClassifier.byType().classify(thrown);
          return thrown instanceof BusyException busy
              ? failure.withRetryAfter(busy.retryAfter())
              : failure;
        };
    Retry retry = Retry.builder(policy).failureClassifier(classifier).build();
    // endregion
    return retry;
  }

  static CompletableFuture<Invoice> async(Retry retry, Billing billing, String id) {
    // region async
    CompletableFuture<Invoice> invoice = retry.callAsync(() -> billing.fetchAsync(id));
    // endregion
    return invoice;
  }

  static Supplier<Invoice> wrap(Retry retry, Supplier<Invoice> fetch) {
    // region wrap
    Supplier<Invoice> retrying = retry.wrapSupplier(fetch);
    // endregion
    return retrying;
  }

  static Optional<Long> summary(Retry retry, Billing billing, String id) {
    // region summary
    try {
      retry.run(() -> billing.fetch(id));
    } catch (IOException e) {
      return RetrySummary.of(e).map(RetrySummary::attempts);
    }
    // endregion
    return Optional.empty();
  }

  static Retry listener(RetryPolicy policy, System.Logger log) {
    // region listener
    RetryListener listener =
        new RetryListener() {
          @Override
          public void onRetry(RetryEvent event) {
            log.log(
                System.Logger.Level.INFO,
                "{0} is retried in {1}",
                event.operation(),
                event.delay());
          }
        };
    Retry retry = Retry.builder(policy).named("billing").listener(listener).build();
    // endregion
    return retry;
  }

  static Retry budget(RetryPolicy policy) {
    // region budget
    RetryBudget billingBudget = RetryBudget.create();
    Retry retry = Retry.builder(policy).budget(billingBudget).build();
    // endregion
    return retry;
  }

  static RetryPolicy byFailure() {
    // region by-failure
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .maxRetries(5)
            .override(PolicyOverride.on(exception(BusyException.class)).withMaxRetries(10))
            .override(PolicyOverride.on(status(500)).withMaxRetries(1))
            .build();
    // endregion
    return policy;
  }

  static RetryPolicy phases() {
    // region phases
    RetryPolicy policy =
        RetryPolicy.schedule(ofSeconds(1), ofSeconds(5), ofMinutes(3))
            .jitter(Jitter.none())
            .maxRetries(10)
            .build();
    // endregion
    return policy;
  }

  static List<Duration> fakeTime(RetryPolicy policy, Billing billing) throws IOException {
    // region fake-time
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    Retry retry = Retry.builder(policy).timeProvider(time).build();

    retry.call(() -> billing.fetch("17"));

    List<Duration> delays = time.sleeps();
    // endregion
    return delays;
  }

  static HttpResponse<String> http(HttpRequest request) throws IOException, InterruptedException {
    // region http
    HttpRetry http = HttpRetry.builder(HttpClient.newHttpClient()).addIdempotencyKey().build();

    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    // endregion
    return response;
  }

  static CircuitBreakerAdapter failsafeBreaker(CircuitBreaker<Object> delegate) {
    // region failsafe-breaker
    CircuitBreakerAdapter circuitBreaker =
        new CircuitBreakerAdapter() {
          @Override
          public boolean tryAcquirePermit() {
            return delegate.tryAcquirePermit();
          }

          @Override
          public void onSuccess(Duration took) {
            delegate.recordSuccess();
          }

          @Override
          public void onFailure(Duration took, Throwable failure) {
            delegate.recordException(failure);
          }

          @Override
          public void releasePermit() {
            // Failsafe cannot return a permit. A success does the least harm.
            delegate.recordSuccess();
          }

          @Override
          public Optional<Duration> remainingOpenTime() {
            return Optional.of(delegate.getRemainingDelay());
          }
        };
    // endregion
    return circuitBreaker;
  }

  static CircuitBreakerAdapter resilience4jBreaker(
      io.github.resilience4j.circuitbreaker.CircuitBreaker delegate) {
    // region resilience4j-breaker
    CircuitBreakerAdapter circuitBreaker =
        new CircuitBreakerAdapter() {
          @Override
          public boolean tryAcquirePermit() {
            return delegate.tryAcquirePermission();
          }

          @Override
          public void onSuccess(Duration took) {
            delegate.onSuccess(took.toNanos(), NANOSECONDS);
          }

          @Override
          public void onFailure(Duration took, Throwable failure) {
            delegate.onError(took.toNanos(), NANOSECONDS, failure);
          }

          @Override
          public void releasePermit() {
            delegate.releasePermission();
          }
        };
    // endregion
    return circuitBreaker;
  }
}
