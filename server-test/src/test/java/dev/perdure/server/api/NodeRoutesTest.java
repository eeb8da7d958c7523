// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.JdbcStore.ConnectionCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeRoutesTest {

  private final Request request =
      Request.of(
          "GET", "/ready", QueryParameters.parse(""), Headers.from(each -> {}), () -> new byte[0]);

  @TempDir private Path folder;

  private static NodeRoutes routes(Engine engine, TaskStore store) {
    return new NodeRoutes(
        engine,
        store,
        PrometheusMetrics.of(store.overview(), store.limits(), () -> Duration.ZERO),
        new NodeInfo("tester", "test", Instant.EPOCH, () -> new ConnectionCounts(0, 0)));
  }

  @ParameterizedTest
  @EnumSource
  void a_node_is_ready_once_it_has_written_its_row(TestDatabase database) throws Exception {
    try (JdbcStore store = JdbcStore.open(database.url(folder));
        Engine engine = Engine.on(store)) {
      NodeRoutes routes = routes(engine, store);
      assertThatThrownBy(() -> routes.ready(request))
          .as("the store can be read, but this node has not written its row yet")
          .isInstanceOf(HttpProblemException.class)
          .hasMessageContaining("this node takes no work")
          .satisfies(e -> assertThat(((HttpProblemException) e).status()).isEqualTo(503));

      engine.start();
      Eventually.await(() -> status(routes), status -> status == 200);
    }
  }

  private int status(NodeRoutes routes) {
    try {
      return routes.ready(request).status();
    } catch (HttpProblemException notYet) {
      return notYet.status();
    }
  }

  @Test
  void a_node_that_cannot_read_is_not_ready() throws Exception {
    try (JdbcStore store = JdbcStore.open(TestDatabase.SQLITE.url(folder));
        Engine engine = Engine.on(store)) {
      ReadFailingStore failing = new ReadFailingStore();
      TaskStore wrapped = failing.wrap(store);
      NodeRoutes routes = routes(engine, wrapped);
      engine.start();
      Eventually.await(engine::isAlive, alive -> alive);
      failing.failReadsAfterNextWrite();
      Engine.on(wrapped).submit(NewTask.of("job", 1));

      assertThatThrownBy(() -> routes.ready(request))
          .isInstanceOf(HttpProblemException.class)
          .hasMessageContaining("the database cannot be reached");
      failing.restore();
      assertThat(routes.ready(request).status()).isEqualTo(200);
    }
  }
}
