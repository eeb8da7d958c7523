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

/** Sends the requests of the guide to schedules. */
class SchedulesGuideTest {

  private static final Pattern CURL =
      Pattern.compile("curl -X POST http://127.0.0.1:8085(\\S+) \\\\\\n.*\\n  -d '([^']*)'\\n");

  @TempDir private Path folder;

  @Test
  void every_request_succeeds_and_means_what_the_guide_says() throws IOException {
    String guide = Files.readString(Path.of("../docs/guides/schedules.md"));
    List<MatchResult> requests = CURL.matcher(guide).results().toList();
    assertThat(requests).hasSize(guide.split("\ncurl ", -1).length - 1).hasSize(2);

    try (TestServer server = TestServer.in(folder)) {
      MatchResult create = requests.getFirst();
      RawResponse created = server.post(create.group(1), create.group(2));
      assertThat(created.status()).as(created.body()).isEqualTo(201);
      assertThat(created.json().get("description").stringValue())
          .isEqualTo("every weekday at 08:00 Europe/Paris");
      assertThat(created.json().get("retry_description").stringValue())
          .isEqualTo(
              "5 retries every 5 minutes, then 5 every 10 minutes, then every hour until canceled");

      MatchResult preview = requests.getLast();
      RawResponse shown = server.post(preview.group(1), preview.group(2));
      assertThat(shown.status()).as(shown.body()).isEqualTo(200);
      assertThat(shown.json().get("next")).hasSize(3);
      assertThat(shown.json().get("warnings")).hasSize(2);
    }
  }
}
