// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import static dev.perdure.retry.http.FlakyServer.status;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.retry.HandedOverException;
import dev.perdure.retry.RecordingHandOverTarget;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DurableHttpRetryTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private final FakeTimeProvider time =
      FakeTimeProvider.startingAt(Instant.parse("2026-11-15T12:00:00Z"));
  private final RecordingHandOverTarget engine = new RecordingHandOverTarget();
  private final DurableHttpRetry http =
      HttpRetry.builder(client)
          .timeProvider(time)
          .addIdempotencyKey()
          .build()
          .thenDurably(engine, "post");

  @AfterEach
  void closeClient() {
    client.close();
  }

  private static HttpRequest post(URI uri) {
    return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("order 1")).build();
  }

  private HandedOverException handedOver(HttpRequest request) {
    return catchThrowableOfType(
        HandedOverException.class, () -> http.send("order 1", request, BodyHandlers.ofString()));
  }

  @Test
  void the_task_has_the_key_of_the_request() throws IOException {
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      HandedOverException later = handedOver(post(server.uri()));

      assertThat(later.taskId()).isEqualTo(RecordingHandOverTarget.TASK);
      assertThat(server.requests()).hasSize(1);
      assertThat(server.requests().getFirst().keys())
          .containsExactly(engine.only().idempotencyKey());
      assertThat(engine.only().failedAttempts().getFirst().delay()).isEqualTo(ofSeconds(30));
      assertThat(engine.only().failedAttempts().getFirst().failure().status()).isEqualTo(503);
    }
  }

  @Test
  void keeps_the_key_of_the_request() throws IOException {
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      handedOver(
          HttpRequest.newBuilder(server.uri())
              .header("Idempotency-Key", "order-1")
              .POST(BodyPublishers.noBody())
              .build());
      assertThat(engine.only().idempotencyKey()).isEqualTo("order-1");
    }
  }

  @Test
  void hands_over_asynchronously() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      CompletableFuture<HttpResponse<String>> response =
          http.sendAsync("order 1", post(server.uri()), BodyHandlers.ofString());

      assertThat(catchThrowable(response::get)).hasCauseInstanceOf(HandedOverException.class);
      assertThat(server.requests().getFirst().keys())
          .containsExactly(engine.only().idempotencyKey());
    }
  }

  @Test
  void returns_a_response_that_is_not_retried() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503), status(404))) {
      assertThat(http.send("order 1", post(server.uri()), BodyHandlers.ofString()).statusCode())
          .isEqualTo(404);
      assertThat(engine.received()).isEmpty();
    }
  }

  @Test
  void a_request_without_a_key_that_may_have_taken_effect_is_not_handed_over() throws Exception {
    DurableHttpRetry keyless =
        HttpRetry.builder(client).timeProvider(time).build().thenDurably(engine, "post");
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      assertThat(keyless.send("order 1", post(server.uri()), BodyHandlers.ofString()).statusCode())
          .isEqualTo(503);
      assertThat(engine.received()).isEmpty();
    }
  }

  /** A body that is not read keeps its connection open. */
  @Test
  void discards_the_last_response() throws IOException {
    AtomicReference<InputStream> body = new AtomicReference<>();
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      Throwable thrown =
          catchThrowable(
              () ->
                  http.send(
                      "order 1",
                      post(server.uri()),
                      info ->
                          HttpResponse.BodySubscribers.mapping(
                              HttpResponse.BodySubscribers.ofInputStream(),
                              stream -> {
                                body.set(stream);
                                return stream;
                              })));
      assertThat(thrown).isInstanceOf(HandedOverException.class);
      assertThat(catchThrowable(() -> body.get().read())).isInstanceOf(IOException.class);
    }
  }
}
