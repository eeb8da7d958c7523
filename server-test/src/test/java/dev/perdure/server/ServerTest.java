// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Isolated
class ServerTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void shows_health_readiness_and_nodes(TestDatabase database) throws Exception {
    try (TestServer server = database.server(folder)) {
      JsonNode health = server.get("/health").json();
      assertThat(health.get("status").stringValue()).isEqualTo("ok");
      assertThat(health.get("pool_size").intValue()).isPositive();
      RawResponse node = awaitNode(server);
      RawResponse ready =
          Eventually.await(() -> server.get("/ready"), response -> response.status() == 200);
      assertThat(ready.body()).isEqualTo("{\"status\":\"ready\"}\n");

      assertThat(node.status()).isEqualTo(200);
      assertThat(node.json().get("name").stringValue()).isEqualTo("tester");
      assertThat(node.json().get("version").stringValue()).isEqualTo("test");
      assertThat(node.json().get("nodes").get(0).get("name").stringValue()).isEqualTo("tester");
    }
  }

  /** Waits for the node's row: the server responds before the engine has written it. */
  private static RawResponse awaitNode(TestServer server) throws Exception {
    return Eventually.await(() -> server.get("/node"), node -> !node.json().get("nodes").isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void metrics_show_the_engine_counters(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      RawResponse metrics = server.get("/metrics");

      assertThat(metrics.header("Content-Type")).startsWith("text/plain; version=0.0.4");
      assertThat(metrics.body().lines())
          .contains("tasks_created_total 0.0", "retries_pending 0.0", "lease_losses_total 0.0")
          .contains("tasks_by_status{status=\"pending\"} 0.0")
          .anyMatch(line -> line.startsWith("claim_duration_seconds_count "));
    }
  }

  @Nested
  class Listening {

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void beyond_loopback_needs_a_key_or_insecure(String bind) {
      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.BIND, bind)))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("bind: " + bind + " can be reached from other machines")
          .hasMessageContaining("perdure key create")
          .hasMessageContaining("--insecure");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void on_all_addresses_callbacks_use_the_host_name_and_a_warning_is_logged(String bind) {
      Map<dev.perdure.server.config.Setting<?>, String> open =
          Map.of(Settings.BIND, bind, Settings.INSECURE, "true");
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      PrintStream before = System.err;
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      try (TestServer server = TestServer.in(folder, open)) {
        assertThat(server.url().getHost()).isNotNull().doesNotContain("0.0.0.0", "::");
        assertThat(log.toString(StandardCharsets.UTF_8))
            .contains("WARN", server.url().toString(), "HOST_URL");
      } finally {
        System.setErr(before);
      }
    }

    @Test
    void beyond_loopback_works_with_insecure() throws IOException {
      Map<dev.perdure.server.config.Setting<?>, String> open =
          Map.of(Settings.BIND, "0.0.0.0", Settings.INSECURE, "true");
      try (TestServer server = TestServer.in(folder, open)) {
        assertThat(server.get("/health").status()).isEqualTo(200);
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "127.0.0.2"})
    void on_loopback_needs_no_key(String bind) {
      TestServer.in(folder, Map.of(Settings.BIND, bind)).close();
    }

    @Test
    void on_an_unusable_address_fails() {
      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.BIND, "no.such.invalid")))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("bind: 'no.such.invalid' is not an address");
    }

    @Test
    void on_a_used_port_fails_and_closes_the_store() throws Exception {
      try (TestServer first = TestServer.in(folder)) {
        String port = Integer.toString(first.port());
        assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.PORT, port)))
            .isInstanceOf(CannotStartException.class)
            .hasMessage(
                "127.0.0.1:%s is in use by another program; choose another port with --port"
                    + " or PORT",
                port);
        assertThat(awaitNode(first).json().get("nodes")).hasSize(1);
      }
    }
  }

  @Test
  void event_streams_cannot_take_all_connections() {
    assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.MAX_CONNECTIONS, "150")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(
            "max_event_streams: must be at most half of max_connections, 75, not 100");
  }

  @Test
  void an_error_in_one_step_of_stopping_does_not_skip_the_others() {
    List<String> stopped = new ArrayList<>();
    IllegalStateException first = new IllegalStateException("first");
    IllegalStateException second = new IllegalStateException("second");

    assertThatThrownBy(
            () ->
                Server.runAll(
                    () -> stopped.add("a"),
                    () -> {
                      throw first;
                    },
                    () -> stopped.add("b"),
                    () -> {
                      throw second;
                    },
                    () -> stopped.add("c")))
        .isSameAs(first)
        .hasSuppressedException(second);
    assertThat(stopped).containsExactly("a", "b", "c");
  }

  @Nested
  class Store {

    @Test
    void a_file_that_is_not_a_database_is_reported() throws IOException {
      Path file = Files.writeString(folder.resolve("x.db"), "this is no database ".repeat(500));

      assertThatThrownBy(
              () -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, "sqlite:" + file)))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("sqlite:" + file + " cannot be opened")
          .hasMessageContaining("not a database");
    }

    @Test
    void a_missing_folder_is_reported() {
      String url = "sqlite:" + folder.resolve("missing/perdure.db");

      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, url)))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("database_url: the directory " + folder.resolve("missing"))
          .hasMessageContaining("create it");
    }

    @Test
    void an_unreachable_database_is_reported_without_its_password() {
      String url = "postgres://ann:s3cret@127.0.0.1:1/x";

      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, url)))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("postgres://ann:***@127.0.0.1:1/x cannot be opened")
          .hasMessageContaining("refused")
          .hasMessageContaining("is the database running")
          .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @EnumSource
    void a_jdbc_url_is_accepted(TestDatabase database) throws IOException {
      String url = database.url(folder);
      String id;
      try (TestServer server =
          TestServer.in(folder, Map.of(Settings.DATABASE_URL, TestDatabase.jdbc(url)))) {
        id = new TestApiClient(server).submit("{\"kind\": \"job\"}");
      }
      try (TestServer server = TestServer.in(folder, Map.of(Settings.DATABASE_URL, url))) {
        assertThat(server.get("/task/" + id).status()).isEqualTo(200);
      }
    }

    @Test
    void an_unknown_kind_of_database_is_rejected() {
      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, "mysql://x")))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("database_url: the store URL has an unknown scheme");
    }
  }
}
