// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.client.BatchInfo;
import dev.perdure.client.BatchSearch;
import dev.perdure.client.Page;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.RetrySearch;
import dev.perdure.client.ScheduleInfo;
import dev.perdure.client.TaskSearch;
import dev.perdure.client.TaskStatus;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class DemoBackdropTest {

  @TempDir private Path folder;

  @Test
  void starts_a_wave_a_graph_and_a_ladder() throws Exception {
    try (FlakyService service = FlakyService.start(RandomGenerator.of("L64X128MixRandom"));
        TestServer server =
            TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, service.url().getHost()));
        PerdureClient client = PerdureClient.builder(server.url()).build()) {
      new DemoBackdrop(service.url()).submit(client);

      assertThat(client.schedules().list(10).items())
          .extracting(ScheduleInfo::name)
          .containsExactlyInAnyOrder("book-court", DemoBackdrop.CATALOGUE);
      Page<BatchInfo> graphs =
          client.batches().list(BatchSearch.all().name(DemoBackdrop.CATALOGUE));
      assertThat(graphs.items())
          .singleElement()
          .returns(DemoBackdrop.PAGES + 3L, BatchInfo::totalTasks);
      client.schedules().trigger("book-court");
      Eventually.await(
          () -> client.waitingRetries(RetrySearch.all().kind("sync-partner").pageSize(500)),
          retries -> retries.items().size() == DemoBackdrop.CALLS);
      assertThat(
              Eventually.await(
                      () -> client.waitingRetries(RetrySearch.all().kind("book-court")),
                      retries -> !retries.items().isEmpty())
                  .items())
          .singleElement()
          .returns("attempt 1/5, step 1/3", retry -> retry.badge());
      Eventually.await(
          () -> client.list(TaskSearch.all().kind("fetch-page").status(TaskStatus.SUCCESS)),
          done -> !done.items().isEmpty());
    }
  }
}
