// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of batches: filters and pages. */
class BatchListTest {

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void submitALiveBatchAndAStoppedOne() throws IOException {
    server = TestServer.in(folder);
    submit(
        """
        {"name": "May", "tasks": [
          {"kind": "job", "id": "import", "name": "Import"},
          {"kind": "other", "dependencies": [{"id": "import"}]}]}""");
    server.send(
        "DELETE", "/batch/" + submit("{\"name\": \"June\", \"tasks\": [{\"kind\": \"etl\"}]}"), "");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String submit(String body) throws IOException {
    RawResponse created = server.post("/task", body);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.header("X-Batch-ID");
  }

  private List<String> names(String query) throws IOException {
    RawResponse listed = server.get("/batches" + query);
    assertThat(listed.status()).as(listed.body()).isEqualTo(200);
    return listed.json().findValuesAsString("name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                   | June May",
        "?name=ju                           | June",
        "?name=import                       | May",
        "?kind=etl                          | June",
        "?status=canceled                   | June",
        "?status=Waiting&kind=other         | May",
        "?status=Waiting&kind=etl           | ",
        "?state=live                        | May",
        "?state=ended                       | June",
        "?created_before=2000-01-01T00:00:00Z | ",
        "?created_after=2000-01-01T00:00:00Z | June May",
        "?page=1&page_size=1                | May",
        "?page=2&page_size=1                | ",
      })
  void filters(String query, String found) throws IOException {
    assertThat(String.join(" ", names(query == null ? "" : query)))
        .isEqualTo(found == null ? "" : found);
  }

  @Test
  void pages_have_a_link_and_the_total() throws IOException {
    RawResponse first = server.get("/batches?page_size=1");

    assertThat(first.header("X-Total-Count")).isEqualTo("2");
    String link = first.header("Link");
    assertThat(link).startsWith("</batches?page_size=1&after=").endsWith(">; rel=\"next\"");
    RawResponse second = server.get(link.substring(1, link.indexOf('>')));
    assertThat(second.json().findValuesAsString("name")).containsExactly("May");
    assertThat(second.json().get(0).get("kinds")).hasToString("[\"job\",\"other\"]");
    assertThat(second.json().get(0).propertyNames()).doesNotContain("context", "runs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"state=dead", "status=nope", "after=x", "page=-1", "created_after=x", "q=1"})
  void reports_wrong_parameters(String query) throws IOException {
    RawResponse refused = server.get("/batches?" + query);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("errors").get(0).get("path").stringValue())
        .isEqualTo(query.substring(0, query.indexOf('=')));
  }
}
