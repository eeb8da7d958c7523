// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Login in a browser: the cookie, and the requests that it counts in. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SessionRoutesTest {

  private static final String SAME_ORIGIN = "Sec-Fetch-Site: same-origin";
  private static final String WRITE = "X-Perdure-UI: 1";
  private static final String TASK = "{\"kind\": \"mail\"}";

  private static final String BULK = "{\"action\": \"cancel\", \"filter\": {\"kind\": \"none\"}}";

  private final TestDatabase database;
  private final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);
  @TempDir private Path folder;
  private TestServer server;

  SessionRoutesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    start(Map.of());
  }

  /** Starts a server whose clock moves only when the test moves it. */
  private void start(Map<Setting<?>, String> more) {
    Map<Setting<?>, String> settings = new HashMap<>(more);
    settings.put(Settings.DATABASE_URL, database.url(folder));
    server = TestServer.in(folder, settings, clock::get);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String admin() throws IOException {
    return server
        .post("/key", "{\"name\": \"ops\", \"roles\": [\"admin\"]}")
        .json()
        .get("key")
        .stringValue();
  }

  private RawResponse logIn(String key) throws IOException {
    return server.post("/session", "{\"key\": \"%s\"}".formatted(key));
  }

  /** The header with the cookie of a new session. */
  private String cookieOf(String key) throws IOException {
    RawResponse response = logIn(key);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
    return "Cookie: " + response.header("Set-Cookie").split(";", 2)[0];
  }

  private RawResponse get(String target, String... headers) throws IOException {
    return RawHttpClient.request(server.port(), "GET", target, headers);
  }

  private int submit(String... headers) throws IOException {
    return RawHttpClient.post(server.port(), "/task", TASK, headers).status();
  }

  @Test
  void a_server_without_keys_asks_for_none() throws IOException {
    assertThat(get("/session").json())
        .hasToString("{\"asks\":false,\"who\":\"anyone\",\"roles\":[\"admin\"]}");
    assertThat(logIn("pk_4n9q0a2kx71b_" + "A".repeat(43)).status()).isEqualTo(401);
  }

  @Test
  void a_session_has_the_name_and_the_roles_of_its_key() throws IOException {
    String admin = admin();
    assertThat(get("/session").json()).hasToString("{\"asks\":true,\"who\":null,\"roles\":[]}");
    String key =
        server
            .request(
                admin, "POST", "/key", "{\"name\": \"duty\", \"roles\": [\"submit\", \"operate\"]}")
            .json()
            .get("key")
            .stringValue();

    String cookie = cookieOf(key);

    RawResponse shown = get("/session", cookie, SAME_ORIGIN);
    assertThat(shown.json().get("asks").booleanValue()).isTrue();
    assertThat(shown.json().get("who").stringValue()).isEqualTo("duty");
    assertThat(shown.json().get("roles")).hasToString("[\"submit\",\"operate\"]");
    assertThat(Instant.parse(shown.json().get("expires_at").stringValue()))
        .isBetween(
            Instant.now().plus(Duration.ofHours(12)).minusSeconds(60),
            Instant.now().plus(Duration.ofHours(12)).plusSeconds(60));
    assertThat(get("/task", cookie, SAME_ORIGIN).status()).isEqualTo(200);
    assertThat(submit(cookie, SAME_ORIGIN, WRITE)).isEqualTo(201);
    assertThat(get("/audit", cookie, SAME_ORIGIN).status()).isEqualTo(403);
    assertThat(get("/session", "Authorization: Bearer " + admin).json())
        .hasToString("{\"asks\":true,\"who\":\"ops\",\"roles\":[\"admin\"]}");
  }

  @Test
  void scripts_and_other_sites_cannot_use_the_cookie() throws IOException {
    assertThat(logIn(admin()).header("Set-Cookie"))
        .matches("perdure_session=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/");
  }

  @Test
  void the_cookie_is_sent_over_tls_only_if_clients_use_tls() throws IOException {
    String port = Integer.toString(UnusedPort.next());
    server.close();
    start(Map.of(Settings.PORT, port, Settings.HOST_URL, "HTTPS://localhost:" + port));

    assertThat(logIn(admin()).header("Set-Cookie")).endsWith("; SameSite=Strict; Path=/; Secure");
  }

  @Nested
  class ACookieCounts {

    private String cookie = "";

    @BeforeEach
    void logIn() throws IOException {
      cookie = cookieOf(admin());
    }

    @ParameterizedTest
    @CsvSource({
      "Sec-Fetch-Site: same-origin, 200",
      "Sec-Fetch-Site: none, 401",
      "X-None: 1, 401",
      "Origin: http://localhost:PORT, 200",
      "Origin: http://evil.example, 403",
      "Sec-Fetch-Site: cross-site, 403"
    })
    void only_in_requests_of_own_pages(String header, int status) throws IOException {
      String sent = header.replace("PORT", Integer.toString(server.port()));

      assertThat(get("/task", cookie, sent).status()).isEqualTo(status);
    }

    @Test
    void not_beside_an_origin_if_the_browser_says_that_another_page_sent_it() throws IOException {
      String origin = "Origin: http://localhost:" + server.port();

      assertThat(get("/task", cookie, origin, "Sec-Fetch-Site: none").status()).isEqualTo(401);
    }

    @Test
    void in_writes_only_with_a_header_that_pages_of_other_sites_cannot_send() throws IOException {
      assertThat(submit(cookie, SAME_ORIGIN)).isEqualTo(403);
      assertThat(submit(cookie, SAME_ORIGIN, "X-Perdure-UI: 0")).isEqualTo(403);
      assertThat(submit(cookie, WRITE)).isEqualTo(401);
      assertThat(submit(cookie, SAME_ORIGIN, WRITE)).isEqualTo(201);
      for (String method : List.of("PUT", "PATCH", "DELETE")) {
        RawResponse refused =
            RawHttpClient.request(server.port(), method, "/schedule/x", cookie, SAME_ORIGIN);
        assertThat(refused.status()).as(method).isEqualTo(403);
        assertThat(refused.json().get("detail").stringValue()).contains("X-Perdure-UI: 1");
      }
      assertThat(get("/session", cookie, SAME_ORIGIN).json().get("who").stringValue())
          .isEqualTo("ops");
    }

    @Test
    void if_it_is_the_only_one_of_its_name() throws IOException {
      String token = cookie.substring("Cookie: ".length());

      assertThat(get("/task", "Cookie: a=b; " + token + "; c=d", SAME_ORIGIN).status())
          .isEqualTo(200);
      for (String wrong :
          List.of(
              token + "; perdure_session=x",
              token + "x",
              "x" + token,
              "perdure_session=",
              "perdure_session")) {
        assertThat(get("/task", "Cookie: " + wrong, SAME_ORIGIN).status()).as(wrong).isEqualTo(401);
      }
    }

    @Test
    void less_than_a_key() throws IOException {
      assertThat(get("/task", cookie, SAME_ORIGIN, "Authorization: Bearer x").status())
          .isEqualTo(401);
    }

    @Test
    void until_its_owner_logs_out() throws IOException {
      List<String> headers = new ArrayList<>(List.of(cookie, SAME_ORIGIN));
      assertThat(RawHttpClient.request(server.port(), "DELETE", "/session", headers, "").status())
          .isEqualTo(403);
      assertThat(get("/task", cookie, SAME_ORIGIN).status()).isEqualTo(200);
      headers.add(WRITE);

      RawResponse out = RawHttpClient.request(server.port(), "DELETE", "/session", headers, "");

      assertThat(out.status()).isEqualTo(204);
      assertThat(out.header("Set-Cookie"))
          .isEqualTo("perdure_session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/");
      assertThat(get("/task", cookie, SAME_ORIGIN).status()).isEqualTo(401);
      assertThat(get("/session", cookie, SAME_ORIGIN).json().get("who").isNull()).isTrue();
      assertThat(RawHttpClient.request(server.port(), "DELETE", "/session", headers, "").status())
          .isEqualTo(204);
    }
  }

  @Test
  void a_session_ends_when_its_key_is_revoked() throws IOException {
    String admin = admin();
    String cookie = cookieOf(admin);
    String id = admin.substring(3, 15);
    RawResponse revoked =
        RawHttpClient.request(
            server.port(), "DELETE", "/key/" + id, List.of(cookie, SAME_ORIGIN, WRITE), "");
    assertThat(revoked.status()).as(revoked.body()).isEqualTo(200);

    assertThat(get("/task", cookie, SAME_ORIGIN).status()).isEqualTo(401);
    assertThat(logIn(admin).status()).isEqualTo(401);
  }

  @Test
  void the_audit_log_names_the_key_of_a_session() throws IOException {
    String admin = admin();
    String cookie = cookieOf(admin);
    RawHttpClient.post(server.port(), "/task/bulk", BULK, cookie, SAME_ORIGIN, WRITE);

    assertThat(get("/audit", cookie, SAME_ORIGIN).json().get(0).get("who").stringValue())
        .isEqualTo("ops");
    assertThat(get("/audit", cookie, SAME_ORIGIN).json().get(0).get("key").stringValue())
        .isEqualTo(admin.substring(3, 15));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"key\": null}", "{\"key\": 1}", "{\"key\": \"a\", \"x\": 1}"})
  void a_login_without_a_key_is_invalid(String body) throws IOException {
    assertThat(server.post("/session", body).status()).isEqualTo(400);
  }

  @Test
  void after_ten_wrong_keys_in_a_minute_an_address_must_wait() throws IOException {
    String admin = admin();
    String wrong = admin.substring(0, admin.length() - 3) + "AAA";
    for (int i = 0; i < 10; i++) {
      cookieOf(admin);
      RawResponse refused = logIn(wrong);
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.json().get("detail").stringValue()).isEqualTo("this API key is not valid");
    }
    clock.set(Duration.ofSeconds(15));

    RawResponse late = logIn(admin);

    assertThat(late.status()).isEqualTo(429);
    assertThat(late.header("Retry-After")).isEqualTo("45");
    assertThat(late.header("Set-Cookie")).isEmpty();
    assertThat(get("/task", "Authorization: Bearer " + admin).status()).isEqualTo(200);
    clock.set(Duration.ofSeconds(60));
    cookieOf(admin);
  }
}
