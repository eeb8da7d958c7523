// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.Successor;
import dev.perdure.retry.Retry;
import dev.perdure.retry.RetryBuilder;
import dev.perdure.retry.Waits;
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
  private final Retry cautious;
  private final Requests requests;

  private HttpRetry(HttpClient client, Retry repeatable, Retry cautious, Requests requests) {
    this.client = client;
    this.repeatable = repeatable;
    this.cautious = cautious;
    this.requests = requests;
  }

  /** This client, with the http preset. */
  public static HttpRetry wrap(HttpClient client) {
    return with(client).build();
  }

  /** Begins a wrapper with more to it. */
  public static Builder with(HttpClient client) {
    return new Builder(client);
  }

  /** The answer to the request, which is sent as often as it takes. */
  public <T extends @Nullable Object> HttpResponse<T> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest logical = requests.prepared(request);
    Answers answers = new Answers();
    try {
      return retryFor(logical)
          .<HttpResponse<T>, Exception>call(
              () -> {
                answers.discardLast();
                return answers.keep(client.send(logical, handler));
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
    HttpRequest logical = requests.prepared(request);
    Answers answers = new Answers();
    return retryFor(logical)
        .callAsync(
            () -> {
              answers.discardLast();
              return new SentRequest<>(client.sendAsync(logical, handler), answers);
            });
  }

  /**
   * The same client, which hands requests over to a durable engine when it should go on for longer
   * than the process waits; see {@link Retry#thenDurably}. A POST or PATCH that may have taken
   * effect and carries no key is not repeated by a task either.
   */
  public DurableHttp thenDurably(Successor successor, String kind) {
    return new DurableHttp(
        client,
        repeatable.thenDurably(successor, kind),
        cautious.thenDurably(successor, kind),
        requests);
  }

  private Retry retryFor(HttpRequest request) {
    return Requests.isRepeatable(request) ? repeatable : cautious;
  }

  /** Writes an {@link HttpRetry}. */
  public static final class Builder {
    private final HttpClient client;
    private RetryPolicy policy = RetryPolicy.http();
    private UnaryOperator<RetryBuilder> further = UnaryOperator.identity();
    private @Nullable Supplier<String> keys;
    private Waits waits = Waits.system();

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
      further = more;
      return this;
    }

    /**
     * Gives each POST and PATCH that has none an {@code Idempotency-Key}, the same for all its
     * attempts, so that it can be repeated. The server must know what to do with it.
     */
    public Builder addIdempotencyKey() {
      return addIdempotencyKey(Requests::newKey);
    }

    /** The same with keys of one's own, asked for once for each request. */
    public Builder addIdempotencyKey(Supplier<String> own) {
      keys = own;
      return this;
    }

    /** Another source of time, for tests. */
    public Builder waits(Waits source) {
      waits = source;
      return this;
    }

    public HttpRetry build() {
      return new HttpRetry(client, retry(true), retry(false), new Requests(keys));
    }

    private Retry retry(boolean repeatable) {
      HttpFailures failures = new HttpFailures(waits, repeatable);
      RetryBuilder builder =
          Retry.with(policy).named("http").failures(failures).results(failures).waits(waits);
      return further.apply(builder).build();
    }
  }
}
