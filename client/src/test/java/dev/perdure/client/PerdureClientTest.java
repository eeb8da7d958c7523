// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The methods of the client against a real server, except those for workers. */
class PerdureClientTest {

  private static final UUID NO_TASK = new UUID(7 << 12, 1L << 63);

  private record Email(String to, int copies) {}

  @TempDir private Path folder;
  private TestServer server;
  private PerdureClient client;

  @BeforeEach
  void start() {
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = PerdureClient.builder(server.url()).timeout(Duration.ofSeconds(20)).build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private UUID submit(TaskRequest task) {
    return client.submit(task).tasks().getFirst().id();
  }

  private ClaimedTask claim(String kind) {
    return client.claim(ClaimOptions.of("worker-1", kind)).getFirst();
  }

  @Nested
  class Submitting {

    @Test
    void returns_the_batch_and_the_tasks_in_their_order() {
      SubmitResponse response =
          client.submit(TaskRequest.of("a").name("first"), TaskRequest.of("b").name("second"));

      assertThat(response.tasks()).extracting(TaskInfo::name).containsExactly("first", "second");
      assertThat(response.tasks()).extracting(TaskInfo::batchId).containsOnly(response.batchId());
      assertThat(response.replayed()).isFalse();
    }

    @Test
    void sends_every_field() {
      Instant due = Instant.parse("2099-01-01T00:00:00Z");
      UUID id =
          submit(
              TaskRequest.of("send-email", new Email("ada@example.org", 2))
                  .name("welcome")
                  .localId("mail-1")
                  .metadata(Map.of("customer", 42))
                  .retry(RetryPolicy.queue(5))
                  .runAt(due)
                  .timeout(Duration.ofMinutes(2))
                  .deadline(due.plusSeconds(60))
                  .priority(7)
                  .expectedCount(10)
                  .onSuccess(Webhook.post(URI.create("https://example.org/ok")).body("{{task.id}}"))
                  .onFailure(
                      Webhook.of("Put", URI.create("https://example.org/no"))
                          .header("X-From", "test")
                          .timeout(Duration.ofSeconds(5)))
                  .onRetry(Webhook.post(URI.create("https://example.org/again")))
                  .onCancel(Webhook.post(URI.create("https://example.org/stop"))));

      TaskInfo task = client.get(id);
      assertThat(task.payload(Email.class)).isEqualTo(new Email("ada@example.org", 2));
      assertThat(task.name()).isEqualTo("welcome");
      assertThat(task.localId()).isEqualTo("mail-1");
      assertThat(task.metadata()).hasToString("{\"customer\":42}");
      assertThat(task.retriesLeft()).isEqualTo(5);
      assertThat(task.runAt()).isEqualTo(due);
      assertThat(task.timeout()).isEqualTo(Duration.ofMinutes(2));
      assertThat(task.deadline()).isEqualTo(due.plusSeconds(60));
      assertThat(task.priority()).isEqualTo(7);
      assertThat(task.expectedCount()).isEqualTo(10);
      assertThat(task.actions())
          .asString()
          .contains("on_success", "on_failure", "on_retry", "on_cancel", "X-From", "5s");
      assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
      assertThat(task.startedAt()).isNull();
      assertThat(task.result()).isNull();
      assertThat(task.result(Email.class)).isNull();
      assertThat(task.failureKind()).isNull();
      assertThat(task.attempts()).isEmpty();
    }

    @Test
    void accepts_payload_and_policy_as_json() {
      UUID id = submit(TaskRequest.of("a").payloadJson("[1, 2]").retryJson("{\"max_retries\": 9}"));

      assertThat(client.get(id).payload()).hasToString("[1,2]");
      assertThat(client.get(id).retriesLeft()).isEqualTo(9);
    }

    @Test
    void twice_with_the_same_key_stores_the_tasks_once() {
      List<TaskRequest> tasks = List.of(TaskRequest.of("a"));
      SubmitResponse first = client.submit("nightly", tasks);
      SubmitResponse second = client.submit("nightly", tasks);

      assertThat(second.replayed()).isTrue();
      assertThat(second.batchId()).isEqualTo(first.batchId());
      assertThat(client.list(TaskSearch.all()).total()).isEqualTo(1);
    }

    @Test
    void reports_every_invalid_field() {
      ApiException refused =
          catchThrowableOfType(
              ApiException.class,
              () -> client.submit(TaskRequest.of(""), TaskRequest.of("a").priority(5_000)));

      assertThat(refused.isInvalid()).isTrue();
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.title()).isNotBlank();
      assertThat(refused.errors())
          .extracting(FieldError::path)
          .containsExactly("[0].kind", "[1].priority");
      assertThat(refused).hasMessageContaining("[1].priority");
    }
  }

  @Nested
  class Tasks {

    @Test
    void are_found_by_id() {
      UUID id = submit(TaskRequest.of("a"));

      assertThat(client.find(id)).map(TaskInfo::id).contains(id);
      assertThat(client.find(NO_TASK)).isEmpty();
      ApiException refused = catchThrowableOfType(ApiException.class, () -> client.get(NO_TASK));
      assertThat(refused.isNotFound()).isTrue();
      assertThat(refused.detail()).contains(NO_TASK.toString());
    }

    @Test
    void are_listed_by_filter() {
      SubmitResponse response =
          client.submit(
              TaskRequest.of("a").name("invoice 1").metadata(Map.of("customer", 1)),
              TaskRequest.of("ab").name("invoice 2").metadata(Map.of("customer", 2)));
      client.cancel(response.tasks().getFirst().id());
      Instant future = Instant.parse("2099-01-01T00:00:00Z");

      assertThat(kinds(TaskSearch.all())).containsExactly("ab", "a");
      assertThat(kinds(TaskSearch.all().order(TaskSearch.Order.OLDEST_FIRST)))
          .containsExactly("a", "ab");
      assertThat(kinds(TaskSearch.all().kind("a"))).containsExactly("a");
      assertThat(kinds(TaskSearch.all().status(TaskStatus.CANCELED))).containsExactly("a");
      assertThat(kinds(TaskSearch.all().name("voice 2"))).containsExactly("ab");
      assertThat(kinds(TaskSearch.all().text("voice 2"))).containsExactly("ab");
      assertThat(kinds(TaskSearch.all().metadata(Map.of("customer", 2)))).containsExactly("ab");
      assertThat(kinds(TaskSearch.all().batch(response.batchId()))).hasSize(2);
      assertThat(kinds(TaskSearch.all().batch(NO_TASK))).isEmpty();
      assertThat(kinds(TaskSearch.all().failureKind("timeout"))).isEmpty();
      assertThat(kinds(TaskSearch.all().giveUpReason("exhausted"))).isEmpty();
      assertThat(kinds(TaskSearch.all().createdAfter(future))).isEmpty();
      assertThat(kinds(TaskSearch.all().createdBefore(future))).hasSize(2);
      assertThat(kinds(TaskSearch.all().order(TaskSearch.Order.LAST_ENDED_FIRST)))
          .containsExactly("a");
    }

    private List<String> kinds(TaskSearch search) {
      return client.list(search).items().stream().map(TaskInfo::kind).toList();
    }

    @Test
    void are_streamed_page_by_page() {
      client.submit(
          IntStream.range(0, 5).mapToObj(i -> TaskRequest.of("a")).toArray(TaskRequest[]::new));
      Page<TaskInfo> first = client.list(TaskSearch.all().pageSize(2));

      assertThat(first.items()).hasSize(2);
      assertThat(first.total()).isEqualTo(5);
      assertThat(first.next()).isNotNull();
      assertThat(client.stream(TaskSearch.all().pageSize(2)))
          .extracting(TaskInfo::id)
          .hasSize(5)
          .doesNotHaveDuplicates();
    }

    @Test
    void are_streamed_in_every_order() {
      client.submit(
          IntStream.range(0, 3).mapToObj(i -> TaskRequest.of("a")).toArray(TaskRequest[]::new));
      client.bulk(BulkOperation.CANCEL, TaskSearch.all().kind("a"), null);

      for (TaskSearch.Order order : TaskSearch.Order.values()) {
        assertThat(client.stream(TaskSearch.all().order(order).pageSize(1)))
            .as(order.name())
            .hasSize(order == TaskSearch.Order.NEXT_RETRY_FIRST ? 0 : 3);
      }
    }

    @Test
    void are_paused_resumed_canceled_and_retried() {
      UUID id = submit(TaskRequest.of("a"));

      assertThat(client.pause(id).status()).isEqualTo(TaskStatus.PAUSED);
      assertThat(client.resume(id).status()).isEqualTo(TaskStatus.PENDING);
      assertThat(client.cancel(id).status()).isEqualTo(TaskStatus.CANCELED);
      assertThat(client.cancel(id).status().isEnded()).isTrue();
      assertThatThrownBy(() -> client.pause(id))
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isConflict()).isTrue());
      assertThat(client.retry(id).status()).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void are_changed_in_bulk() {
      client.submit(TaskRequest.of("a"), TaskRequest.of("a"), TaskRequest.of("b"));
      TaskSearch filter = TaskSearch.all().kind("a");

      assertThat(client.bulkDryRun(BulkOperation.CANCEL, filter, null).changed()).isEqualTo(2);
      assertThat(client.bulk(BulkOperation.CANCEL, filter, null))
          .isEqualTo(new BulkResult(2, 2, 0, null));
      assertThat(client.bulk(BulkOperation.PAUSE, filter, null).skipped()).isEqualTo(2);
      assertThatThrownBy(() -> client.bulk(BulkOperation.CANCEL, TaskSearch.all(), null))
          .isInstanceOf(ApiException.class);
    }
  }

  @Nested
  class Client {

    @Test
    void lists_waiting_retries_and_their_statistics() {
      submit(
          TaskRequest.of("a")
              .retryJson(
                  "[{\"count\": 2, \"delay_minutes\": 5}, {\"count\": 1, \"delay_minutes\": 9}]"));
      client.fail(claim("a").attempt(), Failure.explicit("no"));
      RetrySearch search =
          RetrySearch.all().kind("a").strategy("ladder").within(Duration.ofHours(1)).pageSize(10);

      Page<WaitingRetry> waiting = client.waitingRetries(search);
      assertThat(waiting.items()).hasSize(1);
      WaitingRetry retry = waiting.items().getFirst();
      assertThat(retry.task().status()).isEqualTo(TaskStatus.RETRY_PENDING);
      assertThat(retry.currentStep()).isEqualTo(1);
      assertThat(retry.steps()).isEqualTo(2);
      assertThat(retry.totalAttempts()).isEqualTo(1);
      RetryStats stats = client.retryStats();
      assertThat(stats.pending()).isEqualTo(1);
      assertThat(stats.byKind()).containsExactly(Map.entry("a", 1L));
      assertThat(stats.averageDelay()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void lists_deliveries() {
      UUID id =
          submit(
              TaskRequest.of("a")
                  .onCancel(Webhook.post(URI.create("https://example.invalid/stopped"))));
      client.cancel(id);

      Page<DeliveryInfo> page =
          client.deliveries(DeliverySearch.all().task(id).trigger("on_cancel").pageSize(10));
      assertThat(page.total()).isNull();
      DeliveryInfo delivery = page.items().getFirst();
      assertThat(delivery.taskId()).isEqualTo(id);
      assertThat(delivery.state()).isEqualTo("pending");
      assertThatThrownBy(() -> client.redeliver(delivery.id()))
          .as("the delivery is still pending")
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isConflict()).isTrue());
    }

    @Test
    void redelivers() throws Exception {
      try (WebhookReceiver service = WebhookReceiver.replyingOk()) {
        UUID id = submit(TaskRequest.of("a").onCancel(Webhook.post(URI.create(service.url("/")))));
        client.cancel(id);
        service.next();
        DeliverySearch sent = DeliverySearch.all().task(id).state("sent");
        Page<DeliveryInfo> page =
            Eventually.await(() -> client.deliveries(sent), found -> !found.items().isEmpty());

        DeliveryInfo again = client.redeliver(page.items().getFirst().id());

        assertThat(again.taskId()).isEqualTo(id);
        assertThat(again.state()).isEqualTo("pending");
        service.next();
      }
    }

    @Test
    void lists_live_tasks() {
      submit(TaskRequest.of("a"));
      client.cancel(submit(TaskRequest.of("b")));
      client.pause(submit(TaskRequest.of("c")));
      TaskStatus[] live = TaskStatus.live().toArray(TaskStatus[]::new);

      assertThat(client.list(TaskSearch.all().status(live)).items())
          .extracting(TaskInfo::kind)
          .containsExactly("c", "a");
    }

    @Test
    void lists_tasks_with_any_of_several_statuses() {
      submit(TaskRequest.of("a"));
      client.cancel(submit(TaskRequest.of("b")));
      client.pause(submit(TaskRequest.of("c")));

      assertThat(client.list(TaskSearch.all().status(TaskStatus.PENDING)).items())
          .extracting(TaskInfo::kind)
          .containsExactly("a");
      assertThat(
              client.list(TaskSearch.all().status(TaskStatus.PAUSED, TaskStatus.CANCELED)).items())
          .extracting(TaskInfo::status)
          .containsExactly(TaskStatus.PAUSED, TaskStatus.CANCELED);
      for (TaskStatus status : TaskStatus.values()) {
        assertThat(TaskStatus.of(status.name().toLowerCase(Locale.ROOT))).isEqualTo(status);
        assertThat(TaskStatus.of(status.text())).isEqualTo(status);
      }
    }

    @Test
    void shows_the_cluster() throws Exception {
      ClusterInfo cluster = Eventually.await(client::cluster, found -> !found.nodes().isEmpty());

      assertThat(cluster.name()).isEqualTo("tester");
      assertThat(cluster.version()).isEqualTo("test");
      assertThat(cluster.nodes()).extracting(ClusterInfo.Member::name).containsExactly("tester");
      assertThat(client.isReady()).isTrue();
    }

    @Test
    void lists_what_operators_did() {
      UUID id = submit(TaskRequest.of("a"));
      client.cancel(id);

      assertThat(client.auditEntries(AuditSearch.all().subject(id.toString()).pageSize(5)).items())
          .singleElement()
          .matches(entry -> entry.action().equals("cancel") && entry.who().equals("anyone"));
    }

    @Test
    void reaches_other_routes() {
      ApiResponse response = client.get("/audit", Map.of("page_size", "1"));

      assertThat(response.json().isArray()).isTrue();
      assertThat(response.serverTime()).isPresent();
      assertThat(client.get("/health", Map.of()).json().path("status").asString()).isEqualTo("ok");
    }

    @Test
    void needs_a_key_when_the_server_has_one() {
      String key =
          client
              .send(
                  "POST",
                  "/key",
                  JsonMapper.shared().readTree("{\"name\": \"ops\", \"roles\": [\"admin\"]}"))
              .json()
              .path("key")
              .asString();

      assertThatThrownBy(() -> client.list(TaskSearch.all()))
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isUnauthorized()).isTrue());
      try (PerdureClient ops = PerdureClient.builder(server.url()).apiKey(key).build()) {
        assertThat(ops.list(TaskSearch.all()).items()).isEmpty();
      }
    }
  }
}
