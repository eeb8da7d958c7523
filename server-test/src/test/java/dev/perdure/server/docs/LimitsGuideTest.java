// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerSettings;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends the requests of the guide to limits to a real server. */
class LimitsGuideTest {

  private static final Pattern CURL =
      Pattern.compile(
          "curl (?:-X (\\w+) )?'?http://127.0.0.1:8085([^\\s']+)'?(?: \\\\\\n.*\\n  -d '([^']*)')?\\n");
  private static final Pattern SHOWN = Pattern.compile("```text\n\\[(.*)]\n```");

  private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");

  @TempDir private Path folder;

  @Test
  void every_request_succeeds_and_limits_look_as_shown() throws IOException {
    String guide = Files.readString(Path.of("../docs/guides/limits.md"));
    List<MatchResult> requests = CURL.matcher(guide).results().toList();
    assertThat(requests).hasSize(guide.split("\ncurl ", -1).length - 1).hasSize(6);
    try (TestServer server = TestServer.in(folder)) {
      for (MatchResult request : requests.subList(0, 2)) {
        assertThat(server.post(request.group(2), request.group(3)).status()).isEqualTo(201);
      }
      MatchResult change = requests.get(2);
      String batch = server.post("/task", requests.getFirst().group(3)).header("X-Batch-ID");
      RawResponse changed =
          server.send("PATCH", change.group(2).replace("ID", batch), change.group(3));
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      setAndRemove(server, requests.subList(3, 5), guide);
      for (int i = 0; i < 14; i++) {
        server.post("/task", requests.getFirst().group(3));
      }
      server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"sync\"], \"limit\": 9}");

      RawResponse listed = server.get(requests.getLast().group(2));
      MatchResult shown = SHOWN.matcher(guide).results().findFirst().orElseThrow();
      assertThat(listed.json().get(0)).hasToString(shown.group(1));
    }
  }

  /** Limits of a kind. */
  private static void setAndRemove(TestServer server, List<MatchResult> requests, String guide)
      throws IOException {
    MatchResult set = requests.getFirst();
    RawResponse stored = server.send(set.group(1), set.group(2), set.group(3));
    assertThat(stored.status()).as(stored.body()).isEqualTo(200);
    String shown = stored.body().strip().replaceFirst("\"updated_at\":.*", "");
    assertThat(guide).contains("```text\n" + shown + "\"updated_at\":\"");
    MatchResult removed = requests.getLast();
    assertThat(server.request(removed.group(1), removed.group(2)).body()).isEqualTo(stored.body());
  }

  @Test
  void the_configuration_of_limits_is_applied() throws IOException {
    String guide = Files.readString(Path.of("../docs/guides/limits.md"));
    MatchResult yaml = YAML.matcher(guide).results().findFirst().orElseThrow();
    Path file = Files.writeString(folder.resolve("perdure.yaml"), yaml.group(1));
    String limits =
        Configuration.of(
                ServerSettings.ALL, List.of(ConfigurationFile.read(ServerSettings.ALL, file)))
            .entry(Settings.LIMITS)
            .text();

    try (TestServer server = TestServer.in(folder, Map.of(Settings.LIMITS, limits))) {
      assertThat(server.get("/limit/sync").body()).contains("\"max_concurrency\":10");
      assertThat(server.get("/limit/mail").body())
          .contains("\"max_starts\":5,\"per\":\"1s\"", "\"fields\":[\"tenant\"]");
    }
  }
}
