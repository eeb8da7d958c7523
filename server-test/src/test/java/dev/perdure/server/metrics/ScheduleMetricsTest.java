// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.ScheduleStore.ScheduleContent;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts schedules that cannot fire. */
class ScheduleMetricsTest {

  private static final String METRIC = "perdure_schedule_firing_failures_total";

  @TempDir private Path folder;

  @Test
  void a_firing_that_fails_is_counted() throws Exception {
    try (TestServer server = TestServer.in(folder)) {
      assertThat(server.get("/metrics").body()).contains(METRIC + " 0.0");
    }
    storeUnreadableSchedule();
    try (TestServer server = TestServer.in(folder)) {
      Eventually.await(
          () -> server.get("/metrics").body(), metrics -> metrics.contains(METRIC + " 1.0"));
    }
  }

  private void storeUnreadableSchedule() {
    try (JdbcStore store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"))) {
      store
          .schedules()
          .create(
              new UUID(0x0198e00000007000L, 0x8000000000000000L),
              new ScheduleContent(
                  "unreadable",
                  Trigger.every(Duration.ofSeconds(1)),
                  Overlap.SKIP,
                  Misfire.FIRE_ONCE,
                  true,
                  "{\"batch\": \"secret\"}",
                  null));
    }
  }
}
