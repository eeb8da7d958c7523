// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import dev.perdure.policy.HandOverTarget;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBuilder;
import dev.perdure.retry.TimeProvider;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} with retries. Immutable and thread-safe.
 *
 * <pre>{@code
 * HttpRetry http = HttpRetry.wrap(HttpClient.newHttpClient());
 * HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>A response that is not retried is returned as it is, whatever its status; so is the last one
 * when no retries are left. The policy decides which failures are retried; the default is {@link
 * RetryPolicy#http()}.
 *
 * <p>GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE requests are repeated. POST and PATCH
 * requests are repeated only if they carry an {@code Idempotency-Key} or cannot have reached the
 * server. {@link Builder#addIdempotencyKey} adds a key to each such request, the same for all its
 * attempts. A body that may differ the second time, created by {@code BodyPublishers.fromPublisher}
 * or {@code concat}, is sent only once.
 */
public final class HttpRetry {

  private final HttpClient client;
  private final Retry repeatable;
  private final Retry nonRepeatable;
  private final RepeatableRequests requests;

  private HttpRetry(
      HttpClient client, Retry repeatable, Retry nonRepeatable, RepeatableRequests requests) {
    this.client = client;
    this.repeatable = repeatable;
    this.nonRepeatable = nonRepeatable;
    this.requests = requests;
  }

  /** Wraps a client, with the http preset. */
  public static HttpRetry wrap(HttpClient client) {
    return builder(client).build();
  }

  /** Starts a wrapper with further settings. */
  public static Builder builder(HttpClient client) {
    return new Builder(client);
  }

  /** Sends the request, with retries, and returns the response. */
  public <T extends @Nullable Object> HttpResponse<T> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest logical = requests.withIdempotencyKey(request);
    LastResponse last = new LastResponse();
    try {
      return retryFor(logical)
          .<HttpResponse<T>, Exception>call(
              () -> {
                last.discardLast();
                return last.keep(client.send(logical, handler));
              });
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the HttpClient threw an undeclared checked exception", e);
    }
  }

  /** Sends the request asynchronously, with retries. */
  public <T extends @Nullable Object> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    HttpRequest logical = requests.withIdempotencyKey(request);
    LastResponse last = new LastResponse();
    return retryFor(logical)
        .callAsync(
            () -> {
              last.discardLast();
              return new ResponseFuture<>(client.sendAsync(logical, handler), last);
            });
  }

  /**
   * Continues the retries as a durable task when they take too long; see {@link Retry#thenDurably}.
   * A POST or PATCH without a key that may have taken effect is not repeated by a task either.
   */
  public DurableHttpRetry thenDurably(HandOverTarget target, String kind) {
    return new DurableHttpRetry(
        client,
        repeatable.thenDurably(target, kind),
        nonRepeatable.thenDurably(target, kind),
        requests);
  }

  private Retry retryFor(HttpRequest request) {
    return RepeatableRequests.isRepeatable(request) ? repeatable : nonRepeatable;
  }

  /** Builds an {@link HttpRetry}. */
  public static final class Builder {
    private final HttpClient client;
    private RetryPolicy policy = RetryPolicy.http();
    private UnaryOperator<RetryBuilder> customizer = UnaryOperator.identity();
    private @Nullable Supplier<String> keySupplier;
    private TimeProvider timeProvider = TimeProvider.system();

    private Builder(HttpClient client) {
      this.client = client;
    }

    /** Sets the policy; the default is the http preset. */
    public Builder policy(RetryPolicy other) {
      policy = other;
      return this;
    }

    /**
     * Sets limits, budgets, listeners and all other options of a {@link Retry}. The function is
     * called twice, for repeatable requests and for all others, so create a shared budget outside
     * of it.
     */
    public Builder retry(UnaryOperator<RetryBuilder> function) {
      customizer = function;
      return this;
    }

    /**
     * Adds an {@code Idempotency-Key} to each POST and PATCH without one, the same for all its
     * attempts, so that it can be repeated. The server must support such keys.
     */
    public Builder addIdempotencyKey() {
      return addIdempotencyKey(RepeatableRequests::newIdempotencyKey);
    }

    /** Adds keys from this supplier, which is called once per request. */
    public Builder addIdempotencyKey(Supplier<String> keys) {
      keySupplier = keys;
      return this;
    }

    /** Sets the source of time; for tests. */
    public Builder timeProvider(TimeProvider source) {
      timeProvider = source;
      return this;
    }

    public HttpRetry build() {
      return new HttpRetry(client, retry(true), retry(false), new RepeatableRequests(keySupplier));
    }

    private Retry retry(boolean repeatable) {
      HttpFailureClassifier failures = new HttpFailureClassifier(timeProvider, repeatable);
      RetryBuilder builder =
          Retry.builder(policy)
              .named("http")
              .failureClassifier(failures)
              .resultClassifier(failures)
              .timeProvider(timeProvider);
      return customizer.apply(builder).build();
    }
  }
}
