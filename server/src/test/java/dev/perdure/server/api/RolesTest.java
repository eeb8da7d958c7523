// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.access.Auditor;
import dev.perdure.server.access.HandleKeys;
import dev.perdure.server.access.Keyring;
import dev.perdure.server.access.Keys;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.Wire;
import dev.perdure.server.http.Wire.Answer;
import dev.perdure.server.webhook.CallWatch;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.seal.Sealer;
import dev.perdure.server.webhook.seal.SealingKeys;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every role at every route: the table of routes is the truth, and the server follows it. */
class RolesTest {

  private static final String NOBODY = "00000000-0000-7000-8000-000000000000";

  @TempDir private Path folder;
  private List<Route> routes;

  /** The table, as a server would make it. */
  @BeforeEach
  void list() throws IOException {
    Path own = Files.createDirectory(folder.resolve("table"));
    Configuration configuration = TestServer.configuration(own, Map.of());
    try (JdbcStore store = JdbcStore.open(configuration.get(Settings.DATABASE_URL))) {
      Engine engine = Engine.builder(store).build();
      Webhooks webhooks = webhooks(configuration, store);
      Metrics metrics = Metrics.of(store.reader(), () -> Duration.ZERO);
      NodeFacts facts = new NodeFacts("x", "x", Instant.EPOCH);
      AccessRoutes access =
          new AccessRoutes(
              new Keys(store.access().keys(), new SplittableRandom(1)),
              new Keyring(store.access().keys(), () -> Duration.ZERO),
              new Auditor(store.access().audit(), 1));
      Workings workings = new Workings(engine, store, webhooks);
      routes = new Routes(configuration, workings, metrics, facts, Instant::now).all(access);
      webhooks.close();
    }
  }

  private static Webhooks webhooks(Configuration configuration, JdbcStore store) {
    SplittableRandom random = new SplittableRandom(2);
    return Webhooks.open(
        configuration,
        HandleKeys.load(store.access().secrets(), random),
        new Sealer(SealingKeys.parse(""), random),
        new CallWatch(Instant::now, () -> Duration.ZERO, new EngineListener() {}));
  }

  /** Something that a handler refuses or confirms without having done much. */
  private static Answer ask(TestServer server, Route route, List<String> headers)
      throws IOException {
    String target = route.pattern().replace("{id}", NOBODY);
    String body = route.method().equals("GET") || route.method().equals("DELETE") ? "" : "{}";
    return Wire.ask(server.port(), route.method(), target, headers, body);
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void may_do_what_it_says_and_nothing_else(TestDatabase database) throws IOException {
    Map<dev.perdure.server.config.Setting<?>, String> settings =
        Map.of(Settings.DATABASE_URL, database.url(folder));
    try (TestServer server = TestServer.in(folder, settings)) {
      Map<Role, String> keys = keys(server);
      for (Route route : routes) {
        for (Role role : Role.GIVEN) {
          boolean allowed = route.role() == Role.NONE || role == Role.ADMIN || role == route.role();
          Answer answer = ask(server, route, List.of("Authorization: Bearer " + keys.get(role)));
          String what = "%s at %s %s".formatted(role, route.method(), route.pattern());
          if (allowed) {
            assertThat(answer.status()).as(what + answer.body()).isNotIn(401, 403, 500);
          } else {
            assertThat(answer.status()).as(what).isEqualTo(403);
            assertThat(answer.json().get("detail").stringValue())
                .as(what)
                .isEqualTo(
                    "this needs the role %s, which the key %s key does not have"
                        .formatted(route.role().text(), role.text()));
          }
        }
      }
    }
  }

  @Test
  void a_stranger_may_only_ask_how_the_process_is() throws IOException {
    try (TestServer server = TestServer.in(folder)) {
      keys(server);
      for (Route route : routes) {
        Answer answer = ask(server, route, List.of());
        boolean open = List.of("/health", "/ready").contains(route.pattern());
        assertThat(answer.status() == 401)
            .as("%s %s: %s", route.method(), route.pattern(), answer.status())
            .isEqualTo(!open);
      }
    }
  }

  /** AccessRoutesTest, EndWebhooksTest and BulkRouteTest see a deed of each of these. */
  @Test
  void operators_can_change_nothing_beyond_what_is_known_to_be_written_down() {
    TreeSet<String> changing = new TreeSet<>();
    routes.stream()
        .filter(route -> route.role() == Role.ADMIN && !route.method().equals("GET"))
        .forEach(route -> changing.add(route.method() + " " + route.pattern()));

    assertThat(changing)
        .containsExactlyInAnyOrder(
            "DELETE /task/{id}",
            "PATCH /task/pause/{id}",
            "PATCH /task/resume/{id}",
            "POST /task/{id}/retry",
            "POST /task/bulk",
            "POST /delivery/{id}/redeliver",
            "POST /key",
            "DELETE /key/{id}");
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
    for (Role role : List.of(Role.READ, Role.SUBMIT, Role.WORK)) {
      String body =
          "{\"name\": \"%s key\", \"roles\": [\"%s\"]}".formatted(role.text(), role.text());
      Answer answer = server.ask(admin, "POST", "/key", body);
      keys.put(role, answer.json().get("key").stringValue());
    }
    return keys;
  }
}
