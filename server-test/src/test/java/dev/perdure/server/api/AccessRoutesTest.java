// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.access.ApiKeyAuthenticator;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** API keys and the audit log over HTTP. */
class AccessRoutesTest {

  private static final String UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";

  @TempDir private Path folder;
  private final List<TestServer> servers = new ArrayList<>();
  private final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);

  @AfterEach
  void stop() {
    servers.forEach(TestServer::close);
  }

  /** A node whose clock moves only when the test moves it. */
  private TestServer node(String url) {
    TestServer server = TestServer.in(folder, Map.of(Settings.DATABASE_URL, url), clock::get);
    servers.add(server);
    return server;
  }

  private TestServer node() {
    return node(TestDatabase.SQLITE.url(folder));
  }

  private static String secretOf(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("key").stringValue();
  }

  private static String admin(TestServer server) throws IOException {
    return secretOf(server.post("/key", "{\"name\": \"ops\", \"roles\": [\"admin\"]}"));
  }

  private static String key(TestServer server, String admin, String role) throws IOException {
    String body = "{\"name\": \"%s key\", \"roles\": [\"%s\"]}".formatted(role, role);
    return secretOf(server.request(admin, "POST", "/key", body));
  }

  private static String idOf(String key) {
    return key.substring(3, 15);
  }

  private static String submit(TestServer server, String key) throws IOException {
    RawResponse response = server.request(key, "POST", "/task", "{\"kind\": \"mail\"}");
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0).get("id").stringValue();
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void all_errors_of_a_new_key_are_reported_at_once(TestDatabase database) throws IOException {
    try (TestServer server = database.server(folder)) {
      RawResponse response =
          server.post(
              "/key", "{\"nmae\": \"a\", \"roles\": [\"admn\"], \"expires_after\": \"99999d\"}");

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.json().get("errors").findValuesAsString("path"))
          .containsExactlyInAnyOrder("nmae", "name", "roles", "expires_after");
    }
  }

  @Test
  void a_field_of_the_wrong_type_is_reported_once() throws IOException {
    RawResponse response = node().post("/key", "{\"name\": \"a\", \"roles\": [1, null]}");

    assertThat(response.json().get("errors").findValuesAsString("path"))
        .containsExactly("roles[0]", "roles[1]");
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void an_unpaired_surrogate_is_rejected_with_its_path(TestDatabase database) throws IOException {
    TestServer server = node(database.url(folder));

    RawResponse name = server.post("/key", "{\"name\": \"a\\ud800\", \"roles\": [\"admin\"]}");
    RawResponse payload =
        server.post("/task", "[{\"kind\": \"x\", \"payload\": {\"a\": [1, \"\\udc00\"]}}]");
    RawResponse field = server.post("/task", "{\"kind\": \"x\", \"metadata\": {\"\\ud800\": 1}}");

    assertThat(name.status()).isEqualTo(400);
    assertThat(name.json().get("errors").findValuesAsString("path")).containsExactly("name");
    assertThat(payload.status()).isEqualTo(400);
    assertThat(payload.json().get("errors").findValuesAsString("path"))
        .containsExactly("[0].payload.a[1]");
    assertThat(field.status()).isEqualTo(400);
    assertThat(server.get("/task?metadata=%7B%22a%22:%22%5Cud800%22%7D").status()).isEqualTo(400);
    String whole = "{\"kind\": \"x\", \"name\": \"\\ud835\\udcb3\"}";
    assertThat(server.post("/task", whole).json().get(0).get("name").stringValue()).isEqualTo("𝒳");
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void after_the_first_key_every_request_needs_one(TestDatabase database) throws IOException {
    TestServer server = node(database.url(folder));
    assertThat(server.get("/task").status()).isEqualTo(200);

    String admin = admin(server);

    RawResponse anonymous = server.get("/task");
    assertThat(anonymous.status()).isEqualTo(401);
    assertThat(anonymous.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"perdure\"");
    assertThat(anonymous.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(anonymous.json().get("detail").stringValue())
        .isEqualTo("this server requires an API key: send it as Authorization: Bearer pk_…");
    assertThat(server.request(admin, "GET", "/task", "").status()).isEqualTo(200);
    assertThat(server.get("/health").status()).isEqualTo(200);
    assertThat(server.get("/ready").status()).as("the node may have just started").isIn(200, 503);
  }

  @Test
  void an_unknown_key_is_rejected_with_the_reason() throws IOException {
    TestServer server = node();
    String admin = admin(server);

    RawResponse wrong = server.request(admin + "x", "GET", "/task", "");

    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
    assertThat(wrong.body()).contains("API key is unknown").doesNotContain(admin);
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void a_key_revoked_on_one_node_is_rejected_on_the_other(TestDatabase database)
      throws IOException {
    String url = database.url(folder);
    TestServer one = node(url);
    TestServer other = node(url);
    String admin = admin(one);
    String reader = key(one, admin, "read");
    clock.set(ApiKeyAuthenticator.CACHE_TTL);
    assertThat(other.request(reader, "GET", "/task", "").status()).isEqualTo(200);

    RawResponse revoked = one.request(admin, "DELETE", "/key/" + idOf(reader), "");

    assertThat(revoked.status()).isEqualTo(200);
    assertThat(revoked.json().get("live").booleanValue()).isFalse();
    assertThat(one.request(reader, "GET", "/task", "").status()).isEqualTo(401);
    clock.set(clock.get().plus(ApiKeyAuthenticator.CACHE_TTL));
    RawResponse refused = other.request(reader, "GET", "/task", "");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.json().get("detail").stringValue()).isEqualTo("the API key was revoked");
    assertThat(one.request(admin, "DELETE", "/key/" + idOf(reader), "").status()).isEqualTo(200);
    assertThat(one.request(admin, "DELETE", "/key/nothing", "").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void keys_are_listed_without_their_secrets(TestDatabase database) throws IOException {
    TestServer server = node(database.url(folder));
    String admin = admin(server);
    String shortLived =
        secretOf(
            server.request(
                admin,
                "POST",
                "/key",
                "{\"name\": \"ci\", \"roles\": [\"submit\", \"read\"], \"expires_after\": \"90d\"}"));

    RawResponse list = server.request(admin, "GET", "/key", "");

    assertThat(list.json()).hasSize(2);
    assertThat(list.body()).doesNotContain(admin.substring(16), shortLived.substring(16), "hash");
    JsonNode ci =
        list.json().get(0).get("name").stringValue().equals("ci")
            ? list.json().get(0)
            : list.json().get(1);
    assertThat(ci.propertyNames())
        .containsExactly(
            "id",
            "name",
            "roles",
            "live",
            "created_at",
            "expires_at",
            "last_used_at",
            "revoked_at");
    assertThat(ci.get("roles").toString()).isEqualTo("[\"read\",\"submit\"]");
    Duration validity =
        Duration.between(
            Instant.parse(ci.get("created_at").stringValue()),
            Instant.parse(ci.get("expires_at").stringValue()));
    assertThat(validity).isEqualTo(Duration.ofDays(90));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\": \"x\"}",
        "{\"name\": \"x\", \"roles\": \"admin\"}",
        "{\"name\": \"x\", \"roles\": [\"none\"]}",
        "{\"name\": \"x\", \"roles\": [7]}",
        "{\"name\": 7, \"roles\": [\"admin\"]}",
        "{\"name\": \"x\", \"roles\": [\"admin\"], \"expires_after\": 7}",
        "{\"name\": \"x\", \"roles\": [\"admin\"], \"expires_after\": \"0s\"}",
        "{\"name\": \"x\", \"roles\": [\"admin\"], \"hash\": \"\"}",
        "[]"
      })
  void an_invalid_key_request_is_rejected(String body) throws IOException {
    TestServer server = node();

    RawResponse response = server.post("/key", body);

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.json().get("errors")).isNotEmpty();
    assertThat(server.get("/key").json()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void operator_actions_are_audited(TestDatabase database) throws IOException {
    TestServer server = node(database.url(folder));
    String admin = admin(server);
    String task = submit(server, admin);
    server.request(admin, "PATCH", "/task/pause/" + task, "");
    server.request(admin, "PATCH", "/task/resume/" + task, "");
    server.request(admin, "DELETE", "/task/" + task, "");
    server.request(admin, "POST", "/task/" + task + "/retry", "");
    String reader = key(server, admin, "read");
    server.request(admin, "DELETE", "/key/" + idOf(reader), "");

    RawResponse audit = server.request(admin, "GET", "/audit", "");

    assertThat(audit.json().findValuesAsString("action"))
        .containsExactly(
            "key revoke", "key create", "retry", "cancel", "resume", "pause", "key create");
    assertThat(audit.json().findValuesAsString("subject"))
        .containsExactly(idOf(reader), idOf(reader), task, task, task, task, idOf(admin));
    JsonNode cancel = audit.json().get(3);
    assertThat(cancel.get("who").stringValue()).isEqualTo("ops");
    assertThat(cancel.get("key").stringValue()).isEqualTo(idOf(admin));
    assertThat(cancel.get("detail").isNull()).isTrue();
    assertThat(audit.json().get(1).get("detail").toString())
        .isEqualTo("{\"name\":\"read key\",\"roles\":[\"read\"]}");
    assertThat(audit.json().get(6).get("who").stringValue()).isEqualTo("anyone");
    assertThat(audit.json().get(6).get("key").isNull()).isTrue();
    assertThat(audit.body()).doesNotContain(admin.substring(16), reader.substring(16));
  }

  @Test
  void the_audit_log_keeps_all_digits_of_numbers() throws IOException {
    TestServer server = node();
    server.post(
        "/task/bulk",
        "{\"action\": \"pause\", \"filter\": {\"metadata\": {\"a\": 12.50, \"b\": 1E+400}}}");

    assertThat(server.get("/audit").body()).contains("{\"a\":12.50,\"b\":1E+400}");
  }

  @Test
  void revoking_ones_own_key_succeeds_and_is_audited() throws IOException {
    TestServer server = node();
    String admin = admin(server);
    String other = key(server, admin, "admin");

    assertThat(server.request(other, "DELETE", "/key/" + idOf(other), "").status()).isEqualTo(200);

    assertThat(server.request(other, "GET", "/audit", "").status()).isEqualTo(401);
    JsonNode last = server.request(admin, "GET", "/audit", "").json().get(0);
    assertThat(last.get("action").stringValue()).isEqualTo("key revoke");
    assertThat(last.get("who").stringValue()).isEqualTo("admin key");
  }

  @Test
  void rejected_requests_are_not_audited() throws IOException {
    TestServer server = node();
    String admin = admin(server);
    String reader = key(server, admin, "read");
    String task = submit(server, admin);

    assertThat(server.request(reader, "DELETE", "/task/" + task, "").status()).isEqualTo(403);
    assertThat(server.request(admin, "DELETE", "/task/" + UNKNOWN_ID, "").status()).isEqualTo(404);
    assertThat(server.request(admin, "POST", "/task/" + task + "/retry", "{\"at\": 7}").status())
        .isEqualTo(400);

    assertThat(server.request(admin, "GET", "/audit", "").json().findValuesAsString("action"))
        .containsExactly("key create", "key create");
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void the_audit_log_can_be_paged_and_filtered(TestDatabase database) throws IOException {
    TestServer server = node(database.url(folder));
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tasks.addFirst(
          server.post("/task", "{\"kind\": \"mail\"}").json().get(0).get("id").stringValue());
      server.request("DELETE", "/task/" + tasks.getFirst());
    }

    List<String> seen = new ArrayList<>();
    String target = "/audit?page_size=2";
    for (int pages = 0; pages < 10 && target != null; pages++) {
      RawResponse page = server.get(target);
      assertThat(page.json().size()).isBetween(1, 2);
      seen.addAll(page.json().findValuesAsString("subject"));
      String link = page.header("Link");
      target = link.isEmpty() ? null : link.substring(1, link.indexOf('>'));
    }
    assertThat(seen).isEqualTo(tasks);
    assertThat(server.get("/audit?subject=" + tasks.get(2)).json()).hasSize(1);
    assertThat(server.get("/audit?subject=nothing").json()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"page_size=0", "page_size=1001", "page_size=x", "after=x", "afer=1"})
  void an_invalid_audit_query_is_rejected(String query) throws IOException {
    RawResponse response = node().get("/audit?" + query);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue())
        .isEqualTo(query.split("=", 2)[0]);
  }

  @Test
  void the_oldest_entries_beyond_the_limit_are_deleted() throws IOException {
    Map<dev.perdure.server.config.Setting<?>, String> few = Map.of(Settings.AUDIT_MAX_ENTRIES, "3");
    try (TestServer server = TestServer.in(folder, few)) {
      String task =
          server.post("/task", "{\"kind\": \"mail\"}").json().get(0).get("id").stringValue();
      for (int i = 0; i < 3; i++) {
        server.request("PATCH", "/task/pause/" + task);
        server.request("PATCH", "/task/resume/" + task);
      }
      assertThat(server.get("/audit").json().findValuesAsString("action"))
          .containsExactly("resume", "pause", "resume");
    }
  }

  @Test
  void a_key_in_the_url_or_in_a_cookie_is_ignored() throws IOException {
    TestServer server = node();
    String admin = admin(server);

    assertThat(server.get("/task?key=" + admin).status()).isEqualTo(401);
    assertThat(
            RawHttpClient.request(
                    server.port(), "GET", "/task", "Cookie: key=" + admin, "X-Api-Key: " + admin)
                .status())
        .isEqualTo(401);
  }

  @Test
  void the_assignable_roles_are_read_submit_work_operate_and_admin() {
    assertThat(Role.ASSIGNABLE)
        .extracting(Role::text)
        .containsExactly("read", "submit", "work", "operate", "admin");
  }
}
