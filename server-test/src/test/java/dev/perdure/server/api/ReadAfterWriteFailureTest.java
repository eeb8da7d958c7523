// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Response;
import dev.perdure.server.webhook.StoredActions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Responses to requests that changed something which then cannot be read. */
class ReadAfterWriteFailureTest extends ApiPipelineFixture {

  private final ReadFailingStore failing = new ReadFailingStore();

  ReadAfterWriteFailureTest(TestDatabase database) {
    super(database);
  }

  @Override
  TaskStore wrap(TaskStore store) {
    return failing.wrap(store);
  }

  private static JsonNode detail(AuditEntry entry) {
    return Objects.requireNonNull(entry.detail());
  }

  private UUID submit() {
    Response response =
        request("POST", "/task", "{\"kind\": \"job\", \"retry\": {\"preset\": \"queue\"}}");
    return UUID.fromString(json(response).get(0).get("id").stringValue());
  }

  private UUID submitAndClaim() {
    UUID id = submit();
    request("POST", "/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"job\"]}");
    return id;
  }

  private Task stored(UUID id) {
    return real.reader().find(id).orElseThrow();
  }

  private static Optional<String> retryAfter(Response response) {
    return Optional.ofNullable(response.headers().get("Retry-After"));
  }

  @Test
  void a_submission_is_confirmed_with_the_task_ids() {
    failing.failReadsAfterNextWrite();

    Response response = request("POST", "/task", "[{\"kind\": \"job\"}, {\"kind\": \"job\"}]");

    assertThat(response.status()).isEqualTo(201);
    List<UUID> ids =
        json(response)
            .valueStream()
            .map(task -> UUID.fromString(task.get("id").stringValue()))
            .toList();
    assertThat(ids).hasSize(2).allSatisfy(id -> assertThat(real.reader().find(id)).isPresent());
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /task/%s, cancel",
    "PATCH, /task/pause/%s, pause",
    "PATCH, /task/resume/%s, resume"
  })
  void an_operator_action_is_confirmed_and_audited(String method, String path, String action) {
    UUID id = submit();
    failing.failReadsAfterNextWrite();

    Response response = request(method, path.formatted(id), "");

    assertThat(response.status()).isEqualTo(200);
    assertThat(json(response).get("id").stringValue()).isEqualTo(id.toString());
    assertThat(auditEntries).containsExactly(AuditEntry.of(action, id.toString()));
  }

  @Test
  void a_revive_is_confirmed_and_audited() {
    UUID id = submit();
    engine.cancel(id);
    failing.failReadsAfterNextWrite();

    Response response = request("POST", "/task/%s/retry".formatted(id), "");

    assertThat(response.status()).isEqualTo(200);
    assertThat(auditEntries).extracting(AuditEntry::action).containsExactly("retry");
    assertThat(stored(id).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void added_counters_are_confirmed() {
    UUID id = submitAndClaim();
    failing.failReadsAfterNextWrite();

    Response response = request("PATCH", "/task/" + id, "{\"epoch\": 1, \"new_success\": 5}");

    assertThat(response.status()).isEqualTo(200);
    assertThat(json(response).get("id").stringValue()).isEqualTo(id.toString());
    assertThat(stored(id).progress().success()).isEqualTo(5);
  }

  @Test
  void a_settlement_by_an_operator_gets_a_503_without_retry_after() {
    UUID id = submitAndClaim();
    failing.failReadsAfterNextWrite();

    Response response = request("PATCH", "/task/" + id, "{\"status\": \"Failure\"}");

    assertThat(response.status()).isEqualTo(503);
    assertThat(retryAfter(response)).isEmpty();
    assertThat(stored(id).state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(auditEntries).extracting(AuditEntry::action).containsExactly("patch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"epoch\": 1, ", ""})
  void a_settlement_is_stored_with_its_counters_or_can_be_repeated(String epoch) {
    UUID id = submitAndClaim();
    String end = "{%s\"new_success\": 5, \"status\": \"Success\"}".formatted(epoch);
    failing.failWritesAfter(0);

    assertThat(retryAfter(request("PATCH", "/task/" + id, end))).contains("1");
    assertThat(stored(id).progress().success()).isZero();
    assertThat(stored(id).state()).isEqualTo(TaskState.RUNNING);
    assertThat(auditEntries).isEmpty();

    failing.restore();
    assertThat(request("PATCH", "/task/" + id, end).status()).isEqualTo(200);
    assertThat(stored(id).progress().success()).isEqualTo(5);
    assertThat(stored(id).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_request_that_changed_nothing_can_be_repeated() {
    UUID id = submit();
    failing.failWritesAfter(0);

    assertThat(retryAfter(request("DELETE", "/task/" + id, ""))).contains("1");
    assertThat(retryAfter(request("POST", "/task", "{\"kind\": \"job\"}"))).contains("1");
    assertThat(auditEntries).isEmpty();
  }

  @Test
  void an_interrupted_bulk_action_is_audited_and_says_where_to_continue() {
    String many =
        IntStream.range(0, 700)
            .mapToObj(i -> "{\"kind\": \"job\"}")
            .collect(Collectors.joining(",", "[", "]"));
    request("POST", "/task", many);
    failing.failWritesAfter(1);

    Response response =
        request("POST", "/task/bulk", "{\"action\": \"cancel\", \"filter\": {\"kind\": \"job\"}}");

    assertThat(response.status()).isEqualTo(503);
    assertThat(retryAfter(response)).isEmpty();
    TaskFilter canceled = TaskFilter.in(TaskState.CANCELED);
    assertThat(real.reader().count(canceled, 1_000)).isEqualTo(50);
    String after =
        real.reader().list(canceled, new PageRequest(50, null)).tasks().getLast().id().toString();
    assertThat(json(response).get("detail").stringValue()).contains("50 tasks", after);
    JsonNode detail = detail(auditEntries.getFirst());
    assertThat(detail.get("changed").longValue()).isEqualTo(50);
    assertThat(detail.get("interrupted").booleanValue()).isTrue();
  }

  private void deadDelivery() {
    UUID task = submit();
    DeliveryMessage message = new DeliveryMessage(StoredActions.NOTIFY, "{}");
    real.outbox().enqueue(task, new NewDelivery(task, message));
    List<Delivery> claimed = real.outbox().claim(1, Duration.ofMinutes(1)).deliveries();
    real.outbox()
        .settle(
            List.of(
                DeliveryUpdate.dead(
                    claimed.getFirst(), new Delivery.DeliveryFailure("http", 503, null))));
  }

  @Test
  void deliveries_that_are_sent_again_are_audited_when_the_store_fails_halfway() {
    for (int i = 0; i < 3; i++) {
      deadDelivery();
    }
    failing.failWritesAfter(2);
    String body = "{\"action\": \"redeliver\", \"filter\": {\"state\": \"dead\"}}";

    Response response = request("POST", "/delivery/bulk", body);

    assertThat(response.status()).isEqualTo(503);
    assertThat(json(response).get("detail").stringValue()).contains("2 deliveries");
    JsonNode detail = detail(auditEntries.getFirst());
    assertThat(detail.get("changed").longValue()).isEqualTo(2);
    assertThat(detail.get("interrupted").booleanValue()).isTrue();
    failing.restore();
    JsonNode rest = json(request("POST", "/delivery/bulk", body));
    assertThat(rest.get("changed").longValue()).isEqualTo(1);
    assertThat(rest.get("matched").longValue()).isEqualTo(1);
  }
}
