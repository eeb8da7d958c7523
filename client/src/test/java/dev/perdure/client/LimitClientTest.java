// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits and dedupe keys through the Java client. */
class LimitClientTest {

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

  private final TaskRequest limited =
      TaskRequest.of("sync")
          .metadata(Map.of("tenant", "acme"))
          .limit(LimitRequest.concurrency(1).per("tenant"))
          .limit(LimitRequest.rate(100, Duration.ofMillis(1)).burst(10));

  @Test
  void a_task_says_what_it_waits_for() {
    submit(limited);
    UUID waiting = submit(limited);
    UUID last = submit(limited);
    claim("sync");
    assertThat(client.get(waiting).blockedBy())
        .isEqualTo(
            new BlockedBy("concurrency", "concurrency:sync[tenant=\"acme\"]", 1, 1, 0, null));
    assertThat(client.get(last).blockedBy()).extracting(BlockedBy::ahead).isEqualTo(1L);
    assertThat(client.get(last).rules()).hasSize(2);
  }

  @Test
  void a_limit_is_not_changed_by_its_copies() {
    LimitRequest limit = LimitRequest.rate(5, Duration.ofSeconds(1));
    limit.per("tenant");
    limit.burst(3);

    assertThat(limit.toJson()).hasToString("{\"type\":\"Rate\",\"max_starts\":5,\"per\":\"1s\"}");
  }

  @Test
  void limits_are_listed_page_by_page() {
    submit(limited);
    submit(TaskRequest.of("load").expectedCount(7).limit(LimitRequest.capacity(100).per("host")));
    claim("sync");
    client.claim(ClaimOptions.of("worker-1", "load"));

    Page<LimitInfo> page = client.limits(LimitSearch.all().pageSize(2));
    assertThat(page.items())
        .containsExactly(
            new LimitInfo(
                "capacity:load[host=-]", "capacity", "load", "task", 100, null, null, 7, 0, null),
            new LimitInfo(
                "concurrency:sync[tenant=\"acme\"]",
                "concurrency",
                "sync",
                "task",
                1,
                null,
                null,
                1,
                0,
                null));
    LimitInfo rate =
        client.limits(LimitSearch.all().after(String.valueOf(page.next()))).items().getFirst();
    assertThat(rate.per()).isEqualTo(Duration.ofMillis(1));
    assertThat(rate.burst()).isEqualTo(10);
    assertThat(rate.nextStartAt()).isNotNull();
    assertThat(client.limits(LimitSearch.all().kind("load")).items()).hasSize(1);
  }

  @Test
  void a_duplicate_is_the_live_task() {
    TaskRequest task = TaskRequest.of("sync", 1).dedupeKey("sync-42");
    SubmitResponse first = client.submit(task);
    SubmitResponse second =
        client.submit(
            TaskRequest.of("a"), TaskRequest.of("sync", 2).dedupeKey("sync-42").replaceDuplicate());

    assertThat(first.duplicates()).isEmpty();
    assertThat(second.duplicates()).containsExactly(1);
    assertThat(second.isDuplicate(1)).isTrue();
    TaskInfo live = client.get(second.tasks().get(1).id());
    assertThat(live.id()).isEqualTo(first.tasks().getFirst().id());
    assertThat(live.dedupeKey()).isEqualTo("sync-42");
    assertThat(live.payload()).hasToString("2");
  }
}
