// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NowHeaderTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void readers_learn_the_clock_of_the_database(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submitJob(TestApiClient.LATER);
      Instant created = Instant.parse(client.show(id).get("created_at").stringValue());

      for (String path : List.of("/task", "/task/" + id, "/retry", "/batches", "/node")) {
        RawResponse response = server.get(path);
        assertThat(Instant.parse(response.header("X-Now")))
            .as(path)
            .isBetween(created, Instant.now().plusSeconds(60));
      }
      assertThat(server.get("/task/" + TestApiClient.UNKNOWN_ID).header("X-Now")).isEmpty();
      assertThat(server.get("/health").header("X-Now")).isEmpty();
    }
  }
}
