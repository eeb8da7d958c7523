// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouteTableTest {

  private final RouteTable table =
      new RouteTable(
          List.of(
              Route.get(
                  "/task/{id}", Role.READ, request -> says("one " + request.pathVariable("id"))),
              Route.delete("/task/{id}", Role.ADMIN, request -> says("gone")),
              Route.post("/task/claim", Role.WORK, request -> says("claimed")),
              Route.post("/task/{id}/retry", Role.ADMIN, request -> says("again")),
              Route.get("/task", Role.READ, request -> says("all"))));

  private static Response says(String text) {
    return Response.text(HttpStatus.OK, "text/plain", text);
  }

  private static Request request(String method, String path, Role... roles) {
    return Request.of(
            method, path, QueryParameters.parse(null), Headers.from(each -> {}), () -> new byte[0])
        .withCaller(() -> new Caller("tester", null, Set.of(roles)));
  }

  private String answer(String method, String path) {
    Response response = table.handle(request(method, path, Role.ADMIN));
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private HttpProblemException refusal(String method, String path, Role... roles) {
    return catchThrowableOfType(
        HttpProblemException.class, () -> table.handle(request(method, path, roles)));
  }

  @Test
  void fills_the_open_places() {
    assertThat(answer("GET", "/task/7")).isEqualTo("one 7");
    assertThat(answer("POST", "/task/7/retry")).isEqualTo("again");
    assertThat(answer("GET", "/task")).isEqualTo("all");
  }

  @Test
  void prefers_the_path_that_says_more() {
    assertThat(answer("POST", "/task/claim")).isEqualTo("claimed");
    assertThat(refusal("GET", "/task/claim", Role.ADMIN).headers()).containsEntry("Allow", "POST");
  }

  @Test
  void answers_head_as_get() {
    assertThat(answer("HEAD", "/task")).isEqualTo("all");
  }

  @Test
  void knows_no_other_paths() {
    for (String path : List.of("/", "/tasks", "/task/", "/task//retry", "/task/7/x", "/TASK")) {
      assertThat(refusal("GET", path, Role.ADMIN).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void says_which_methods_a_path_answers() {
    HttpProblemException refused = refusal("PUT", "/task/7", Role.ADMIN);

    assertThat(refused.status()).isEqualTo(405);
    assertThat(refused.headers()).containsEntry("Allow", "DELETE, GET, HEAD");
  }

  @Test
  void refuses_callers_without_the_role() {
    assertThat(refusal("DELETE", "/task/7", Role.READ, Role.SUBMIT, Role.WORK).status())
        .isEqualTo(403);
    assertThat(refusal("GET", "/task/7").status()).isEqualTo(403);
    assertThat(table.handle(request("GET", "/task/7", Role.READ)).status()).isEqualTo(200);
  }

  @Test
  void refuses_two_routes_for_the_same_requests() {
    assertThatThrownBy(
            () ->
                new RouteTable(
                    List.of(
                        Route.get("/task/{id}", Role.READ, request -> says("")),
                        Route.get("/task/{name}", Role.READ, request -> says("")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GET /task/{name}");
  }
}
