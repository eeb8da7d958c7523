// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Limits of kinds from the configuration, before and after a restart. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ConfiguredLimitsTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private String url;

  ConfiguredLimitsTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void createDatabase() {
    url = database.migrated(folder);
  }

  private TestServer start(String limits) {
    return TestServer.in(folder, Map.of(Settings.DATABASE_URL, url, Settings.LIMITS, limits));
  }

  private static JsonNode limit(TestServer server, String kind) throws IOException {
    RawResponse response = server.get("/limit/" + kind);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private static boolean isLimited(TestServer server, String kind) throws IOException {
    return server.get("/limit/" + kind).status() == 200;
  }

  @Test
  void hold_from_the_first_claim() throws IOException {
    try (TestServer server = start("{\"job\": {\"max_concurrency\": 1}}")) {
      TestApiClient client = new TestApiClient(server);
      client.submit("{\"kind\": \"job\"}");
      client.submit("{\"kind\": \"job\"}");

      assertThat(client.claim(", \"limit\": 5")).hasSize(1);
      JsonNode limit = limit(server, "job");
      assertThat(limit.get("max_concurrency").intValue()).isEqualTo(1);
      assertThat(limit.get("set_by").stringValue()).isEqualTo("config");
    }
  }

  @Test
  void follow_the_configuration_when_the_server_restarts() throws IOException {
    JsonNode same;
    try (TestServer server =
        start(
            """
            {"same": {"max_concurrency": 1}, "changed": {"max_concurrency": 2},
             "gone": {"rate": {"max_starts": 5, "per": "1s"}, "fields": ["tenant"]}}""")) {
      same = limit(server, "same");
    }
    try (TestServer server =
        start("{\"same\": {\"max_concurrency\": 1}, \"changed\": {\"max_concurrency\": 3}}")) {
      assertThat(limit(server, "same")).as("is not written again").isEqualTo(same);
      assertThat(limit(server, "changed").get("max_concurrency").intValue()).isEqualTo(3);
      assertThat(isLimited(server, "gone")).isFalse();
    }
    try (TestServer server = start("{}")) {
      assertThat(isLimited(server, "same")).isFalse();
      assertThat(isLimited(server, "changed")).isFalse();
    }
  }

  @Test
  void an_operator_wins_until_the_limit_is_removed() throws IOException {
    String limits = "{\"job\": {\"max_concurrency\": 1}}";
    try (TestServer server = start(limits)) {
      server.send("PUT", "/limit/job", "{\"max_concurrency\": 9}");
      server.send("PUT", "/limit/other", "{\"max_concurrency\": 8}");
    }
    try (TestServer server = start(limits)) {
      assertThat(limit(server, "job").get("max_concurrency").intValue()).isEqualTo(9);
      assertThat(limit(server, "other").get("set_by").stringValue()).isEqualTo("operator");
      server.request("DELETE", "/limit/job");
      assertThat(isLimited(server, "job")).as("until a server starts").isFalse();
    }
    try (TestServer server = start(limits)) {
      assertThat(limit(server, "job").get("max_concurrency").intValue()).isEqualTo(1);
    }
  }

  @Test
  void too_many_kinds_are_refused() throws IOException {
    String full =
        IntStream.range(0, KindLimits.MAX_KINDS)
            .mapToObj(i -> "\"kind-%d\": {\"max_concurrency\": 1}".formatted(i))
            .collect(Collectors.joining(", ", "{", "}"));
    try (TestServer server = start(full)) {
      RawResponse refused = server.send("PUT", "/limit/more", "{\"max_concurrency\": 1}");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("\"path\":\"kind\"", "200 kinds have limits");
      assertThat(server.get("/audit").json()).isEmpty();
      server.send("PUT", "/limit/kind-0", "{\"max_concurrency\": 1}");
    }
    assertThatThrownBy(() -> start(full.replace("kind-0", "more")).close())
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("limits: kind: 200 kinds have limits, which is the maximum");
  }
}
