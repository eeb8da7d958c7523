// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.DatabaseProxy;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What the overview says, over HTTP, while the database cannot be used. */
@Tag("slow")
class StoreAwayTest {

  /** Less than the five seconds that the store itself waits before it gives up. */
  private static final Duration SOON = Duration.ofSeconds(4);

  @TempDir private Path folder;

  private static RawResponse overview(TestServer server, String... headers) throws IOException {
    return RawHttpClient.request(server.port(), "GET", "/overview", List.of(headers), "");
  }

  private static String firstProblem(RawResponse overview) {
    assertThat(overview.status()).as(overview.body()).isEqualTo(200);
    JsonNode problems = overview.json().get("problems");
    return problems.isEmpty() ? "" : problems.get(0).get("id").stringValue();
  }

  private static boolean isAway(RawResponse overview) {
    return overview.status() == 200
        && firstProblem(overview).equals("store_away")
        && overview.json().at("/problems/0/over_at").isNull();
  }

  private static Duration took(RawRequest request) throws IOException {
    long start = System.nanoTime();
    assertThat(isAway(request.send())).isTrue();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private interface RawRequest {
    RawResponse send() throws IOException;
  }

  private static String created(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("key").stringValue();
  }

  private static String[] session(TestServer server, String key) throws IOException {
    String cookie =
        server
            .post("/session", "{\"key\": \"%s\"}".formatted(key))
            .header("Set-Cookie")
            .replaceAll(";.*", "");
    return new String[] {"Cookie: " + cookie, "Sec-Fetch-Site: same-origin", "X-Perdure-UI: 1"};
  }

  @Test
  void people_with_a_session_or_a_key_are_told_at_once_and_nobody_else() throws Exception {
    String url = TestDatabase.POSTGRES.url(folder);
    try (DatabaseProxy proxy = DatabaseProxy.of(url);
        TestServer server = TestServer.in(folder, Map.of(Settings.DATABASE_URL, proxy.url(url)))) {
      String admin = created(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
      String unused =
          created(
              server.request(admin, "POST", "/key", "{\"name\": \"b\", \"roles\": [\"read\"]}"));
      RawResponse other =
          server.request(admin, "POST", "/key", "{\"name\": \"c\", \"roles\": [\"read\"]}");
      String[] revoked = session(server, created(other));
      assertThat(overview(server, revoked).status()).isEqualTo(200);
      server.request(admin, "DELETE", "/key/" + other.json().get("id").stringValue(), "");
      String[] session = session(server, admin);
      String key = "Authorization: Bearer " + admin;
      assertThat(firstProblem(overview(server, session))).isEmpty();
      assertThat(firstProblem(overview(server, key))).isEmpty();

      proxy.takeAway();
      Eventually.await(() -> overview(server, session), StoreAwayTest::isAway);
      assertThat(took(() -> overview(server, session))).isLessThan(SOON);
      assertThat(took(() -> overview(server, key))).isLessThan(SOON);
      RawResponse away = overview(server, session);
      assertThat(away.header("X-Now")).isNotNull();
      assertThat(away.json().get("counted_at").isNull()).as("the last that was known").isFalse();
      assertThat(overview(server, revoked).status()).as("its key was revoked").isEqualTo(503);
      assertThat(overview(server, "Authorization: Bearer " + unused).status()).isEqualTo(503);
      assertThat(overview(server).status()).isEqualTo(401);

      proxy.bringBack();
      RawResponse back =
          Eventually.await(() -> overview(server, session), response -> !isAway(response));
      assertThat(firstProblem(back)).isEqualTo("store_away");
      assertThat(back.json().at("/problems/0/over_at").isString()).isTrue();
    }
  }

  @Test
  void without_keys_everybody_is_told_at_once_also_when_nobody_watched_before() throws Exception {
    String url = TestDatabase.POSTGRES.url(folder);
    try (DatabaseProxy proxy = DatabaseProxy.of(url);
        TestServer server = TestServer.in(folder, Map.of(Settings.DATABASE_URL, proxy.url(url)))) {
      proxy.takeAway();
      Eventually.await(() -> overview(server), StoreAwayTest::isAway);

      assertThat(took(() -> overview(server))).isLessThan(SOON);
    }
  }

  /** A lock of another program keeps writers out, but no readers. */
  @ParameterizedTest
  @EnumSource
  void a_store_that_reads_but_does_not_write_is_told(TestDatabase database) throws Exception {
    String url = database.url(folder);
    try (TestServer server = database.server(folder, Map.of(Settings.DATABASE_URL, url))) {
      assertThat(firstProblem(overview(server))).isEmpty();
      try (Connection connection = DriverManager.getConnection(TestDatabase.jdbc(url));
          Statement statement = connection.createStatement()) {
        if (database == TestDatabase.POSTGRES) {
          connection.setAutoCommit(false);
          statement.execute("LOCK TABLE perdure_node IN EXCLUSIVE MODE");
        } else {
          statement.execute("BEGIN IMMEDIATE");
        }
        RawResponse told = Eventually.await(() -> overview(server), StoreAwayTest::isAway);
        assertThat(told.json().at("/problems/0/text").stringValue())
            .isEqualTo(
                "This node cannot write to the database. Tasks are safe, but it starts nothing"
                    + " until it can.");
        if (database == TestDatabase.POSTGRES) {
          connection.rollback();
        } else {
          statement.execute("ROLLBACK");
        }
      }
      Eventually.await(() -> overview(server), response -> !isAway(response));
    }
  }
}
