// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbered pages and cursor pages return the same tasks. */
@ParameterizedClass
@EnumSource
class PagingTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;

  PagingTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private void submit(int count) throws IOException {
    server.post(
        "/task",
        IntStream.range(0, count)
            .mapToObj("{\"kind\": \"job\", \"name\": \"n%d\"}"::formatted)
            .collect(Collectors.joining(",", "[", "]")));
  }

  private List<String> all(String from) throws IOException {
    List<String> names = new ArrayList<>();
    String target = from;
    while (!target.isEmpty()) {
      RawResponse response = server.get(target);
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      assertThat(response.header("X-Total-Count")).isEqualTo("11");
      response.json().forEach(task -> names.add(task.get("name").stringValue()));
      String link = response.header("Link");
      target = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
    }
    return names;
  }

  @Test
  void page_numbers_and_cursors_return_the_same_pages() throws IOException {
    submit(11);

    List<String> byCursor = all("/task?page_size=3&kind=job");

    assertThat(byCursor).hasSize(11).doesNotHaveDuplicates();
    assertThat(all("/task?page=0&page_size=3&kind=job")).isEqualTo(byCursor);
    assertThat(server.get("/task?page=1&page_size=3").header("Link"))
        .isEqualTo("</task?page_size=3&page=2>; rel=\"next\"");
    assertThat(server.get("/task?page=9&page_size=3").json()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "page=-1, page",
    "page=x, page",
    "page=200&page_size=50, page",
    "page=2&after=00000000-0000-7000-8000-000000000000, page",
    "pge=2, pge"
  })
  void an_invalid_query_is_rejected(String query, String path) throws IOException {
    RawResponse response = server.get("/task?" + query);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo(path);
  }
}
