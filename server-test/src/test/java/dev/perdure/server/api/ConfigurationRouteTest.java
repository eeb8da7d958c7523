// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerSettings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import dev.perdure.server.config.ConfigurationSource;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigurationRouteTest {

  private static final String SECRET = "hunter2hunter2hunter2hunter2hunt";
  private static final String KEY =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  @TempDir private Path folder;

  private static String shown(Configuration configuration) {
    Request request =
        Request.of(
            "GET",
            "/config",
            QueryParameters.parse(""),
            Headers.from(each -> {}),
            () -> new byte[0]);
    return new String(
        new ConfigurationRoute(configuration).show(request).body(), StandardCharsets.UTF_8);
  }

  private static JsonNode setting(String body, String name) {
    return JsonMapper.shared()
        .readTree(body)
        .valueStream()
        .filter(one -> one.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void says_where_each_value_comes_from() throws Exception {
    Path file = Files.writeString(folder.resolve("perdure.yaml"), "retention_days: 7\n");
    Configuration configuration =
        Configuration.of(
            ServerSettings.ALL,
            List.of(
                ConfigurationFile.read(ServerSettings.ALL, file),
                ConfigurationSource.environment(ServerSettings.ALL, Map.of("LOG_LEVEL", "debug")),
                ConfigurationSource.flags(Map.of(Settings.PORT, "9000"))));

    String body = shown(configuration);

    assertThat(setting(body, "retention_days").get("source").stringValue()).isEqualTo("file");
    assertThat(setting(body, "retention_days").get("value").stringValue()).isEqualTo("7");
    assertThat(setting(body, "log_level").get("source").stringValue()).isEqualTo("environment");
    assertThat(setting(body, "port").get("source").stringValue()).isEqualTo("flag");
    assertThat(setting(body, "bind").get("source").stringValue()).isEqualTo("default");
    assertThat(setting(body, "bind").get("secret").booleanValue()).isFalse();
    assertThat(setting(body, "bind").get("text").stringValue()).contains("address to listen on");
    assertThat(JsonMapper.shared().readTree(body)).hasSize(ServerSettings.ALL.size());
  }

  /** Every setting that can hold a secret gets one. */
  @Test
  void no_secret_is_ever_shown() {
    Map<String, String> environment =
        Map.of(
            "DATABASE_URL", "postgres://ada:hunter2@db.example/perdure?password=hunter2",
            "WEBHOOK_SECRET", "whsec_" + KEY,
            "SECRETS_KEY", KEY,
            "CHANNELS", "{\"ops\": {\"type\": \"slack\", \"url\": \"https://x.example/hunter2\"}}",
            "OTEL_EXPORTER_OTLP_HEADERS", "authorization=hunter2",
            "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=hunter2",
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://ada:hunter2@collector.example:4318",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://ada:hunter2@collector.example:4318/v1");
    Configuration configuration =
        Configuration.of(
            ServerSettings.ALL,
            List.of(ConfigurationSource.environment(ServerSettings.ALL, environment)));

    String body = shown(configuration);

    assertThat(body).doesNotContain("hunter2", KEY);
    assertThat(setting(body, "secrets_key").get("value").stringValue()).isEqualTo("set");
    assertThat(setting(body, "secrets_key").get("secret").booleanValue()).isTrue();
    assertThat(setting(body, "database_url").get("value").stringValue()).contains("db.example");
    assertThat(setting(shown(ServerSettings.configuration(Map.of())), "secrets_key").get("value"))
        .asString()
        .isEqualTo("\"\"");
  }
}
