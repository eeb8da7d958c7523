// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches tasks by text and metadata, in every sort order. */
@ParameterizedClass
@EnumSource
class SearchTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  SearchTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder);
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String submit(String task) throws IOException {
    RawResponse response = server.post("/task", task);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0).get("id").stringValue();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The ids on all pages, with two tasks on each page. */
  private List<String> found(String query) throws IOException {
    List<String> ids = new ArrayList<>();
    String next = "/task?page_size=2&" + query;
    while (!next.isEmpty()) {
      RawResponse response = server.get(next);
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      ids.addAll(response.json().findValuesAsString("id"));
      next = response.header("Link").replaceAll("<(.*)>; rel=\"next\"", "$1");
      assertThat(next.isEmpty())
          .isEqualTo(Integer.parseInt(response.header("X-Total-Count")) == ids.size());
    }
    return ids;
  }

  @Test
  void text_is_found_in_kind_name_local_id_and_failure() throws IOException {
    String kind = submit("{\"kind\": \"send-mail\"}");
    String name = submit("{\"kind\": \"a\", \"name\": \"Mail to Ada\"}");
    String local = submit("{\"kind\": \"a\", \"local_id\": \"mail/7\"}");
    String failed = submit("{\"kind\": \"job\"}");
    client.claimOne();
    client.patch(failed, "{\"status\": \"Failure\", \"failure_reason\": \"the mailer is away\"}");
    submit("{\"kind\": \"a\", \"payload\": \"mail\"}");

    assertThat(found("q=mail")).containsExactly(failed, local, name, kind);
    assertThat(found("q=MAILER")).containsExactly(failed);
    assertThat(found("q=mail&kind==a")).containsExactly(local, name);
    assertThat(found("q=%25")).isEmpty();
    assertThat(found("q=%00")).isEmpty();
    assertThat(server.get("/task?q=" + "x".repeat(256)).body())
        .contains("must have at most 255 characters");
  }

  @Test
  void metadata_matches_equal_values() throws IOException {
    String first = submit("{\"kind\": \"a\", \"metadata\": {\"customer\": 42, \"tags\": [\"x\"]}}");
    submit("{\"kind\": \"a\", \"metadata\": {\"customer\": \"42\"}}");
    String third = submit("{\"kind\": \"a\", \"metadata\": {\"customer\": 42.0, \"b\": null}}");

    assertThat(found("metadata=" + encode("{\"customer\": 42}"))).containsExactly(third, first);
    assertThat(found("metadata=" + encode("{\"customer\": 42, \"b\": null}")))
        .containsExactly(third);
    assertThat(found("metadata=" + encode("{\"tags\": [\"x\"]}"))).containsExactly(first);
    assertThat(found("metadata=" + encode("{\"tags\": \"x\"}"))).isEmpty();
  }

  @Test
  void a_bulk_action_can_filter_by_metadata() throws IOException {
    String id = submit("{\"kind\": \"a\", \"metadata\": {\"customer\": 42.10}}");
    submit("{\"kind\": \"a\", \"metadata\": {\"customer\": 43}}");

    RawResponse response =
        server.post(
            "/task/bulk",
            "{\"action\": \"cancel\", \"filter\": {\"metadata\": {\"customer\": 42.1}, \"q\": \"A\"}}");

    assertThat(response.json().get("changed").intValue()).as(response.body()).isEqualTo(1);
    assertThat(found("status=Canceled")).containsExactly(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "' OR '1'='1",
        "a') OR 1=1 --",
        "a\\\"]') = 1; DROP TABLE perdure_task; --",
        "$.a",
        "%",
        "?",
        ":shard",
        "\\u0000"
      })
  void a_metadata_field_name_never_becomes_part_of_the_sql(String name) throws IOException {
    submit("{\"kind\": \"a\", \"metadata\": {\"a\": 1}}");
    String wanted = "{\"%s\": 1}".formatted(name);

    assertThat(found("metadata=" + encode(wanted))).isEmpty();
    String id = submit("{\"kind\": \"a\", \"metadata\": %s}".formatted(wanted));
    assertThat(found("metadata=" + encode(wanted))).containsExactly(id);
  }

  @Test
  void lists_are_sorted_as_requested() throws Exception {
    String first = submit("{\"kind\": \"a\"}");
    String second = submit("{\"kind\": \"a\"}");
    String third = submit("{\"kind\": \"a\"}");
    server.request("DELETE", "/task/" + third);
    Instant ended = Instant.now();
    Eventually.await(Instant::now, ended.plusMillis(2)::isBefore);
    server.request("DELETE", "/task/" + first);

    assertThat(found("sort=created_at")).containsExactly(first, second, third);
    assertThat(found("sort=-created_at")).containsExactly(third, second, first);
    assertThat(found("")).containsExactly(third, second, first);
    assertThat(found("sort=-ended_at")).containsExactly(first, third);
    assertThat(found("sort=-ended_at&status=Failure")).isEmpty();
    assertThat(found("sort=next_retry_at")).isEmpty();
  }
}
