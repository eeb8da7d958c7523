// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @TempDir private Path folder;

  @Test
  void every_request_succeeds_and_limits_look_as_shown() throws IOException {
    String guide = Files.readString(Path.of("../docs/guides/limits.md"));
    List<MatchResult> requests = CURL.matcher(guide).results().toList();
    assertThat(requests).hasSize(guide.split("\ncurl ", -1).length - 1).hasSize(4);
    try (TestServer server = TestServer.in(folder)) {
      for (MatchResult request : requests.subList(0, 2)) {
        assertThat(server.post(request.group(2), request.group(3)).status()).isEqualTo(201);
      }
      MatchResult change = requests.get(2);
      String batch = server.post("/task", requests.getFirst().group(3)).header("X-Batch-ID");
      RawResponse changed =
          server.send("PATCH", change.group(2).replace("ID", batch), change.group(3));
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      for (int i = 0; i < 14; i++) {
        server.post("/task", requests.getFirst().group(3));
      }
      server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"sync\"], \"limit\": 9}");

      RawResponse listed = server.get(requests.getLast().group(2));
      MatchResult shown = SHOWN.matcher(guide).results().findFirst().orElseThrow();
      assertThat(listed.json().get(0)).hasToString(shown.group(1));
    }
  }
}
