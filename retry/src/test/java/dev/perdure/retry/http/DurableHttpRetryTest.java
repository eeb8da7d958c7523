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
  private final FakeTimeProvider waits =
      FakeTimeProvider.startingAt(Instant.parse("2026-11-15T12:00:00Z"));
  private final RecordingHandOverTarget engine = new RecordingHandOverTarget();
  private final DurableHttpRetry http =
      HttpRetry.builder(client)
          .timeProvider(waits)
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
  void the_task_has_the_key_that_the_server_has_seen() throws IOException {
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      HandedOverException later = handedOver(post(server.uri()));

      assertThat(later.taskId()).isEqualTo(RecordingHandOverTarget.TASK);
      assertThat(server.asked()).hasSize(1);
      assertThat(server.asked().getFirst().keys()).containsExactly(engine.only().idempotencyKey());
      assertThat(engine.only().failedAttempts().getFirst().delay()).isEqualTo(ofSeconds(30));
      assertThat(engine.only().failedAttempts().getFirst().failure().status()).isEqualTo(503);
    }
  }

  @Test
  void a_key_of_the_requests_own_stays() throws IOException {
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
  void the_same_asynchronously() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      CompletableFuture<HttpResponse<String>> answer =
          http.sendAsync("order 1", post(server.uri()), BodyHandlers.ofString());

      assertThat(catchThrowable(answer::get)).hasCauseInstanceOf(HandedOverException.class);
      assertThat(server.asked().getFirst().keys()).containsExactly(engine.only().idempotencyKey());
    }
  }

  @Test
  void an_answer_that_is_no_failure_is_the_answer() throws Exception {
    try (FlakyServer server = new FlakyServer(status(503), status(404))) {
      assertThat(http.send("order 1", post(server.uri()), BodyHandlers.ofString()).statusCode())
          .isEqualTo(404);
      assertThat(engine.received()).isEmpty();
    }
  }

  @Test
  void what_may_have_taken_effect_without_a_key_is_not_repeated_by_a_task() throws Exception {
    DurableHttpRetry keyless =
        HttpRetry.builder(client).timeProvider(waits).build().thenDurably(engine, "post");
    try (FlakyServer server = new FlakyServer(status(503, "Retry-After", "30"))) {
      assertThat(keyless.send("order 1", post(server.uri()), BodyHandlers.ofString()).statusCode())
          .isEqualTo(503);
      assertThat(engine.received()).isEmpty();
    }
  }

  /** A body that nobody reads holds on to its connection. */
  @Test
  void the_last_answer_is_let_go() throws IOException {
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
