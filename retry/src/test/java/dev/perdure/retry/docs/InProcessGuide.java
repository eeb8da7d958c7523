// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.docs;

import static dev.perdure.policy.FailureMatcher.exception;
import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import dev.perdure.policy.HandOverTarget;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.DurableRetry;
import dev.perdure.retry.HandedOverException;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBudget;
import dev.perdure.retry.RetryListener;
import dev.perdure.retry.RetrySummary;
import dev.perdure.retry.http.DurableHttpRetry;
import dev.perdure.retry.http.HttpRetry;
import dev.perdure.retry.micrometer.RetryMetrics;
import dev.perdure.retry.testing.FakeTimeProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The examples of docs/guides/in-process.md; a test compares them. */
final class InProcessGuide {

  private static final System.Logger log = System.getLogger("guide");

  private InProcessGuide() {}

  record Invoice(int id, boolean ready) {}

  interface Billing {
    Invoice fetch(int id) throws IOException;

    Invoice fetch(int id, String traceOfAttempt) throws IOException;

    CompletableFuture<Invoice> fetchAsync(int id);

    void send(Invoice invoice) throws IOException;
  }

  static final class BillingException extends RuntimeException {
    int status() {
      return 503;
    }
  }

  static Invoice aCall(Billing billing, int id) throws IOException {
    Retry retry = Retry.of(RetryPolicy.transientErrors());

    Invoice invoice = retry.call(() -> billing.fetch(id));
    retry.run(() -> billing.send(invoice));
    return invoice;
  }

  static Function<Integer, Invoice> wrapped(Retry retry, Function<Integer, Invoice> lookup) {
    Function<Integer, Invoice> withRetries = retry.wrapFunction(lookup);
    return withRetries;
  }

  static Invoice context(Retry retry, Billing billing, int id) throws IOException {
    Invoice invoice =
        retry.callWithContext(context -> billing.fetch(id, "attempt " + context.attempt()));
    return invoice;
  }

  static void theEnd(Retry retry, Billing billing, int id) {
    try {
      retry.call(() -> billing.fetch(id));
    } catch (IOException e) {
      RetrySummary summary = RetrySummary.of(e).orElseThrow();
      System.out.printf(
          "%s after %d attempts in %s%n", summary.reason(), summary.attempts(), summary.elapsed());
    }
  }

  static Retry limits(RetryPolicy policy) {
    Retry retry =
        Retry.builder(policy)
            .named("billing")
            .timeLimit(ofSeconds(30))
            .attemptTimeout(ofSeconds(5))
            .build();
    return retry;
  }

  static Retry results(RetryPolicy policy) {
    Retry untilReady =
        Retry.builder(policy)
            .retryOnResult(result -> result instanceof Invoice invoice && !invoice.ready())
            .build();
    return untilReady;
  }

  static Retry failures() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofMillis(200))
            .retryOn(status(429), serverErrors(), exception(IOException.class))
            .build();
    Retry retry =
        Retry.builder(policy)
            .failureClassifier(
                thrown ->
                    thrown instanceof BillingException e
                        ? Failure.http(e.status()).withMessage(e.getMessage())
                        : Failure.exception(thrown))
            .retryIf(thrown -> !(thrown instanceof java.io.FileNotFoundException))
            .delayFunction((attempt, failure) -> failure.status() == 429 ? ofSeconds(10) : null)
            .build();
    return retry;
  }

  static Retry listening(RetryPolicy policy, System.Logger log) {
    RetryListener listener =
        new RetryListener() {
          @Override
          public void onRetry(RetryEvent event) {
            log.log(
                System.Logger.Level.WARNING,
                "%s: attempt %d failed, next one in %s"
                    .formatted(event.operation(), event.attempt(), event.delay()));
          }
        };
    Retry retry = Retry.builder(policy).named("billing").listener(listener).build();
    return retry;
  }

  static Retry metrics(RetryPolicy policy, MeterRegistry registry) {
    Retry retry =
        Retry.builder(policy).named("billing").listener(RetryMetrics.of(registry)).build();
    return retry;
  }

  static Retry budget(RetryPolicy policy) {
    RetryBudget budget = RetryBudget.create();
    Retry retry = Retry.builder(policy).budget(budget).build();
    return retry;
  }

  static CompletableFuture<Invoice> async(Retry retry, Billing billing, int id) {
    CompletableFuture<Invoice> invoice = retry.callAsync(() -> billing.fetchAsync(id));
    return invoice;
  }

  static HttpResponse<String> http(HttpRequest request) throws Exception {
    HttpRetry http = HttpRetry.wrap(HttpClient.newHttpClient());
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return response;
  }

  static HttpRetry httpWithMore(HttpClient client, RetryBudget budget) {
    HttpRetry http =
        HttpRetry.builder(client)
            .addIdempotencyKey()
            .retry(retry -> retry.budget(budget).timeLimit(ofSeconds(30)))
            .build();
    return http;
  }

  static Optional<Invoice> handOver(
      RetryPolicy policy, HandOverTarget engine, Billing billing, int id) throws IOException {
    DurableRetry fetch = Retry.of(policy).thenDurably(engine, "fetch-invoice");
    try {
      return Optional.of(fetch.call(id, context -> billing.fetch(id, context.idempotencyKey())));
    } catch (HandedOverException later) {
      log.log(System.Logger.Level.INFO, "invoice {0} continues as task {1}", id, later.taskId());
      return Optional.empty();
    }
  }

  static DurableRetry handOverSooner(RetryPolicy policy, HandOverTarget engine) {
    DurableRetry fetch =
        Retry.builder(policy)
            .timeLimit(ofSeconds(2))
            .build()
            .thenDurably(engine, "fetch-invoice")
            .maxInProcessRetries(1);
    return fetch;
  }

  static HttpResponse<String> handOverHttp(
      HttpClient client, HandOverTarget engine, Invoice invoice, HttpRequest request)
      throws Exception {
    DurableHttpRetry http =
        HttpRetry.builder(client).addIdempotencyKey().build().thenDurably(engine, "send-invoice");
    HttpResponse<String> response = http.send(invoice, request, BodyHandlers.ofString());
    return response;
  }

  static void testing(Billing billing) throws IOException {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    Retry retry =
        Retry.builder(RetryPolicy.exponential(ofSeconds(1)).jitter(Jitter.none()).build())
            .timeProvider(time)
            .build();

    retry.call(() -> billing.fetch(7));

    assertThat(time.sleeps()).containsExactly(ofSeconds(1), ofSeconds(2));
  }

  static void testingAsync(Billing billing) {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    Retry retry =
        Retry.builder(RetryPolicy.fixed(Duration.ofHours(1)).build())
            .timeProvider(time)
            .random(new SplittableRandom(1))
            .executor(Runnable::run)
            .build();

    CompletableFuture<Invoice> invoice = retry.callAsync(() -> billing.fetchAsync(7));
    assertThat(invoice).isNotDone();
    time.advance(Duration.ofHours(2));
    assertThat(invoice).isCompleted();
  }
}
