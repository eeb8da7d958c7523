// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import dev.perdure.retry.DurableRetry;
import dev.perdure.retry.HandedOverException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} with retries that continue as a durable task. Immutable and thread-safe.
 *
 * <p>The payload is what the handler of the task needs to send the same request. If the request
 * carries an {@code Idempotency-Key}, its own or an added one, the task has the same key. When the
 * handler sends it, the server can recognize the repeated request.
 */
public final class DurableHttpRetry {

  private final HttpClient client;
  private final DurableRetry repeatable;
  private final DurableRetry nonRepeatable;
  private final RepeatableRequests requests;

  DurableHttpRetry(
      HttpClient client,
      DurableRetry repeatable,
      DurableRetry nonRepeatable,
      RepeatableRequests requests) {
    this.client = client;
    this.repeatable = repeatable;
    this.nonRepeatable = nonRepeatable;
    this.requests = requests;
  }

  /**
   * Sends the request, with retries, and returns the response.
   *
   * @throws HandedOverException if the request continues as a task
   */
  public <T extends @Nullable Object> HttpResponse<T> send(
      @Nullable Object payload, HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest logical = requests.withIdempotencyKey(request);
    LastResponse last = new LastResponse();
    try {
      return retryFor(logical)
          .<HttpResponse<T>, Exception>call(
              payload,
              context -> {
                last.discardLast();
                return last.keep(client.send(logical, handler));
              });
    } catch (HandedOverException e) {
      last.discardLast();
      throw e;
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the HttpClient threw an undeclared checked exception", e);
    }
  }

  /**
   * Sends the request asynchronously, with retries. The future fails with a {@link
   * HandedOverException} if the request continues as a task.
   */
  public <T extends @Nullable Object> CompletableFuture<HttpResponse<T>> sendAsync(
      @Nullable Object payload, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    HttpRequest logical = requests.withIdempotencyKey(request);
    LastResponse last = new LastResponse();
    CompletableFuture<HttpResponse<T>> response =
        retryFor(logical)
            .callAsync(
                payload,
                context -> {
                  last.discardLast();
                  return new ResponseFuture<>(client.sendAsync(logical, handler), last);
                });
    CompletionStage<HttpResponse<T>> stage = response;
    stage.whenComplete(
        (ignored, thrown) -> {
          if (thrown instanceof HandedOverException) {
            last.discardLast();
          }
        });
    return response;
  }

  private DurableRetry retryFor(HttpRequest request) {
    DurableRetry retry = RepeatableRequests.isRepeatable(request) ? repeatable : nonRepeatable;
    return RepeatableRequests.idempotencyKey(request).map(retry::withIdempotencyKey).orElse(retry);
  }
}
