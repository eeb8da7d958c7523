// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The methods of the client that a remote worker uses, against a real server. */
class RemoteWorkerClientTest {

  @TempDir private Path folder;
  private TestServer server;
  private PerdureClient client;

  @BeforeEach
  void start() {
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = PerdureClient.builder(server.url()).build();
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

  @Test
  void claims_a_task_and_succeeds() {
    UUID id = submit(TaskRequest.of("a", Map.of("n", 7)));
    ClaimedTask claimed = claim("a");

    assertThat(claimed.task().id()).isEqualTo(id);
    assertThat(claimed.task().payload()).hasToString("{\"n\":7}");
    assertThat(claimed.task().worker()).isEqualTo("worker-1");
    assertThat(claimed.traceparent()).isNotBlank();
    assertThat(client.heartbeat(claimed.attempt(), Duration.ofMinutes(5)))
        .isAfter(claimed.leaseUntil());
    client.reportProgress(claimed.attempt(), 3, 1);
    assertThat(client.succeed(claimed.attempt(), Map.of("pages", 2)).status())
        .isEqualTo(TaskStatus.SUCCESS);
    assertThat(client.succeed(claimed.attempt(), Map.of("pages", 2)).status())
        .as("repeating it is safe")
        .isEqualTo(TaskStatus.SUCCESS);

    TaskInfo task = client.get(id);
    assertThat(task.success()).isEqualTo(3);
    assertThat(task.failures()).isEqualTo(1);
    assertThat(task.result()).hasToString("{\"pages\":2}");
    assertThat(task.attempts()).extracting(AttemptInfo::outcome).containsExactly("success");
  }

  @Test
  void reads_the_results_of_the_tasks_that_a_task_depends_on() {
    UUID parent = submit(TaskRequest.of("a"));
    ClaimedTask first = claim("a");
    assertThat(first.parents()).isEmpty();
    client.succeed(first.attempt(), Map.of("pages", 2));
    submit(TaskRequest.of("b").after(parent));

    ClaimedTask claimed = claim("b");

    assertThat(claimed.parents()).hasSize(1);
    assertThat(claimed.parentsTruncated()).isFalse();
    ClaimedParent found = claimed.parent(parent.toString());
    assertThat(found.status()).isEqualTo(TaskStatus.SUCCESS);
    assertThat((Object) found.result(Map.class)).isEqualTo(Map.of("pages", 2));
    assertThatThrownBy(() -> claimed.parent("x")).hasMessageContaining("without a parent 'x'");
  }

  @Test
  void fails_with_everything_a_policy_can_match() {
    UUID id = submit(TaskRequest.of("a").retry(RetryPolicy.queue(3)));
    AttemptResult result =
        client.fail(
            claim("a").attempt(),
            Failure.http(503)
                .withCode("no_slots")
                .withMessage("full")
                .withExceptionTypes(List.of("java.io.IOException"))
                .withRequestedDelay(Duration.ofMinutes(3)));

    assertThat(result.status()).isEqualTo(TaskStatus.RETRY_PENDING);
    assertThat(result.attempt()).isEqualTo(1);
    assertThat(result.retriesLeft()).isEqualTo(2);
    assertThat(result.giveUpReason()).isNull();
    AttemptInfo attempt = client.get(id).attempts().getFirst();
    assertThat(attempt.status()).isEqualTo(503);
    assertThat(attempt.code()).isEqualTo("no_slots");
    assertThat(attempt.message()).isEqualTo("full");
    assertThat(attempt.exceptionTypes()).containsExactly("java.io.IOException");
    assertThat(attempt.delay()).isEqualTo(Duration.ofMinutes(3));
    assertThat(attempt.nextAt()).isEqualTo(result.nextRetryAt());

    Instant later = Instant.parse("2099-01-01T00:00:00Z");
    assertThat(client.reschedule(submit(TaskRequest.of("a")), later).runAt()).isEqualTo(later);
    assertThat(client.reschedule(id, later).nextRetryAt()).isEqualTo(later);
    assertThat(client.retry(id).status()).isEqualTo(TaskStatus.RETRY_PENDING);
  }

  @Test
  void fails_with_an_exception() {
    UUID id = submit(TaskRequest.of("a"));
    AttemptResult result = client.fail(claim("a").attempt(), new IOException("disk full"));

    assertThat(result.status()).isEqualTo(TaskStatus.FAILURE);
    assertThat(result.giveUpReason()).isEqualTo("no_policy");
    AttemptInfo attempt = client.get(id).attempts().getFirst();
    assertThat(attempt.exceptionTypes()).startsWith("java.io.IOException");
    assertThat(attempt.stack()).isNull();
    assertThat(client.attempt(id, attempt.epoch()).stack()).contains("fails_with_an_exception");
  }

  @Test
  void fails_permanently_despite_a_retry_policy() {
    submit(TaskRequest.of("a").retry(RetryPolicy.queue(3)));

    assertThat(client.fail(claim("a").attempt(), Failure.explicit("gone").withPermanent(true)))
        .extracting(AttemptResult::giveUpReason)
        .isEqualTo("not_retryable");
  }

  @Test
  void settles_by_handle() throws InterruptedException {
    try (WebhookReceiver service = WebhookReceiver.replyingOk()) {
      Webhook start = Webhook.post(URI.create(service.url("/")));
      UUID good = submit(TaskRequest.of("a").onStart(start));
      AttemptRef attempt = AttemptRef.ofHandle(service.next().handle());
      client.reportProgress(attempt, 3, 1);
      AttemptResult succeeded = client.succeed(attempt, Map.of("pages", 2));
      UUID bad = submit(TaskRequest.of("a").onStart(start));
      AttemptResult failed =
          client.fail(AttemptRef.ofHandle(service.next().handle()), Failure.explicit("no"));

      assertThat(succeeded.task()).isEqualTo(good);
      assertThat(succeeded.status()).isEqualTo(TaskStatus.SUCCESS);
      assertThat(client.get(good).success()).isEqualTo(3);
      assertThat(client.get(good).result()).hasToString("{\"pages\":2}");
      assertThat(failed.task()).isEqualTo(bad);
      assertThat(failed.status()).isEqualTo(TaskStatus.FAILURE);
    }
  }

  @Test
  void gets_an_empty_list_when_no_task_is_due() {
    assertThat(client.claim(ClaimOptions.of("w", "a").withMaxWait(Duration.ZERO))).isEmpty();
  }

  @Test
  void cannot_settle_an_attempt_of_another_lease() {
    UUID id = submit(TaskRequest.of("a"));
    claim("a");

    assertThatThrownBy(() -> client.succeed(AttemptRef.ofLease(id, 99), null))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isConflict()).isTrue());
  }
}
