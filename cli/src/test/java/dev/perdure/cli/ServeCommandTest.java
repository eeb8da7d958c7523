// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.http.RawHttpClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the server as a separate process and stops it with a signal. */
@Tag("slow")
class ServeCommandTest {

  @TempDir private Path folder;

  private Process serve(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // As in the jar's manifest; without it, Java prints a warning.
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Perdure.class.getName(),
                "serve"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeAll(List.of("PORT", "BIND", "DATABASE_URL", "HOST_URL"));
    return builder.redirectError(folder.resolve("err").toFile()).start();
  }

  private static BufferedReader out(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  @Test
  void serves_until_it_is_stopped() throws Exception {
    Process process = serve("--port", "0", "--json");
    try {
      JsonNode ready = JsonMapper.shared().readTree(out(process).readLine());
      assertThat(ready.get("pid").longValue()).isEqualTo(process.pid());
      int port = URI.create(ready.get("url").stringValue()).getPort();
      Eventually.await(
          () -> RawHttpClient.request(port, "GET", "/ready").status(), status -> status == 200);
      assertThat(folder.resolve("perdure.db")).exists();

      process.destroy();

      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(err()).contains("perdure: stopping\nperdure: stopped\n");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void reads_the_configuration_file_in_its_folder() throws Exception {
    Files.writeString(folder.resolve("perdure.yaml"), "port: 0\ninstance_id: from-the-file\n");
    Process process = serve();
    try {
      String line = out(process).readLine();
      assertThat(line).startsWith("perdure is running at http://127.0.0.1:");
      int port = URI.create(line.split(" ", -1)[4]).getPort();
      assertThat(RawHttpClient.request(port, "GET", "/node").json().get("name").stringValue())
          .isEqualTo("from-the-file");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void logs_no_keys_and_no_tokens() throws Exception {
    Process process = serve("--port", "0", "--json");
    String token = "ph1.1.7." + "A".repeat(43);
    try {
      int port =
          URI.create(JsonMapper.shared().readTree(out(process).readLine()).get("url").stringValue())
              .getPort();
      String body = "{\"name\": \"ops\", \"roles\": [\"admin\"]}";
      String key = RawHttpClient.post(port, "/key", body).json().get("key").stringValue();
      String bearer = "Authorization: Bearer " + key;
      assertThat(RawHttpClient.request(port, "GET", "/task", bearer).status()).isEqualTo(200);
      RawHttpClient.request(port, "GET", "/task", bearer + "x");
      RawHttpClient.request(port, "GET", "/task/" + key + "?handle=" + token, bearer);
      RawHttpClient.request(port, "PATCH", "/task/pause/" + token, bearer);
      RawHttpClient.request(port, "DELETE", "/key/" + key, bearer);
      String id =
          RawHttpClient.post(port, "/task", "{\"kind\": \"x\"}", bearer)
              .json()
              .get(0)
              .get("id")
              .stringValue();
      RawHttpClient.request(port, "DELETE", "/task/" + id, bearer);

      process.destroy();

      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(err()).doesNotContain(key.substring(key.length() - 30), "A".repeat(20));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void writes_its_log_as_json_when_configured() throws Exception {
    Process process = serve("--port", "0", "--log-format", "json", "--json");
    try {
      JsonNode ready = JsonMapper.shared().readTree(out(process).readLine());
      int port = URI.create(ready.get("url").stringValue()).getPort();
      JsonNode task =
          RawHttpClient.post(
                  port, "/task", "{\"kind\": \"mail\", \"deadline\": \"2026-01-01T00:00:00Z\"}")
              .json()
              .get(0);
      JsonNode line = awaitLine("task failed permanently");
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();

      assertThat(line.get("level").stringValue()).isEqualTo("error");
      assertThat(line.get("logger").stringValue()).isEqualTo("dev.perdure.engine");
      assertThat(line.get("task")).isEqualTo(task.get("id"));
      assertThat(line.get("batch")).isEqualTo(task.get("batch_id"));
      assertThat(line.get("kind").stringValue()).isEqualTo("mail");
      assertThat(line.get("attempt").intValue()).isZero();
      assertThat(line.get("node").stringValue()).isNotEmpty();
      assertThat(err().lines().map(each -> JsonMapper.shared().readTree(each).get("message")))
          .extracting(JsonNode::stringValue)
          .contains("stopping", "stopped");
    } finally {
      process.destroyForcibly();
    }
  }

  private JsonNode awaitLine(String beginning) throws IOException {
    for (int i = 0; i < 600; i++) {
      for (String line : err().lines().toList()) {
        if (line.contains("\"" + beginning)) {
          return JsonMapper.shared().readTree(line);
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("no such line in " + err());
  }

  @Test
  void ends_with_a_message_when_it_cannot_start() throws Exception {
    Process process = serve("--bind", "0.0.0.0");

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(err())
        .startsWith("perdure: bind: 0.0.0.0 can be reached from other machines")
        .doesNotContain("Exception", "\tat ");
  }

  @Test
  void says_that_it_connects_before_a_database_server_answers() throws Exception {
    Process process = serve("--database-url", "postgres://me:secret@127.0.0.1:1/tasks");

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(err())
        .startsWith("perdure: connecting to postgres://me:***@127.0.0.1:1/tasks and checking")
        .contains("perdure: database_url: ");
  }
}
