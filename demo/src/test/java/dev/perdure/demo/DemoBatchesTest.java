// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.client.BatchInfo;
import dev.perdure.client.BatchRunInfo;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TaskInfo;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class DemoBatchesTest {

  /** The import and the transforms draw before it. */
  private static final int DRAW_OF_FIRST_REPORT = 2 + DemoBatches.TABLES.size();

  @TempDir private Path folder;

  /** Every call succeeds, but for the first report. */
  private static RandomGenerator random() {
    AtomicInteger draws = new AtomicInteger();
    return () -> draws.incrementAndGet() == DRAW_OF_FIRST_REPORT ? 0 : 1L << 33;
  }

  @Test
  void results_flow_down_and_a_failed_report_starts_another_run() throws Exception {
    try (FlakyService service = FlakyService.start(random());
        TestServer server =
            TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, service.url().getHost()));
        PerdureClient client = PerdureClient.builder(server.url()).build()) {
      UUID id = client.submit(new DemoBatches(service.url()).next()).batchId();

      BatchInfo batch = Eventually.await(() -> client.batches().get(id), BatchInfo::isFinal);

      assertThat(batch.name()).isEqualTo("nightly 1");
      assertThat(batch.runs())
          .extracting(BatchRunInfo::outcome)
          .containsExactly("failure", "success");
      TaskInfo report =
          client.batches().graph(id).tasks().stream()
              .filter(task -> "report".equals(task.localId()))
              .findFirst()
              .orElseThrow();
      assertThat(client.get(report.id()).result())
          .hasToString("{\"rows\":%d}".formatted(DemoBatches.ROWS * DemoBatches.TABLES.size()));
    }
  }
}
