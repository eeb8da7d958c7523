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
 * An {@link HttpClient} that tries again, and then lets a task try. Immutable and safe to share.
 *
 * <p>The payload is what the task's handler needs to make the same request. When the request
 * carries an {@code Idempotency-Key}, its own or one that was added, the task has the same: sent by
 * the handler, it lets the server recognise the repetition.
 */
public final class DurableHttpRetry {

  private final HttpClient client;
  private final DurableRetry repeatable;
  private final DurableRetry nonRepeatable;
  private final RepeatableRequests repeatableRequests;

  DurableHttpRetry(
      HttpClient client,
      DurableRetry repeatable,
      DurableRetry cautious,
      RepeatableRequests repeatableRequests) {
    this.client = client;
    this.repeatable = repeatable;
    this.nonRepeatable = cautious;
    this.repeatableRequests = repeatableRequests;
  }

  /**
   * The answer to the request.
   *
   * @throws HandedOverException when it goes on as a task
   */
  public <T extends @Nullable Object> HttpResponse<T> send(
      @Nullable Object payload, HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest logical = repeatableRequests.withIdempotencyKey(request);
    LastResponse lastResponse = new LastResponse();
    try {
      return retryFor(logical)
          .<HttpResponse<T>, Exception>call(
              payload,
              context -> {
                lastResponse.discardLast();
                return lastResponse.keep(client.send(logical, handler));
              });
    } catch (HandedOverException e) {
      lastResponse.discardLast();
      throw e;
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("an HttpClient threw what it does not declare", e);
    }
  }

  /** The future answer; it fails with a {@link HandedOverException} when it goes on as a task. */
  public <T extends @Nullable Object> CompletableFuture<HttpResponse<T>> sendAsync(
      @Nullable Object payload, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    HttpRequest logical = repeatableRequests.withIdempotencyKey(request);
    LastResponse lastResponse = new LastResponse();
    CompletableFuture<HttpResponse<T>> answer =
        retryFor(logical)
            .callAsync(
                payload,
                context -> {
                  lastResponse.discardLast();
                  return new ResponseFuture<>(client.sendAsync(logical, handler), lastResponse);
                });
    CompletionStage<HttpResponse<T>> stage = answer;
    stage.whenComplete(
        (last, thrown) -> {
          if (thrown instanceof HandedOverException) {
            lastResponse.discardLast();
          }
        });
    return answer;
  }

  private DurableRetry retryFor(HttpRequest request) {
    DurableRetry retry = RepeatableRequests.isRepeatable(request) ? repeatable : nonRepeatable;
    return RepeatableRequests.idempotencyKey(request).map(retry::withIdempotencyKey).orElse(retry);
  }
}
