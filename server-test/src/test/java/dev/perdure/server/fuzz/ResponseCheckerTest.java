// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks that the fuzzer would notice a bad response. */
class ResponseCheckerTest {

  private static final RawRequest REQUEST =
      new RawRequest("GET", "/task/1", Map.of(), List.of(), new byte[0], true);

  private final ResponseChecker checker = new ResponseChecker("not-for-you");

  private static RawResponse problem(int status, String body) {
    return new RawResponse(status, Map.of("content-type", "application/problem+json"), body);
  }

  private static RawResponse refused(String detail) {
    return problem(
        404,
        "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"%s\"}"
            .formatted(detail));
  }

  @Test
  void accepts_good_responses() {
    assertThat(checker.violation(REQUEST, refused("there is no task 1"), true)).isEmpty();
    assertThat(checker.violation(REQUEST, new RawResponse(200, Map.of(), "{}"), true)).isEmpty();
    assertThat(checker.violation(REQUEST.broken(), null, true)).isEmpty();
    assertThat(checker.violation(REQUEST, new RawResponse(200, Map.of(), "not-for-you"), false))
        .isEmpty();
  }

  @Test
  void reports_internal_errors() {
    assertThat(checker.violation(REQUEST, problem(500, "{}"), true)).contains("status 500");
    assertThat(checker.violation(REQUEST, problem(503, "{}"), true)).contains("status 503");
  }

  @Test
  void reports_missing_responses() {
    assertThat(checker.violation(REQUEST, null, true)).contains("no response");
  }

  @Test
  void reports_stack_traces() {
    assertThat(checker.violation(REQUEST, refused("\\tat dev.perdure.X.y(X.java:7)"), true))
        .contains("shows a stack trace");
  }

  @Test
  void reports_errors_that_are_not_problem_documents() {
    assertThat(checker.violation(REQUEST, new RawResponse(404, Map.of(), "no"), true))
        .contains("an error with the content type ");
    assertThat(checker.violation(REQUEST, problem(404, "no"), true))
        .contains("a problem document that is not JSON");
    assertThat(checker.violation(REQUEST, problem(404, "{\"status\":400}"), true))
        .contains("an incomplete problem document");
  }

  @Test
  void reports_data_of_another_task() {
    assertThat(checker.violation(REQUEST, refused("it is not-for-you"), false))
        .contains("shows data of another task");
    assertThat(
            checker.violation(
                REQUEST, new RawResponse(200, Map.of(), "{\"a\":\"not-for-you\"}"), true))
        .contains("shows data of another task");
  }
}
