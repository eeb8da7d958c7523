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
                  "/task/{id}", Role.READ, request -> text("one " + request.pathVariable("id"))),
              Route.delete("/task/{id}", Role.ADMIN, request -> text("gone")),
              Route.post("/task/claim", Role.WORK, request -> text("claimed")),
              Route.post("/task/{id}/retry", Role.ADMIN, request -> text("again")),
              Route.get("/task", Role.READ, request -> text("all")),
              Route.get("/file/{path...}", Role.NONE, request -> text("rest " + request.path())),
              Route.get("/file/{name}", Role.NONE, request -> text("one file")),
              Route.get("/file/list", Role.NONE, request -> text("files"))));

  private static Response text(String text) {
    return Response.text(HttpStatus.OK, "text/plain", text);
  }

  private static Request request(String method, String path, Role... roles) {
    return Request.of(
            method, path, QueryParameters.parse(null), Headers.from(each -> {}), () -> new byte[0])
        .withCaller(() -> new Caller("tester", null, Set.of(roles)));
  }

  private String body(String method, String path) {
    Response response = table.handle(request(method, path, Role.ADMIN));
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private HttpProblemException refusal(String method, String path, Role... roles) {
    return catchThrowableOfType(
        HttpProblemException.class, () -> table.handle(request(method, path, roles)));
  }

  @Test
  void fills_in_path_variables() {
    assertThat(body("GET", "/task/7")).isEqualTo("one 7");
    assertThat(body("POST", "/task/7/retry")).isEqualTo("again");
    assertThat(body("GET", "/task")).isEqualTo("all");
  }

  @Test
  void matches_the_rest_of_a_path_last() {
    assertThat(body("GET", "/file/")).isEqualTo("rest /file/");
    assertThat(body("GET", "/file/a/b.js")).isEqualTo("rest /file/a/b.js");
    assertThat(body("GET", "/file//x/")).isEqualTo("rest /file//x/");
    assertThat(body("GET", "/file/a")).isEqualTo("one file");
    assertThat(body("GET", "/file/list")).isEqualTo("files");
    assertThat(refusal("GET", "/file").status()).isEqualTo(404);
    assertThat(refusal("GET", "/files/a").status()).isEqualTo(404);
  }

  @Test
  void prefers_a_literal_path_to_a_variable() {
    assertThat(body("POST", "/task/claim")).isEqualTo("claimed");
    assertThat(refusal("GET", "/task/claim", Role.ADMIN).headers()).containsEntry("Allow", "POST");
  }

  @Test
  void handles_head_like_get() {
    assertThat(body("HEAD", "/task")).isEqualTo("all");
  }

  @Test
  void refuses_other_paths_with_a_404() {
    for (String path : List.of("/", "/tasks", "/task/", "/task//retry", "/task/7/x", "/TASK")) {
      assertThat(refusal("GET", path, Role.ADMIN).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void lists_the_methods_that_a_path_allows() {
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
                        Route.get("/task/{id}", Role.READ, request -> text("")),
                        Route.get("/task/{name}", Role.READ, request -> text("")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GET /task/{name}");
  }
}
