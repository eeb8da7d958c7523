// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The settings for polling and for lease times take effect. */
@Tag("slow")
class PollAndLeaseSettingsTest {

  @TempDir private Path folder;

  /** No notification reaches the server, and without this setting it would poll only every 5 s. */
  @Test
  void polls_at_the_configured_interval() throws Exception {
    String url = TestDatabase.SQLITE.url(folder);
    try (TestServer server =
            TestServer.in(
                folder,
                Map.of(
                    Settings.DATABASE_URL, url,
                    Settings.RETRY_LOOP_INTERVAL_MS, "3600000",
                    Settings.WORKER_LOOP_INTERVAL_MS, "50",
                    Settings.WORKER_CLAIM_TIMEOUT_SECS, "3600"),
                engine -> engine.register("job", JsonNode.class, (payload, context) -> {}));
        JdbcStore otherNode = JdbcStore.open(url)) {
      Engine submitter = Engine.on(otherNode);
      AtomicInteger submitted = new AtomicInteger();
      Eventually.await(
          () -> {
            int done = done(server);
            if (done == submitted.get()) {
              submitter.submit(NewTask.of("job", "work"));
              submitted.incrementAndGet();
            }
            return done;
          },
          done -> done == 40);
    }
  }

  private static int done(TestServer server) throws IOException {
    return Integer.parseInt(server.get("/task?status=Success").header("X-Total-Count"));
  }

  @Test
  void an_expired_worker_lease_is_detected_soon_despite_a_long_node_timeout() throws Exception {
    try (TestServer server =
        TestServer.in(folder, Map.of(Settings.WORKER_CLAIM_TIMEOUT_SECS, "3600"))) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.LATER);
      client.claim(", \"lease\": \"1s\"");

      JsonNode task =
          Eventually.await(() -> client.show(id), now -> !now.get("attempts").isEmpty());

      assertThat(task.get("attempts").get(0).get("outcome").stringValue()).isEqualTo("lost");
    }
  }

  @ParameterizedTest
  @CsvSource({
    ", , 1000",
    "200, , 200",
    ", 50, 50",
    ", 5000, 5000",
    "200, 50, 50",
    "50, 200, 50",
  })
  void the_shorter_of_the_configured_intervals_applies(
      @Nullable String retries, @Nullable String tasks, long millis) {
    Map<Setting<?>, String> settings = new HashMap<>();
    if (retries != null) {
      settings.put(Settings.RETRY_LOOP_INTERVAL_MS, retries);
    }
    if (tasks != null) {
      settings.put(Settings.WORKER_LOOP_INTERVAL_MS, tasks);
    }

    assertThat(EngineTimes.pollInterval(ServerSettings.configuration(settings)))
        .isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"SQLITE, 25, 0", "SQLITE, 3600, 1", "POSTGRES, 25, 0", "POSTGRES, 3600, 1"})
  void a_node_stays_alive_for_the_configured_timeout(
      TestDatabase database, String seconds, int stillAlive) throws Exception {
    String url = database.url(folder);
    try (TestServer server =
            TestServer.in(
                folder,
                Map.of(Settings.DATABASE_URL, url, Settings.WORKER_CLAIM_TIMEOUT_SECS, seconds));
        JdbcStore later =
            JdbcStore.builder()
                .url(url)
                .clock(() -> Instant.now().plus(Duration.ofMinutes(30)))
                .open()) {
      Eventually.await(() -> server.get("/node").json().get("nodes").size(), size -> size == 1);

      List<NodeRegistry.RegisteredNode> alive = later.nodes().alive();

      assertThat(alive).hasSize(stillAlive);
    }
  }
}
