// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class ErrorRouteTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  ErrorRouteTest(TestDatabase database) {
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

  private String fail(String policy, String reason) throws IOException {
    String id = client.submitJob(policy);
    client.claimOne();
    client.patch(
        id,
        "{\"status\": \"Failure\", \"failure_reason\": \"%s\", \"failure_code\": \"gone\"}"
            .formatted(reason));
    return id;
  }

  private static final String NONE = "{\"max_retries\": 0}";
  private static final String LATER =
      "{\"max_retries\": 3, \"backoff\": {\"type\": \"fixed\", \"delay\": \"1h\"}}";

  @Test
  void failed_tasks_are_grouped_by_error() throws IOException {
    fail(NONE, "order 1 is gone");
    String newest = fail(NONE, "order 2 is gone");
    fail(LATER, "order 3 is gone");

    RawResponse response = server.get("/error");
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("X-Total-Exact")).isEqualTo("true");
    JsonNode groups = response.json();
    assertThat(groups).hasSize(1);
    JsonNode group = groups.get(0);
    assertThat(group.path("title").asString()).isEqualTo("order ‹n› is gone");
    assertThat(group.path("count").asInt()).isEqualTo(2);
    assertThat(group.path("code").asString()).isEqualTo("gone");
    assertThat(group.path("failure_kind").asString()).isEqualTo("explicit");
    assertThat(group.path("sample").path("task").asString()).isEqualTo(newest);
    assertThat(group.path("sample").path("message").asString()).isEqualTo("order 2 is gone");
    assertThat(group.path("spark")).hasSize(24);
    assertThat(server.get("/task/" + newest).json().path("error").asString())
        .isEqualTo(group.path("error").asString());
    assertThat(server.get("/error?state=RetryPending").json().get(0).path("count").asInt())
        .isEqualTo(1);
    assertThat(server.get("/error?kind=other").json()).isEmpty();
    assertThat(server.get("/error?by=kind&since=1h").json()).hasSize(1);
  }

  @Test
  void facets_kinds_and_find() throws IOException {
    String failed = fail(NONE, "order 1 is gone");
    fail(LATER, "order 2 is gone");
    JsonNode facets = server.get("/task/facets").json();
    assertThat(facets.path("complete").asBoolean()).isTrue();
    assertThat(facets.path("status").path("Failure").asInt()).isEqualTo(1);
    assertThat(facets.path("status").path("RetryPending").asInt()).isEqualTo(1);
    assertThat(facets.path("kind").get(0).path("count").asInt()).isEqualTo(2);
    assertThat(facets.path("error").get(0).path("title").asString()).isEqualTo("order ‹n› is gone");
    assertThat(facets.path("error").get(0).path("count").asInt()).isEqualTo(2);
    assertThat(server.get("/task/facets?status=Failure").json().path("status")).hasSize(1);
    assertThat(server.get("/task/facets?sort=created_at").status()).isEqualTo(400);

    String kind = facets.path("kind").get(0).path("value").asString();
    assertThat(server.get("/kind?q=" + kind.substring(1).toUpperCase(Locale.ROOT)).json())
        .hasSize(1);
    assertThat(server.get("/kind?q=nothing").json()).isEmpty();

    for (String q : List.of(failed, failed.substring(0, 30), failed.replace("-", ""))) {
      JsonNode found = server.get("/find?q=" + q).json();
      assertThat(found).as(q).isNotEmpty();
      assertThat(found.get(0).path("id").asString()).isEqualTo(failed);
      assertThat(found.get(0).path("status").asString()).isEqualTo("Failure");
    }
    String batch = server.get("/task/" + failed).json().path("batch_id").asString();
    assertThat(server.get("/find?q=" + batch).json().get(0).path("type").asString())
        .isEqualTo("batch");
    String error = facets.path("error").get(0).path("value").asString();
    assertThat(server.get("/find?q=" + error).json().get(0).path("type").asString())
        .isEqualTo("error");
    assertThat(server.get("/find?q=ffffffff").json()).isEmpty();
    assertThat(server.get("/find").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "state=Success, state",
    "since=1ms, since",
    "since=400d, since",
    "since=soon, since",
    "by=x, by",
    "page=1, page"
  })
  void a_wrong_parameter_is_named(String query, String name) throws IOException {
    RawResponse response = server.get("/error?" + query);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().path("errors").get(0).path("path").asString()).isEqualTo(name);
  }
}
