// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes schedules that are stored encrypted, which gives another text each time. */
class EncryptedScheduleTest {

  private static final String SYNC =
      "{\"name\": \"sync\", \"trigger\": {\"every\": \"1h\"}, \"task\": {\"kind\": \"sync\"}}";

  @TempDir private Path folder;

  private TestServer server(int key) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) key;
    return TestServer.in(
        folder, Map.of(WebhookSettings.SECRETS_KEY, Base64.getEncoder().encodeToString(bytes)));
  }

  private static long replace(TestServer server, String body) throws IOException {
    RawResponse response = server.send("PUT", "/schedule/sync", body);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json().get("version").asLong();
  }

  @Test
  void the_same_content_is_no_change() throws IOException {
    try (TestServer server = server(1)) {
      assertThat(server.post("/schedule", SYNC).status()).isEqualTo(201);

      assertThat(replace(server, SYNC)).isZero();
      assertThat(replace(server, SYNC.replace("{\"kind\"", "{\"name\": \"a\", \"kind\"")))
          .isEqualTo(1);
    }
  }

  @Test
  void one_that_cannot_be_decrypted_is_stored_again() throws IOException {
    try (TestServer server = server(1)) {
      assertThat(server.post("/schedule", SYNC).status()).isEqualTo(201);
    }
    try (TestServer server = server(2)) {
      assertThat(replace(server, SYNC)).isEqualTo(1);
      assertThat(replace(server, SYNC)).isEqualTo(1);
    }
  }
}
