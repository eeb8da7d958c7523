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
 * An {@link HttpClient} that tries again. Immutable and safe to share.
 *
 * <pre>{@code
 * HttpRetry http = HttpRetry.wrap(HttpClient.newHttpClient());
 * HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>An answer that is not one to retry, or the last one when the retries are used up, is returned
 * as it is, whatever its status. What counts as a failure is the policy's business, by default
 * {@link RetryPolicy#http()}.
 *
 * <p>GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE are repeated. POST and PATCH are repeated
 * only when the request carries an {@code Idempotency-Key}, or when the request cannot have reached
 * the server; {@link Builder#addIdempotencyKey} gives every such request one key for all its
 * attempts. A body that may not be the same the second time, made by {@code
 * BodyPublishers.fromPublisher} or put together by {@code concat}, is sent once.
 */
public final class HttpRetry {

  private final HttpClient client;
  private final Retry repeatable;
  private final Retry nonRepeatable;
  private final RepeatableRequests repeatableRequests;

  private HttpRetry(
      HttpClient client, Retry repeatable, Retry cautious, RepeatableRequests repeatableRequests) {
    this.client = client;
    this.repeatable = repeatable;
    this.nonRepeatable = cautious;
    this.repeatableRequests = repeatableRequests;
  }

  /** This client, with the http preset. */
  public static HttpRetry wrap(HttpClient client) {
    return builder(client).build();
  }

  /** Begins a wrapper with more to it. */
  public static Builder builder(HttpClient client) {
    return new Builder(client);
  }

  /** The answer to the request, which is sent as often as it takes. */
  public <T extends @Nullable Object> HttpResponse<T> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest logical = repeatableRequests.withIdempotencyKey(request);
    LastResponse lastResponse = new LastResponse();
    try {
      return retryFor(logical)
          .<HttpResponse<T>, Exception>call(
              () -> {
                lastResponse.discardLast();
                return lastResponse.keep(client.send(logical, handler));
              });
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("an HttpClient threw what it does not declare", e);
    }
  }

  /** The future answer to the request, which is sent as often as it takes. */
  public <T extends @Nullable Object> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    HttpRequest logical = repeatableRequests.withIdempotencyKey(request);
    LastResponse lastResponse = new LastResponse();
    return retryFor(logical)
        .callAsync(
            () -> {
              lastResponse.discardLast();
              return new ResponseFuture<>(client.sendAsync(logical, handler), lastResponse);
            });
  }

  /**
   * The same client, which hands requests over to a durable engine when it should go on for longer
   * than the process waits; see {@link Retry#thenDurably}. A POST or PATCH that may have taken
   * effect and carries no key is not repeated by a task either.
   */
  public DurableHttpRetry thenDurably(HandOverTarget handOverTarget, String kind) {
    return new DurableHttpRetry(
        client,
        repeatable.thenDurably(handOverTarget, kind),
        nonRepeatable.thenDurably(handOverTarget, kind),
        repeatableRequests);
  }

  private Retry retryFor(HttpRequest request) {
    return RepeatableRequests.isRepeatable(request) ? repeatable : nonRepeatable;
  }

  /** Writes an {@link HttpRetry}. */
  public static final class Builder {
    private final HttpClient client;
    private RetryPolicy policy = RetryPolicy.http();
    private UnaryOperator<RetryBuilder> customizer = UnaryOperator.identity();
    private @Nullable Supplier<String> keySupplier;
    private TimeProvider timeProvider = TimeProvider.system();

    private Builder(HttpClient client) {
      this.client = client;
    }

    /** Another policy than the http preset. */
    public Builder policy(RetryPolicy other) {
      policy = other;
      return this;
    }

    /**
     * Limits, budgets, listeners: whatever a {@link Retry} can have. Called twice, for requests
     * that may be repeated and for the others, so a budget to be shared is made outside.
     */
    public Builder retry(UnaryOperator<RetryBuilder> more) {
      customizer = more;
      return this;
    }

    /**
     * Gives each POST and PATCH that has none an {@code Idempotency-Key}, the same for all its
     * attempts, so that it can be repeated. The server must know what to do with it.
     */
    public Builder addIdempotencyKey() {
      return addIdempotencyKey(RepeatableRequests::newIdempotencyKey);
    }

    /** The same with keys of one's own, asked for once for each request. */
    public Builder addIdempotencyKey(Supplier<String> own) {
      keySupplier = own;
      return this;
    }

    /** Another source of time, for tests. */
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
