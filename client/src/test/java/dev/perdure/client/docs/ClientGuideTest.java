// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.client.ClaimOptions;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ScheduleInfo;
import dev.perdure.client.SubmitResponse;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskRequest;
import dev.perdure.client.TaskSearch;
import dev.perdure.client.TaskStatus;
import dev.perdure.client.Webhook;
import dev.perdure.policy.Failure;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the snippets of the guide. */
@Timeout(60)
class ClientGuideTest {

  @TempDir private Path folder;
  private final ClientGuide guide = new ClientGuide();
  private TestServer server;
  private PerdureClient client;

  @BeforeEach
  void start() {
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, "127.0.0.1"));
    client = guide.create(server.url(), "pk_unused");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void submits_tasks() {
    SubmitResponse response = guide.submit(client);
    assertThat(response.tasks().getFirst().retriesLeft()).isEqualTo(5);

    List<TaskRequest> tasks = List.of(TaskRequest.of("a"), TaskRequest.of("b"));
    assertThat(guide.submitOnce(client, tasks).replayed()).isFalse();
    assertThat(guide.submitOnce(client, tasks).replayed()).isTrue();
  }

  @Test
  void reads_and_retries_failed_tasks() {
    SubmitResponse response = client.submit(TaskRequest.of("resize"), TaskRequest.of("resize"));
    client
        .claim(ClaimOptions.of("w", "resize").withLimit(2))
        .forEach(claimed -> client.fail(claimed.attempt(), Failure.explicit("disk_full")));

    assertThat(guide.read(client, response.batchId())).isEqualTo(2);
    assertThat(guide.retryAll(client)).as("tasks without a policy are not exhausted").isZero();
  }

  @Test
  void creates_a_schedule() {
    ScheduleInfo schedule = guide.schedule(client);

    assertThat(schedule.description()).isEqualTo("every weekday at 08:00 Europe/Paris");
    assertThat(schedule.nextFirings()).hasSize(10);
    assertThat(client.schedules().pause("book-seats").enabled()).isFalse();
    assertThat(client.schedules().resume("book-seats").nextAt()).isNotNull();
    assertThat(client.schedules().trigger("book-seats").task()).isNotNull();
    assertThat(client.schedules().delete("book-seats").orElseThrow().canceled()).isEqualTo(1);
    assertThat(client.schedules().find("book-seats")).isEmpty();
  }

  @Test
  void claims_and_settles_a_task() {
    SubmitResponse response = client.submit(TaskRequest.of("resize", new ClientGuide.Picture(640)));
    guide.work(client);

    UUID id = response.tasks().getFirst().id();
    assertThat(client.get(id).result(ClientGuide.Picture.class))
        .isEqualTo(new ClientGuide.Picture(320));
  }

  @Test
  void reports_progress_and_success_with_a_handle() throws Exception {
    try (WebhookReceiver service =
        WebhookReceiver.replyingWith(call -> WebhookReceiver.Reply.of(200, "{}"))) {
      URI url = URI.create(service.url("/stock"));
      client.submit(guide.webhook(url, url));
      service.next();
      client.submit(TaskRequest.of("report").onStart(Webhook.post(url)));
      String handle = service.next().query().get("handle");

      assertThat(guide.callBack(client, URI.create(handle)).status()).isEqualTo(TaskStatus.SUCCESS);
      assertThat(client.list(TaskSearch.all().kind("report")).items())
          .extracting(TaskInfo::success)
          .containsExactly(20L);
    }
  }

  @Test
  void handles_errors() {
    guide.cancel(client, new UUID(1, 2));
    assertThat(guide.problem()).isEqualTo("there is no such task");

    server.close();
    // A new client, because the first may still have an open connection.
    try (PerdureClient other = guide.create(server.url(), "pk_unused")) {
      guide.cancel(other, new UUID(1, 2));
    }
    assertThat(guide.problem()).isEqualTo("not canceled");
  }
}
