// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ConfigCommandTest {

  @TempDir private Path folder;

  @Test
  void shows_every_setting_and_its_origin() throws IOException {
    Path file = Files.writeString(folder.resolve("my.yaml"), "pagination_default: 7\nport: 1\n");

    CliResult result =
        new TestCli()
            .environment("PORT", "2")
            .environment("BIND", "::1")
            .environment("DATABASE_URL", "postgres://ann:s3cret@db/x")
            .run("config", "--config", file.toString(), "--bind", "localhost", "--insecure");

    assertThat(result.code()).isZero();
    assertThat(result.lines())
        .anySatisfy(line -> assertThat(line).matches("port +2 +environment"))
        .anySatisfy(line -> assertThat(line).matches("bind +localhost +command line"))
        .anySatisfy(line -> assertThat(line).matches("insecure +true +command line"))
        .anySatisfy(line -> assertThat(line).matches("pagination_default +7 +.*my.yaml"))
        .anySatisfy(line -> assertThat(line).matches("retention_days +30 +default"));
    assertThat(result.out()).contains("postgres://ann:***@db/x").doesNotContain("s3cret");
  }

  @Test
  void shows_limits_of_kinds_as_json() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("my.yaml"),
            """
            limits:
              sync: {max_concurrency: 10}
              mail: {rate: {max_starts: 5, per: 1s}, fields: [tenant]}
            """);

    assertThat(perdure("config", "--config", file.toString()).out())
        .contains(
            "{\"sync\":{\"max_concurrency\":10},\"mail\":{\"rate\":{\"max_starts\":5,\"per\":\"1s\"},"
                + "\"fields\":[\"tenant\"]}}");
    CliResult wrong = new TestCli().environment("LIMITS", "{\"sync\": {\"max\": 1}}").run("config");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("LIMITS.sync: must have max_concurrency", "LIMITS.sync.max: unknown field");
  }

  @Test
  void prints_json() {
    JsonNode json = perdure("config", "--json", "--port=9000").json().getFirst();

    assertThat(json.get("port").toString())
        .isEqualTo(
            "{\"value\":\"9000\",\"from\":\"command"
                + " line\",\"variable\":\"PORT\",\"flag\":\"--port\"}");
  }

  @Test
  void redacts_secrets() {
    TestCli shell =
        new TestCli()
            .environment("DATABASE_URL", "postgres://ann:s3cret@db/x")
            .environment("WEBHOOK_SECRET", "whsec_s3cret8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .environment("SECRETS_KEY", "s3cret" + "A".repeat(37) + "=")
            .environment("OTEL_EXPORTER_OTLP_ENDPOINT", "http://s3cret@collector:4318")
            .environment("OTEL_EXPORTER_OTLP_HEADERS", "authorization=s3cret");

    CliResult text = shell.run("config");
    CliResult json = shell.run("config", "--json");

    assertThat(text.code()).as(text.err()).isZero();
    assertThat(text.out()).doesNotContain("s3cret");
    assertThat(json.out()).doesNotContain("s3cret");
    JsonNode shown = json.json().getFirst();
    assertThat(shown.get("webhook_secret").get("value").stringValue()).isEqualTo("***");
    assertThat(shown.get("secrets_key").get("value").stringValue()).isEqualTo("***");
  }

  @Test
  void names_the_nearest_flag() {
    CliResult result = perdure("config", "--databse-url", "x");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains("unknown option '--databse-url'; did you mean '--database-url'?");
  }

  @Test
  void reports_all_errors_with_their_origin() {
    CliResult result =
        new TestCli()
            .environment("PAGINATION_MAX", "0")
            .run("config", "--json", "--port", "x", "--config", "/nowhere.yaml");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors().valueStream().map(error -> error.get("path").stringValue()))
        .containsExactlyInAnyOrder("/nowhere.yaml", "PAGINATION_MAX", "--port");
  }
}
