// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
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

/** Sends the requests of the guide to graphs to a real server. */
class GraphsGuideTest {

  private static final Pattern CURL =
      Pattern.compile(
          "curl (?:-X (\\w+) )?'?http://127.0.0.1:8085(\\S+?)'?(?: \\\\\\n.*\\n  -d '([^']*)')?\\n");

  @TempDir private Path folder;

  @Test
  void every_request_succeeds() throws IOException {
    String guide = Files.readString(Path.of("../docs/guides/graphs.md"));
    List<MatchResult> requests = CURL.matcher(guide).results().toList();
    assertThat(requests).hasSize(guide.split("\ncurl ", -1).length - 1).hasSize(8);
    try (TestServer server = TestServer.in(folder)) {
      String task = failedTask(server);
      String batch = "";
      for (MatchResult request : requests) {
        String path = request.group(2).replace("$TASK", task).replace("$BATCH", batch);
        String method = request.group(1) == null ? "GET" : request.group(1);
        RawResponse response =
            method.equals("GET") ? server.get(path) : server.send(method, path, request.group(3));
        assertThat(response.status()).as("%s: %s", path, response.body()).isIn(200, 201);
        String submitted = response.header("X-Batch-ID");
        batch = submitted == null || submitted.isEmpty() ? batch : submitted;
      }
    }
  }

  private static String failedTask(TestServer server) throws IOException {
    TestApiClient client = new TestApiClient(server);
    String id = client.submit("{\"kind\": \"job\"}");
    client.claimOne();
    client.patch(id, "{\"epoch\": 1, \"status\": \"Failure\"}");
    return id;
  }
}
