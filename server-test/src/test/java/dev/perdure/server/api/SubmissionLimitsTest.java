// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The limits of a submission. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SubmissionLimitsTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;

  SubmissionLimitsTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder, Map.of(Settings.MAX_TASKS_PER_REQUEST, "20"));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99999999999999", "-1e-99999999999999", "1e999999999"})
  void rejects_numbers_with_huge_exponents(String number) throws IOException {
    RawResponse response =
        server.post("/task", "{\"kind\":\"k\",\"expected_count\":%s}".formatted(number));

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(server.get("/task").header("X-Total-Count")).isEqualTo("0");
  }

  @Test
  void rejects_a_field_name_that_is_too_long() throws IOException {
    RawResponse response =
        server.post("/task", "{\"kind\":\"k\",\"%s\":1}".formatted("x".repeat(60_000)));

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("a field name that is too long");
  }

  @ParameterizedTest
  @CsvSource({
    "kind, 100, kind: must have 1 to 100 characters",
    "name, 255, name: must have 1 to 255 characters"
  })
  void accepts_texts_up_to_their_maximum_length(String field, int max, String message)
      throws IOException {
    String body = "{\"kind\":\"k\",\"name\":\"n\",\"id\":\"1\"}";
    String prefix = "\"%s\":\"".formatted(field);

    assertThat(server.post("/task", body.replace(prefix, prefix + "é".repeat(max - 1))).status())
        .isEqualTo(201);
    RawResponse longer = server.post("/task", body.replace(prefix, prefix + "é".repeat(max)));
    assertThat(longer.status()).isEqualTo(400);
    assertThat(longer.json().get("detail").stringValue()).contains(message);
  }

  @Test
  void accepts_64_KiB_of_metadata_and_not_a_byte_more() throws IOException {
    // Each é has two bytes, and {"a":""} adds eight.
    String fits = "é".repeat((64 * 1024 - 8) / 2);
    String task = "{\"kind\":\"k\",\"metadata\":{\"a\":\"%s\"}}";
    String id = server.post("/task", task.formatted(fits)).json().get(0).get("id").stringValue();

    RawResponse response = server.post("/task", task.formatted(fits + "x"));
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("must have at most 65536 bytes of JSON");
    RawResponse patched =
        server.send("PATCH", "/task/" + id, "{\"metadata\":{\"a\":\"%sx\"}}".formatted(fits));
    assertThat(patched.status()).isEqualTo(400);
    assertThat(patched.body()).contains("must have at most 65536 bytes of JSON");
  }

  @Test
  void stops_after_100_errors() throws IOException {
    String tasks =
        "[" + "{\"kind\":\"k\",\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1},".repeat(19) + "7]";

    JsonNode errors = server.post("/task", tasks).json().get("errors");

    assertThat(errors).hasSize(101);
    assertThat(errors.get(100).get("message").stringValue())
        .isEqualTo("there are more than 100 errors; only the first are listed");
  }

  @Test
  void rejects_more_tasks_than_allowed() throws IOException {
    String tasks = "[" + "{\"kind\":\"k\"},".repeat(20) + "{\"kind\":\"k\"}]";

    RawResponse response = server.post("/task", tasks);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("has 21 entries, at most 20 are allowed");
    assertThat(server.post("/task", "{\"tasks\":" + tasks + "}").body())
        .contains("has 21 entries, at most 20 are allowed");
  }
}
