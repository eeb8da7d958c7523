// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.testing.TestEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a list of tasks tells when it stops at the scan limit. */
class TaskListResponderTest {

  private static final TaskFilter RARE = TaskFilter.all().withKind("rare");

  private final TestEngine engine = TestEngine.create();

  /** Submits tasks a second apart. */
  private void submit(int count, String kind) {
    for (int i = 0; i < count; i++) {
      engine.engine().submit(NewTask.of(kind, null));
      engine.clock().advance(Duration.ofSeconds(1));
    }
  }

  private Response list(String query, int scanLimit) {
    QueryParameters parameters = QueryParameters.parse(query);
    Request request =
        Request.of("GET", "/task", parameters, Headers.from(each -> {}), () -> new byte[0]);
    PageQuery page =
        new PageQuery(
            TaskSort.NEWEST,
            3,
            parameters.value("page").map(Integer::parseInt).orElse(0),
            parameters.value("after").orElse(null));
    return new TaskListResponder(engine.engine().tasks(), ScanLimit.of(scanLimit))
        .respond(request, RARE, page, TaskJson::row);
  }

  private static JsonNode tasks(Response response) {
    return JsonMapper.shared().readTree(response.body());
  }

  private static @Nullable String header(Response response, String name) {
    return response.headers().get(name);
  }

  /** The query of the next page. */
  private static Optional<String> next(Response response) {
    return Optional.ofNullable(header(response, "Link"))
        .map(link -> link.substring(link.indexOf('?') + 1, link.indexOf('>')));
  }

  @Test
  void an_empty_page_says_how_far_it_looked_and_links_to_the_next() {
    submit(20, "common");
    Instant end = engine.clock().instant();
    Response response = list("", 10);

    assertThat(tasks(response)).isEmpty();
    assertThat(header(response, "X-Looked-At")).isEqualTo("10");
    assertThat(header(response, "X-Reached")).isEqualTo(InstantText.of(end.minusSeconds(10)));
    assertThat(header(response, "X-Total-Count")).isEqualTo("0");
    assertThat(header(response, "X-Total-Exact")).isEqualTo("false");
    assertThat(next(response)).hasValueSatisfying(query -> assertThat(query).contains("after="));
  }

  @Test
  void following_the_links_finds_every_task() {
    submit(2, "rare");
    submit(12, "common");
    submit(5, "rare");
    submit(12, "common");
    List<Integer> sizes = new ArrayList<>();
    Response response = list("", 10);
    sizes.add(tasks(response).size());
    while (next(response).isPresent()) {
      response = list(next(response).get(), 10);
      sizes.add(tasks(response).size());
    }

    assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(7);
    assertThat(sizes.getFirst()).isZero();
    assertThat(header(response, "X-Looked-At")).as("the last page").isNull();
    assertThat(header(response, "X-Reached")).isNull();
  }

  @Test
  void a_list_within_the_limit_says_nothing_about_it() {
    submit(5, "rare");
    Response response = list("", 10);

    assertThat(tasks(response)).hasSize(3);
    assertThat(header(response, "X-Total-Count")).isEqualTo("5");
    assertThat(response.headers())
        .doesNotContainKeys("X-Looked-At", "X-Reached", "X-Total-Exact")
        .containsKey("Link");
  }

  @Test
  void a_numbered_page_that_ends_at_the_limit_links_by_cursor() {
    submit(4, "rare");
    submit(8, "common");
    Response first = list("page=0", 10);

    assertThat(tasks(first)).hasSize(2);
    assertThat(next(first)).hasValueSatisfying(query -> assertThat(query).startsWith("after="));
    assertThat(tasks(list(next(first).orElseThrow(), 10))).hasSize(2);
  }

  @Test
  void a_numbered_page_behind_the_limit_is_empty() {
    submit(4, "rare");
    submit(20, "common");
    Response second = list("page=1", 10);

    assertThat(tasks(second)).isEmpty();
    assertThat(header(second, "X-Looked-At")).isEqualTo("5");
    assertThat(next(second)).hasValueSatisfying(query -> assertThat(query).startsWith("after="));
  }

  /** A deep page reads the pages before it, and all of these reads together keep to the limit. */
  @Test
  void the_reads_of_a_numbered_page_share_the_limit() {
    assertThat(
            IntStream.of(0, 1, 333, 334)
                .map(
                    number -> PageResponder.reads(new PageQuery(TaskSort.NEWEST, 3, number, null))))
        .containsExactly(1, 2, 2, 3);
  }
}
