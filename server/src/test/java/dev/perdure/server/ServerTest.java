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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void tells_how_it_is(TestDatabase database) throws Exception {
    try (TestServer server = database.server(folder)) {
      assertThat(server.get("/health").body()).isEqualTo("{\"status\":\"up\"}\n");
      RawResponse node = nodeThatJoined(server);
      RawResponse ready =
          Eventually.await(() -> server.get("/ready"), rawResponse -> rawResponse.status() == 200);
      assertThat(ready.body()).isEqualTo("{\"status\":\"ready\"}\n");

      assertThat(node.status()).isEqualTo(200);
      assertThat(node.json().get("name").stringValue()).isEqualTo("tester");
      assertThat(node.json().get("version").stringValue()).isEqualTo("test");
      assertThat(node.json().get("nodes").get(0).get("name").stringValue()).isEqualTo("tester");
    }
  }

  /** The engine writes its row while the server answers already. */
  private static RawResponse nodeThatJoined(TestServer server) throws Exception {
    return Eventually.await(() -> server.get("/node"), node -> !node.json().get("nodes").isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void tells_prometheus_what_the_engine_counts(TestDatabase database) throws IOException {
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
    void beyond_loopback_needs_to_be_wanted(String bind) {
      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.BIND, bind)))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("bind: " + bind + " can be reached from other machines")
          .hasMessageContaining("perdure key create")
          .hasMessageContaining("--insecure");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void everywhere_tells_callees_a_name_and_its_operator_to_say_which(String bind) {
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
    void beyond_loopback_is_possible() throws IOException {
      Map<dev.perdure.server.config.Setting<?>, String> open =
          Map.of(Settings.BIND, "0.0.0.0", Settings.INSECURE, "true");
      try (TestServer server = TestServer.in(folder, open)) {
        assertThat(server.get("/health").status()).isEqualTo(200);
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "127.0.0.2"})
    void on_loopback_needs_nothing(String bind) {
      TestServer.in(folder, Map.of(Settings.BIND, bind)).close();
    }

    @Test
    void on_no_address_at_all_is_refused() {
      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.BIND, "no.such.invalid")))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("bind: 'no.such.invalid' is no address");
    }

    @Test
    void on_a_port_that_is_taken_says_so_and_leaves_the_store() throws Exception {
      try (TestServer first = TestServer.in(folder)) {
        String port = Integer.toString(first.port());
        assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.PORT, port)))
            .isInstanceOf(CannotStartException.class)
            .hasMessage(
                "127.0.0.1:%s is in use by another program; choose another port with --port"
                    + " or PORT",
                port);
        assertThat(nodeThatJoined(first).json().get("nodes")).hasSize(1);
      }
    }
  }

  @Test
  void watchers_may_not_take_all_connections() {
    assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.MAX_CONNECTIONS, "150")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(
            "max_event_streams: must be at most half of max_connections, 75, not 100");
  }

  @Test
  void whatever_goes_wrong_when_it_stops_the_rest_is_stopped_too() {
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
  class TheStore {

    @Test
    void that_is_no_database_is_named() throws IOException {
      Path file = Files.writeString(folder.resolve("x.db"), "this is no database ".repeat(500));

      assertThatThrownBy(
              () -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, "sqlite:" + file)))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("sqlite:" + file + " cannot be opened")
          .hasMessageContaining("not a database");
    }

    @Test
    void whose_folder_is_missing_is_named() {
      String url = "sqlite:" + folder.resolve("missing/perdure.db");

      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, url)))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("database_url: the folder " + folder.resolve("missing"))
          .hasMessageContaining("create it");
    }

    @Test
    void that_is_away_is_named_without_its_password() {
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
    void can_be_named_as_its_driver_names_it(TestDatabase database) throws IOException {
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
    void of_an_unknown_kind_is_refused() {
      assertThatThrownBy(() -> TestServer.in(folder, Map.of(Settings.DATABASE_URL, "mysql://x")))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("database_url: the store's URL has an unknown beginning");
    }
  }
}
