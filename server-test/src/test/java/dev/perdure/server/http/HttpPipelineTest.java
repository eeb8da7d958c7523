// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated
class HttpPipelineTest {

  private static final TestListener LISTENER = new TestListener();
  private static final int PORT = LISTENER.port();

  @AfterAll
  static void stop() {
    LISTENER.close();
  }

  private static void assertProblem(RawResponse response, int status, String detail) {
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.json().get("type").stringValue()).isEqualTo("about:blank");
    assertThat(response.json().get("title").stringValue()).isNotBlank().isNotEqualTo("Error");
    assertThat(response.json().get("status").intValue()).isEqualTo(status);
    assertThat(response.json().get("detail").stringValue()).contains(detail);
  }

  @Nested
  class Errors {

    @Test
    void are_problem_documents() throws IOException {
      assertProblem(
          RawHttpClient.request(PORT, "GET", "/nowhere"), 404, "no resource at '/nowhere'");
      assertProblem(RawHttpClient.request(PORT, "PUT", "/fine"), 405, "supports GET, not PUT");
      assertProblem(RawHttpClient.post(PORT, "/json", "{"), 400, "not JSON at line 1, column 2");
      assertProblem(RawHttpClient.request(PORT, "POST", "/json"), 400, "the body is empty");
      assertProblem(RawHttpClient.request(PORT, "GET", "/fine?a=%zz"), 400, "percent-encoded");
      assertProblem(RawHttpClient.request(PORT, "GET", "/fine?a=1&a=2"), 400, "a: appears twice");
    }

    @Test
    void list_the_allowed_methods() throws IOException {
      assertThat(RawHttpClient.request(PORT, "PUT", "/fine").header("Allow"))
          .isEqualTo("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{} {}", "[1,]", "nul", "\"\u0001\""})
    void report_invalid_json(String body) throws IOException {
      assertProblem(RawHttpClient.post(PORT, "/json", body), 400, "not JSON");
    }

    @Test
    void report_json_that_is_too_deep_or_has_too_many_digits() throws IOException {
      assertProblem(
          RawHttpClient.post(PORT, "/json", "[".repeat(100_000)), 400, "deeper than 100 levels");
      assertProblem(
          RawHttpClient.post(PORT, "/json", "1".repeat(1_000)), 400, "more than 100 digits");
    }

    @ParameterizedTest
    @CsvSource({"/broken, a secret detail", "/deep, java.lang.StackOverflowError"})
    void inside_the_server_are_logged_with_an_id_and_shown_without_their_cause(
        String path, String cause) throws IOException {
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      RawResponse response = logged(log, path);

      assertProblem(response, 500, "its log has the details");
      assertThat(response.body())
          .doesNotContain("secret", "Exception", "StackOverflow", "dev.perdure");
      String id = response.json().get("instance").stringValue().replace("urn:perdure:error:", "");
      assertThat(id).matches("[0-9a-f]{16}");
      assertThat(log.toString(StandardCharsets.UTF_8))
          .contains(id, "GET " + path, cause, "at dev.perdure");
    }

    @Test
    void inside_the_server_are_logged_without_keys_and_tokens() throws IOException {
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      logged(log, "/broken/pk_4n9q0a2kx71b_" + "A".repeat(43));
      logged(log, "/broken/ph1.1.7." + "A".repeat(43));

      assertThat(log.toString(StandardCharsets.UTF_8))
          .contains("GET /broken/pk_4n9q0a2kx71b_…", "GET /broken/ph1.1.7.…")
          .doesNotContain("AAAA");
    }

    private RawResponse logged(ByteArrayOutputStream log, String path) throws IOException {
      PrintStream before = System.err;
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      try {
        return RawHttpClient.request(PORT, "GET", path);
      } finally {
        System.setErr(before);
      }
    }
  }

  @Nested
  class Bodies {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "application/json",
          "application/json; charset=utf-8",
          "Application/JSON;charset=\"UTF-8\""
        })
    void may_be_json(String type) throws IOException {
      RawResponse response =
          RawHttpClient.post(PORT, "/json", "{\"é\":1.10}", "Content-Type: " + type);

      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("{\"é\":1.10}\n");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "text/plain; application/json",
          "application/json; charset=utf-16",
          "application/jsonp"
        })
    void of_other_types_are_refused(String type) throws IOException {
      assertProblem(
          RawHttpClient.post(PORT, "/json", "{}", "Content-Type: " + type),
          415,
          "application/json");
      assertProblem(
          RawHttpClient.request(PORT, "POST", "/json", "Content-Type: " + type),
          415,
          "Content-Type");
    }

    @Test
    void without_a_type_or_with_an_encoding_are_refused() throws IOException {
      try (RawHttpClient http = RawHttpClient.to(PORT)) {
        http.send("POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        assertProblem(http.readResponse(), 415, "the header is missing");
      }
      assertProblem(
          RawHttpClient.post(PORT, "/json", "{}", "Content-Encoding: gzip"),
          415,
          "Content-Encoding");
    }
  }

  @Nested
  class WebPages {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "localhost",
          "localhost:1",
          "LOCALHOST",
          "127.0.0.1:8085",
          "[::1]:8085",
          "tasks.example.org",
          "tasks.example.org:443"
        })
    void reach_the_server_by_its_own_host_names(String host) throws IOException {
      assertThat(RawHttpClient.request(PORT, "GET", "/fine", "Host: " + host).status())
          .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "evil.example",
          "127.0.0.1.evil.example",
          "localhost.evil.example",
          "localhost.",
          "10.0.0.1",
          "0.0.0.0",
          "127.0.0.1:8085:1",
          "localhost@evil.example",
          "[::ffff:10.0.0.1]"
        })
    void do_not_reach_the_server_by_other_host_names(String host) throws IOException {
      RawResponse response = RawHttpClient.request(PORT, "GET", "/fine", "Host: " + host);

      assertThat(response.status()).isIn(400, 421);
      assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void reach_a_server_beyond_loopback_by_address_but_not_by_other_names() throws IOException {
      try (TestListener listener =
          new TestListener(HttpLimits.DEFAULT, URI.create("http://a.b"), true)) {
        assertThat(
                RawHttpClient.request(listener.port(), "GET", "/fine", "Host: 10.0.0.1:80")
                    .status())
            .isEqualTo(200);
        assertThat(
                RawHttpClient.request(listener.port(), "GET", "/fine", "Host: evil.example")
                    .status())
            .isEqualTo(421);
      }
    }

    @ParameterizedTest
    @CsvSource({
      "Origin: http://localhost:8085, 200",
      "Origin: https://tasks.example.org:8443, 200",
      "Origin: http://localhost:3000, 403",
      "Origin: https://localhost:8085, 403",
      "Origin: http://evil.example, 403",
      "Origin: http://localhost:8085.evil.example, 403",
      "Origin: null, 403",
      "Sec-Fetch-Site: same-origin, 200",
      "Sec-Fetch-Site: none, 200",
      "Sec-Fetch-Site: same-site, 403",
      "Sec-Fetch-Site: cross-site, 403"
    })
    void of_other_sites_are_refused(String header, int status) throws IOException {
      assertThat(
              RawHttpClient.request(PORT, "GET", "/fine", "Host: localhost:8085", header).status())
          .isEqualTo(status);
      assertThat(
              RawHttpClient.request(PORT, "POST", "/length", "Host: localhost:8085", header)
                  .status())
          .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
      "https://tasks.example.org:443, https://tasks.example.org, 200",
      "https://tasks.example.org, https://tasks.example.org, 200",
      "HTTPS://ann:s3cret@tasks.example.org:443/x, https://tasks.example.org, 200",
      "http://tasks.example.org:80, http://tasks.example.org, 200",
      "http://tasks.example.org:443, http://tasks.example.org, 403",
      "https://tasks.example.org:443, https://tasks.example.org:8443, 403",
      "https://tasks.example.org:8443, https://tasks.example.org, 403"
    })
    void are_recognised_by_the_origin_that_browsers_send(String hostUrl, String origin, int status)
        throws IOException {
      try (TestListener listener =
          new TestListener(HttpLimits.DEFAULT, URI.create(hostUrl), false)) {
        String from = "Origin: " + origin;
        assertThat(
                RawHttpClient.request(
                        listener.port(), "GET", "/fine", "Host: tasks.example.org:1", from)
                    .status())
            .isEqualTo(status);
      }
    }

    /** The listener has no such pages: a 404 shows that the request came through. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/docs", "/docs?q=retry", "/ui", "/ui/", "/ui/task/7?tab=log"})
    void may_be_opened_by_links_on_other_sites(String page) throws IOException {
      assertThat(linked("GET", page, "cross-site", "navigate", "document")).isEqualTo(404);
      assertThat(linked("GET", page, "same-site", "navigate", "document")).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
      "GET, /fine, navigate, document",
      "GET, /uix, navigate, document",
      "GET, /docs/, navigate, document",
      "GET, /ui/../fine, navigate, document",
      "GET, /ui/%2e%2e/fine, navigate, document",
      "GET, //ui, navigate, document",
      "HEAD, /docs, navigate, document",
      "POST, /docs, navigate, document",
      "DELETE, /ui/task, navigate, document",
      "GET, /docs, navigate, iframe",
      "GET, /docs, navigate, embed",
      "GET, /docs, no-cors, document",
      "GET, /docs, no-cors, script",
      "GET, /docs, cors, empty",
      "GET, /docs, same-origin, document",
      "GET, /docs, ,",
    })
    void are_otherwise_closed_to_other_sites(
        String method, String path, @Nullable String mode, @Nullable String destination)
        throws IOException {
      assertThat(linked(method, path, "cross-site", mode, destination)).isIn(400, 403);
      assertThat(linked(method, path, "same-site", mode, destination)).isIn(400, 403);
    }

    @Test
    void are_closed_to_links_that_say_two_things_or_come_with_another_origin() throws IOException {
      for (String more :
          List.of(
              "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: iframe", "Origin: http://evil.example")) {
        assertThat(
                RawHttpClient.request(
                        PORT,
                        "GET",
                        "/docs",
                        "Sec-Fetch-Site: cross-site",
                        "Sec-Fetch-Mode: navigate",
                        "Sec-Fetch-Dest: document",
                        more)
                    .status())
            .as(more)
            .isEqualTo(403);
      }
    }

    private int linked(
        String method,
        String target,
        String site,
        @Nullable String mode,
        @Nullable String destination)
        throws IOException {
      List<String> headers = new ArrayList<>(List.of("Sec-Fetch-Site: " + site));
      if (mode != null) {
        headers.add("Sec-Fetch-Mode: " + mode);
      }
      if (destination != null) {
        headers.add("Sec-Fetch-Dest: " + destination);
      }
      try (RawHttpClient http = RawHttpClient.to(PORT)) {
        String head = method + " " + target + " HTTP/1.1\r\n" + TestListener.HOST;
        http.send(head + String.join("\r\n", headers) + "\r\nConnection: close\r\n\r\n");
        return http.readResponseTo(method).status();
      }
    }

    @Test
    void of_other_origins_get_no_cors_permission() throws IOException {
      RawResponse response =
          RawHttpClient.request(
              PORT,
              "OPTIONS",
              "/length",
              "Origin: http://x.y",
              "Access-Control-Request-Method: POST");

      assertThat(response.status()).isEqualTo(403);
      assertThat(response.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fine", "/nowhere", "/broken", "/%zz"})
    void get_restrictive_security_headers(String path) throws IOException {
      RawResponse response = RawHttpClient.request(PORT, "GET", path);

      assertThat(response.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(response.header("Content-Security-Policy")).startsWith("default-src 'none'");
      assertThat(response.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
      assertThat(response.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(response.header("X-Frame-Options")).isEqualTo("DENY");
      assertThat(response.header("Cache-Control")).isEqualTo("no-store");
      assertThat(response.header("Server")).isEmpty();
    }
  }
}
