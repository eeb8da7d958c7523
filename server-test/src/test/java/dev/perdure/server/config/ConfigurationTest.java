// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.FieldError;
import dev.perdure.server.ServerSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

  private static ConfigurationSource file(String text) {
    return ConfigurationFile.parse(ServerSettings.ALL, "perdure.yaml", text);
  }

  private static List<FieldError> problems(ConfigurationSource... sources) {
    InvalidConfigurationException invalid =
        catchThrowableOfType(
            InvalidConfigurationException.class,
            () -> Configuration.of(ServerSettings.ALL, List.of(sources)));
    assertThat(invalid).as("the configuration was accepted").isNotNull();
    return invalid.problems();
  }

  @Test
  void has_the_defaults_without_any_source() {
    Configuration configuration = Configuration.of(ServerSettings.ALL, List.of());

    assertThat(configuration.get(Settings.PORT)).isEqualTo(8085);
    assertThat(configuration.get(Settings.BIND)).isEqualTo("127.0.0.1");
    assertThat(configuration.get(Settings.DATABASE_URL)).isEqualTo("sqlite:perdure.db");
    assertThat(configuration.get(Settings.RETRY_MAX_DELAY_LIMIT)).isEqualTo(Duration.ofHours(1));
    assertThat(configuration.get(Settings.HOST_URL)).isEmpty();
    assertThat(configuration.entries()).hasSameSizeAs(ServerSettings.ALL);
    assertThat(configuration.entries()).allMatch(entry -> entry.origin().equals("default"));
  }

  @Test
  void lets_a_later_source_override_an_earlier_one() {
    ConfigurationSource file = file("port: 1\nbind: '::1'\nread_timeout: 3s\n");
    ConfigurationSource environment =
        ConfigurationSource.environment(
            ServerSettings.ALL, Map.of("PORT", "2", "BIND", "localhost", "PATH", "/x"));
    ConfigurationSource flags = ConfigurationSource.flags(Map.of(Settings.PORT, "3"));

    Configuration configuration =
        Configuration.of(ServerSettings.ALL, List.of(file, environment, flags));

    assertThat(configuration.get(Settings.PORT)).isEqualTo(3);
    assertThat(configuration.entry(Settings.PORT).origin()).isEqualTo("command line");
    assertThat(configuration.get(Settings.BIND)).isEqualTo("localhost");
    assertThat(configuration.entry(Settings.BIND).origin()).isEqualTo("environment");
    assertThat(configuration.get(Settings.READ_TIMEOUT)).isEqualTo(Duration.ofSeconds(3));
    assertThat(configuration.entry(Settings.READ_TIMEOUT).origin()).isEqualTo("perdure.yaml");
  }

  @Test
  void treats_an_empty_variable_as_unset() {
    Configuration configuration =
        Configuration.of(
            ServerSettings.ALL,
            List.of(ConfigurationSource.environment(ServerSettings.ALL, Map.of("PORT", ""))));

    assertThat(configuration.entry(Settings.PORT).origin()).isEqualTo("default");
  }

  @Test
  void reports_all_errors_at_once() {
    assertThat(
            problems(
                file("prot: 1\nretention_days: 0\nshutdown_timeout: 5\nbind: [a]\n"),
                ConfigurationSource.environment(
                    ServerSettings.ALL, Map.of("PORT", "99999", "HOST_URL", "tasks.example.org")),
                ConfigurationSource.flags(Map.of(Settings.INSECURE, "perhaps"))))
        .extracting(FieldError::toString)
        .satisfiesExactlyInAnyOrder(
            text ->
                assertThat(text)
                    .startsWith("perdure.yaml: prot: is not a setting; did you mean 'port'?"),
            text ->
                assertThat(text)
                    .startsWith("perdure.yaml: retention_days: must be a whole number from 1"),
            text ->
                assertThat(text)
                    .startsWith("perdure.yaml: shutdown_timeout: '5' is not a duration: write"),
            text ->
                assertThat(text)
                    .isEqualTo("perdure.yaml: bind: must be a single value: a text or a number"),
            text ->
                assertThat(text)
                    .isEqualTo("PORT: must be a whole number from 0 to 65535, not '99999'"),
            text -> assertThat(text).startsWith("HOST_URL: must be http:// or https://"),
            text -> assertThat(text).isEqualTo("--insecure: must be true or false, not 'perhaps'"));
  }

  @Nested
  class YamlFile {

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "---\n"})
    void may_be_empty(String text) {
      assertThat(file(text).values()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
      "'port: 1\nport: 2\n', in line 2",
      "'port: [1\n', in line",
      "'- port\n', one name and value per line",
      "'just text', one name and value per line",
      "'port: &x [*x]\n', must be a single value"
    })
    void that_is_malformed_is_reported(String text, String message) {
      assertThatThrownBy(() -> Configuration.of(ServerSettings.ALL, List.of(file(text))))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("perdure.yaml")
          .hasMessageContaining(message);
    }

    @Test
    void reads_no_as_text_and_not_as_false() {
      Configuration configuration =
          Configuration.of(ServerSettings.ALL, List.of(file("instance_id: no\n")));

      assertThat(configuration.get(Settings.INSTANCE_ID)).isEqualTo("no");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "postgres://ann:s3cret@db/x, postgres://ann:***@db/x",
    "postgres://ann:s3:cr%40et@db:5432/x?a=b, postgres://ann:***@db:5432/x?a=b",
    "jdbc:postgresql://db/x?user=ann&password=s3cret&a=b,"
        + " jdbc:postgresql://db/x?user=ann&password=***&a=b",
    "postgres://ann:p@ss3cret@db/x, postgres://ann:***@db/x",
    "postgres://ann:s3/cr@et@db:5432/x, postgres://ann:***@db:5432/x",
    "postgres://ann:s3?cret@db/x, postgres://ann:***@db/x",
    "postgres://ann:s3?c=ret@db/x, postgres://ann:***@db/x",
    "postgres://ann:1234/ss@db/x, postgres://ann:***@db/x",
    "postgres://ann:1234?ss@db/x, postgres://ann:***@db/x",
    "postgres://ann:s3@cr/et@db/x, postgres://ann:***@db/x",
    "postgres://ann:s3#cret@db:5432/x?user=b@corp, postgres://ann:***@db:5432/x?user=b@corp",
    "postgres://ann@corp:s3cret@db/x, postgres://ann@corp:***@db/x",
    "postgres://ann@db/x, postgres://ann@db/x",
    "jdbc:postgresql://db:5432/x?user=ann@corp, jdbc:postgresql://db:5432/x?user=ann@corp",
    "'postgres://a:5432,b:5432/x?user=ann@corp', 'postgres://a:5432,b:5432/x?user=ann@corp'",
    "sqlite:perdure.db, sqlite:perdure.db"
  })
  void shows_no_password(String url, String shown) {
    Configuration configuration = ServerSettings.configuration(Map.of(Settings.DATABASE_URL, url));

    assertThat(configuration.entry(Settings.DATABASE_URL).redactedText()).isEqualTo(shown);
    assertThat(configuration.get(Settings.DATABASE_URL)).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://x",
        "https://",
        "https://u:p@x",
        "https://x/a//b",
        "https://x/a/../b",
        "https://x/.",
        "https://x/a%22b",
        "https://x/path?q",
        "https://x/path#f",
        "https://x?q",
        "x",
        "https://a b"
      })
  void refuses_an_invalid_host_url(String url) {
    assertThat(
            problems(ConfigurationSource.environment(ServerSettings.ALL, Map.of("HOST_URL", url))))
        .singleElement()
        .extracting(FieldError::path)
        .isEqualTo("HOST_URL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://ann:s3cret@x", "https://ann:s3 cret@x", "ann:s3cret@x"})
  void does_not_repeat_a_password_in_an_error(String url) {
    assertThat(
            problems(ConfigurationSource.environment(ServerSettings.ALL, Map.of("HOST_URL", url))))
        .singleElement()
        .extracting(FieldError::message)
        .asString()
        .contains("without a user")
        .doesNotContain("cret");
  }

  /** The settings that the specification names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PORT",
        "HOST_URL",
        "DATABASE_URL",
        "INSTANCE_ID",
        "RETRY_MAX_RETRIES_LIMIT",
        "RETRY_MAX_DELAY_LIMIT",
        "RETRY_MAX_SCHEDULE_DELAY_LIMIT",
        "RETRY_LOOP_INTERVAL_MS",
        "WORKER_LOOP_INTERVAL_MS",
        "WORKER_CLAIM_TIMEOUT_SECS",
        "WORKER_WEBHOOK_CONCURRENCY",
        "PAGINATION_DEFAULT",
        "PAGINATION_MAX",
        "RETENTION_ENABLED",
        "RETENTION_DAYS",
        "DEAD_END_CANCEL_ENABLED",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_SERVICE_NAME",
        "BIND",
        "WEBHOOK_ALLOW",
        "WEBHOOK_SECRET",
        "SECRETS_KEY"
      })
  void supports_every_specified_setting(String variable) {
    assertThat(ServerSettings.ALL).extracting(Setting::environmentVariable).contains(variable);
    assertThat(ServerSettings.ALL)
        .extracting(Setting::name)
        .contains(variable.toLowerCase(Locale.ROOT));
  }

  @Test
  void refuses_a_delivery_policy_with_decorrelated_jitter() {
    String policy =
        """
        {"backoff": {"type": "exponential", "initial": "1s"}, "jitter": "decorrelated"}""";

    assertThat(
            problems(
                ConfigurationSource.environment(
                    ServerSettings.ALL, Map.of("DELIVERY_RETRY", policy))))
        .singleElement()
        .matches(error -> error.path().equals("DELIVERY_RETRY"))
        .matches(error -> error.message().contains("must not be \"decorrelated\""));
  }

  @Test
  void accepts_a_host_url_with_a_port_and_a_path() {
    for (String url :
        List.of(
            "https://tasks.example.org",
            "http://[::1]:80/",
            "https://x/jobs",
            "https://x:1/a.b/c-d_~/")) {
      Configuration configuration =
          Configuration.of(
              ServerSettings.ALL,
              List.of(
                  ConfigurationSource.environment(ServerSettings.ALL, Map.of("HOST_URL", url))));
      assertThat(configuration.get(Settings.HOST_URL)).isEqualTo(Optional.of(URI.create(url)));
    }
  }
}
