// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.server.Databases;
import dev.perdure.server.Until;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.Query;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessRoutesTest {

  private final Request request =
      Request.of("GET", "/ready", Query.parse(""), Headers.from(each -> {}), () -> new byte[0]);

  @TempDir private Path folder;

  private static ProcessRoutes routes(Engine engine, TaskStore store) {
    return new ProcessRoutes(
        engine,
        store,
        Metrics.of(store.reader(), () -> Duration.ZERO),
        new NodeFacts("tester", "test", Instant.EPOCH));
  }

  @ParameterizedTest
  @EnumSource
  void ready_is_a_node_that_could_write_a_moment_ago(Databases database) throws Exception {
    try (JdbcStore store = JdbcStore.open(database.url(folder));
        Engine engine = Engine.on(store)) {
      ProcessRoutes routes = routes(engine, store);
      assertThatThrownBy(() -> routes.ready(request))
          .as("the store can be read, but this node has not written its row")
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("this node does no work")
          .satisfies(e -> assertThat(((RefusedException) e).status()).isEqualTo(503));

      engine.start();
      Until.answered(() -> status(routes), status -> status == 200);
    }
  }

  private int status(ProcessRoutes routes) {
    try {
      return routes.ready(request).status();
    } catch (RefusedException notYet) {
      return notYet.status();
    }
  }

  @Test
  void ready_is_not_a_node_that_cannot_read() throws Exception {
    try (JdbcStore store = JdbcStore.open(Databases.SQLITE.url(folder));
        Engine engine = Engine.on(store)) {
      BlindStore blind = new BlindStore(store);
      ProcessRoutes routes = routes(engine, blind.store());
      engine.start();
      Until.answered(engine::isAlive, alive -> alive);
      blind.goesBlind();
      Engine.on(blind.store()).submit(NewTask.of("job", 1));

      assertThatThrownBy(() -> routes.ready(request))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("the store cannot be reached");
      blind.seesAgain();
      assertThat(routes.ready(request).status()).isEqualTo(200);
    }
  }
}
