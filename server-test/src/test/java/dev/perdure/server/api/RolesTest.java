// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tries every role at every route and compares the response with the route table. */
class RolesTest {

  private static final String UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";

  /** Paths that need no key: health, readiness, the pages and the login. */
  private static final List<String> OPEN =
      List.of(
          "/health", "/ready", "/", "/docs", "/openapi.json", "/session", "/ui", "/ui/{path...}");

  /** The roles of routes that a key with this role may call. */
  private static final Map<Role, Set<Role>> INCLUDED =
      Map.of(
          Role.READ, Set.of(Role.NONE, Role.READ),
          Role.SUBMIT, Set.of(Role.NONE, Role.SUBMIT),
          Role.WORK, Set.of(Role.NONE, Role.WORK),
          Role.OPERATE, Set.of(Role.NONE, Role.READ, Role.OPERATE),
          Role.ADMIN, EnumSet.allOf(Role.class));

  @TempDir private Path folder;
  private List<Route> routes;

  @BeforeEach
  void list() throws IOException {
    try (TestServer any = TestServer.in(Files.createDirectory(folder.resolve("table")))) {
      routes = any.routes();
    }
  }

  /** Sends a request that the handler rejects or that changes little. */
  private static RawResponse send(TestServer server, Route route, List<String> headers)
      throws IOException {
    String target = route.pattern().replaceAll("\\{[^}]*}", UNKNOWN_ID);
    String body =
        switch (route.method()) {
          case "GET", "DELETE" -> "";
          case "PUT" -> "{\"epoch\": 1}";
          default -> "{}";
        };
    return RawHttpClient.request(server.port(), route.method(), target, headers, body);
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void a_role_allows_exactly_its_routes(TestDatabase database) throws IOException {
    Map<dev.perdure.server.config.Setting<?>, String> settings =
        Map.of(Settings.DATABASE_URL, database.url(folder));
    try (TestServer server = TestServer.in(folder, settings)) {
      Map<Role, String> keys = keys(server);
      for (Route route : routes) {
        for (Role role : Role.ASSIGNABLE) {
          boolean allowed = INCLUDED.getOrDefault(role, Set.of()).contains(route.role());
          RawResponse response =
              send(server, route, List.of("Authorization: Bearer " + keys.get(role)));
          String what = "%s at %s %s".formatted(role, route.method(), route.pattern());
          if (allowed) {
            assertThat(response.status()).as(what + response.body()).isNotIn(401, 403, 500);
          } else {
            assertThat(response.status()).as(what).isEqualTo(403);
            assertThat(response.json().get("detail").stringValue())
                .as(what)
                .isEqualTo(
                    "this request needs the role %s, which the key %s key does not have"
                        .formatted(route.role().text(), role.text()));
          }
        }
      }
    }
  }

  /** Its children can have its result sent to them. */
  @Test
  void to_depend_on_a_stored_task_a_submitter_needs_the_role_read() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      Map<Role, String> keys = keys(server);
      String admin = keys.getOrDefault(Role.ADMIN, "");
      String submitter = keys.getOrDefault(Role.SUBMIT, "");
      String parent =
          server
              .request(admin, "POST", "/task", "{\"kind\": \"secret\"}")
              .json()
              .get(0)
              .get("id")
              .stringValue();
      String child =
          """
          [{"kind": "a", "id": "a"},
           {"kind": "b", "dependencies": [{"id": "a"}, {"id": "%s"}]}]""";

      for (String stored : List.of(parent, UNKNOWN_ID)) {
        RawResponse refused = server.request(submitter, "POST", "/task", child.formatted(stored));
        assertThat(refused.status()).as(refused.body()).isEqualTo(403);
        assertThat(refused.json().get("detail").stringValue())
            .isEqualTo(
                "[1].dependencies[1].id: to depend on a stored task, the key needs the role read,"
                    + " which the key submit key does not have");
      }
      String inBatch =
          "[{\"kind\": \"a\", \"id\": \"a\"}, {\"kind\": \"b\", \"dependencies\": [{\"id\": \"a\"}]}]";
      assertThat(server.request(submitter, "POST", "/task", inBatch).status()).isEqualTo(201);
      String both =
          server
              .request(
                  admin, "POST", "/key", "{\"name\": \"ci\", \"roles\": [\"submit\", \"read\"]}")
              .json()
              .get("key")
              .stringValue();
      assertThat(server.request(both, "POST", "/task", child.formatted(parent)).status())
          .isEqualTo(201);
    }
  }

  @Test
  void without_a_key_only_health_the_reference_and_the_login_are_open() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      keys(server);
      for (Route route : routes) {
        RawResponse response = send(server, route, List.of());
        boolean open = OPEN.contains(route.pattern());
        assertThat(response.status() == 401)
            .as("%s %s: %s", route.method(), route.pattern(), response.status())
            .isEqualTo(!open);
      }
    }
  }

  /**
   * AccessRoutesTest, EndWebhooksTest, BulkRouteTest, BatchRoutesTest, LimitRoutesTest,
   * KindLimitRoutesTest, ScheduleChangesTest and ChannelRoutesTest check the audit entry of each of
   * these.
   */
  @Test
  void every_route_that_changes_something_as_an_operator_is_known_to_be_audited() {
    assertThat(changing(Role.OPERATE))
        .containsExactlyInAnyOrder(
            "DELETE /task/{id}",
            "PATCH /task/pause/{id}",
            "PATCH /task/resume/{id}",
            "POST /task/{id}/retry",
            "DELETE /batch/{id}",
            "POST /batch/{id}/retry",
            "POST /schedule/{id}/trigger",
            "DELETE /schedule/{id}/retry",
            "POST /task/bulk",
            "POST /delivery/bulk",
            "POST /delivery/{id}/redeliver");
    assertThat(changing(Role.ADMIN))
        .containsExactlyInAnyOrder(
            "POST /task/{id}/resolve",
            "PATCH /batch/{id}/rules",
            "PUT /limit/{kind}",
            "DELETE /limit/{kind}",
            "POST /schedule",
            "PUT /schedule/{id}",
            "PATCH /schedule/{id}",
            "DELETE /schedule/{id}",
            "POST /channel/{name}/test",
            "POST /key",
            "DELETE /key/{id}");
  }

  private List<String> changing(Role role) {
    return routes.stream()
        .filter(route -> route.role() == role && !route.method().equals("GET"))
        .map(route -> route.method() + " " + route.pattern())
        .toList();
  }

  private static Map<Role, String> keys(TestServer server) throws IOException {
    Map<Role, String> keys = new EnumMap<>(Role.class);
    String admin =
        server
            .post("/key", "{\"name\": \"admin key\", \"roles\": [\"admin\"]}")
            .json()
            .get("key")
            .stringValue();
    keys.put(Role.ADMIN, admin);
    for (Role role : List.of(Role.READ, Role.SUBMIT, Role.WORK, Role.OPERATE)) {
      String body =
          "{\"name\": \"%s key\", \"roles\": [\"%s\"]}".formatted(role.text(), role.text());
      RawResponse response = server.request(admin, "POST", "/key", body);
      keys.put(role, response.json().get("key").stringValue());
    }
    return keys;
  }
}
