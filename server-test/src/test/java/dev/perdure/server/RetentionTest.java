// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetentionTest {

  @TempDir private Path folder;

  /** Submits two tasks this many hours ago; the first is canceled at once. */
  private static List<UUID> submit(String url, int hoursAgo) {
    Instant then = Instant.now().minus(Duration.ofHours(hoursAgo));
    try (JdbcStore past = JdbcStore.builder().url(url).clock(() -> then).open()) {
      Engine engine = Engine.on(past);
      UUID ended = engine.submit(NewTask.of("job", "work"));
      UUID live = engine.submit(NewTask.of("job", "work"));
      engine.cancel(ended);
      return List.of(ended, live);
    }
  }

  private static int status(TestServer server, UUID id) throws IOException {
    return server.get("/task/" + id).status();
  }

  private TestServer server(String url, Map<Setting<?>, String> more) {
    Map<Setting<?>, String> settings = new LinkedHashMap<>(more);
    settings.put(Settings.DATABASE_URL, url);
    return TestServer.in(folder, settings);
  }

  @ParameterizedTest
  @EnumSource
  void deletes_only_tasks_that_ended_before_the_retention_period(TestDatabase database)
      throws Exception {
    String url = database.url(folder);
    List<UUID> old = submit(url, 49);
    List<UUID> younger = submit(url, 47);

    try (TestServer keeping = server(url, Map.of())) {
      Eventually.await(() -> keeping.get("/node").json().get("nodes").size(), size -> size == 1);
      assertThat(status(keeping, old.getFirst())).isEqualTo(200);
    }
    try (TestServer server =
        server(url, Map.of(Settings.RETENTION_ENABLED, "true", Settings.RETENTION_DAYS, "2"))) {
      Eventually.await(() -> status(server, old.getFirst()), status -> status == 404);

      assertThat(status(server, old.getLast())).isEqualTo(200);
      assertThat(status(server, younger.getFirst())).isEqualTo(200);
      assertThat(status(server, younger.getLast())).isEqualTo(200);
    }
  }
}
