// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.client.TransportException.Reason;
import dev.perdure.policy.Failure;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the client reads responses, and what it does with those that it cannot read. */
@Timeout(60)
class ResponseReadingTest extends ScriptedServerFixture {

  @Test
  void reads_responses_of_newer_servers() throws IOException {
    try (PerdureClient client = scripted(task(), 201)) {
      TaskInfo task = client.submit(TaskRequest.of("a")).tasks().getFirst();

      assertThat(task.status()).isEqualTo(TaskStatus.UNKNOWN);
      assertThat(task.statusText()).isEqualTo("Dreaming");
    }
  }

  @Test
  void submits_at_least_one_task() throws IOException {
    try (PerdureClient client = scripted("")) {
      assertThatThrownBy(() -> client.submit("k", List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("tasks: must contain at least one task");
      assertThat(keys).as("requests").isEmpty();
    }
  }

  @Test
  void an_empty_page_says_how_far_the_server_looked() throws IOException {
    responseHeaders.put("X-Total-Count", "0");
    responseHeaders.put("X-Total-Exact", "false");
    responseHeaders.put("X-Looked-At", "50000");
    responseHeaders.put("X-Reached", "2026-03-01T12:00:00.000Z");
    try (PerdureClient client = scripted("[]", 200, 200)) {
      assertThat(client.list(TaskSearch.all()))
          .isEqualTo(
              new Page<>(List.of(), "x", 0L, 50_000L, Instant.parse("2026-03-01T12:00:00Z")));
      assertThat(client.get("/task", Map.of()).isTotalExact()).isFalse();
    }
  }

  @Test
  void a_page_is_complete_unless_the_server_says_otherwise() throws IOException {
    try (PerdureClient client = scripted("[]", 200, 200)) {
      assertThat(client.list(TaskSearch.all()))
          .isEqualTo(new Page<>(List.of(), "x", null, null, null));
      assertThat(client.get("/task", Map.of()).isTotalExact()).isTrue();
    }
  }

  private static Stream<Consumer<PerdureClient>> changes() {
    AttemptRef attempt = AttemptRef.ofLease(ID, 1);
    return Stream.of(
        client -> client.cancel(ID),
        client -> client.pause(ID),
        client -> client.resume(ID),
        client -> client.retry(ID),
        client -> client.reschedule(ID, Instant.EPOCH),
        client -> client.retryIgnoringDependencies(ID),
        client -> client.resolve(ID, "done by hand", null),
        client -> client.succeed(attempt, null),
        client -> client.fail(attempt, Failure.explicit("no")),
        client -> client.redeliver(ID));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void reports_that_a_change_was_made_when_its_result_is_missing(Consumer<PerdureClient> change)
      throws IOException {
    try (PerdureClient client = scripted("{\"id\": \"%s\"}".formatted(ID), 200)) {
      assertMade(catchThrowableOfType(TransportException.class, () -> change.accept(client)));
    }
  }

  @Test
  void reports_that_tasks_were_submitted_when_they_are_missing() throws IOException {
    try (PerdureClient client = scripted("[{\"id\": \"%s\"}]".formatted(ID), 201)) {
      assertMade(failure(client));
    }
    assertThat(keys).hasSize(1);
  }

  private static void assertMade(TransportException e) {
    assertThat(e.reason()).isEqualTo(Reason.RESULT_UNAVAILABLE);
    assertThat(e).hasMessage("the change was made, but the result cannot be read now");
  }

  @Test
  void ends_a_stream_when_the_server_repeats_a_cursor() throws IOException {
    try (PerdureClient client = scripted(task(), 200, 200)) {
      assertThat(client.stream(TaskSearch.all())).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "[{\"id\": 7}]", "[{\"id\": \"x\"}]", "[[]]"})
  void rejects_responses_that_are_not_from_perdure(String body) throws IOException {
    try (PerdureClient client = scripted(body, 200)) {
      assertThatThrownBy(() -> client.list(TaskSearch.all()))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNEXPECTED_RESPONSE));
    }
    try (PerdureClient client = scripted(body, 502)) {
      assertThatThrownBy(() -> client.list(TaskSearch.all())).hasMessageContaining("answered 502");
    }
    try (PerdureClient client = scripted(body, 404)) {
      TransportException wrong = failure(client);
      assertThat(wrong).hasMessageContaining("answered 404: is it a Perdure server?");
      assertThat(wrong.outcomeUnknown()).isFalse();
    }
  }

  private static Stream<Consumer<PerdureClient>> reads() {
    return Stream.of(
        client -> client.submit(TaskRequest.of("a")),
        client -> client.list(TaskSearch.all()),
        client -> client.claim(ClaimOptions.of("w", "a")),
        client -> client.bulk(BulkOperation.CANCEL, TaskSearch.all().kind("a"), null),
        client -> client.reportProgress(AttemptRef.ofLease(ID, 1), 1, 0),
        client -> client.waitingRetries(RetrySearch.all()),
        client -> client.deliveries(DeliverySearch.all()),
        client -> client.batches().get(ID),
        client -> client.batches().list(BatchSearch.all()),
        client -> client.batches().graph(ID),
        client -> client.batches().stop(ID),
        client -> client.batches().retry(ID),
        client -> client.batches().runAgain(ID),
        PerdureClient::retryStats,
        PerdureClient::isReady);
  }

  @ParameterizedTest
  @MethodSource("reads")
  void rejects_an_empty_object(Consumer<PerdureClient> read) throws IOException {
    try (PerdureClient client = scripted("{}", 200)) {
      assertThatThrownBy(() -> read.accept(client))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNEXPECTED_RESPONSE));
    }
  }

  @Test
  void rejects_a_claimed_task_without_an_epoch() throws IOException {
    String claimed =
        task()
            .replace("\"epoch\": 0,", "")
            .replace("}]", ", \"lease_until\": \"2026-01-01T00:00:00Z\"}]");
    try (PerdureClient client = scripted(claimed, 200)) {
      assertThatThrownBy(() -> client.claim(ClaimOptions.of("w", "a")))
          .hasMessageContaining("the field 'epoch' is missing");
    }
  }
}
