// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.Caller;
import dev.perdure.server.http.HostOriginCheck;
import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.HttpPipeline;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.RouteTable;
import dev.perdure.server.http.jetty.JettyListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard's routes behind a real listener, with files of the test's own. */
class DashboardRoutesTest {

  private static final String SECRET = "not part of the dashboard";
  private static final String SCRIPT = "console.info('the script');".repeat(50);
  private static final String SHELL =
      """
      <meta name="perdure-prefix" content="" />
      <link rel="icon" href="/ui/assets/icon-1a.svg" />
      <script type="module" src="/ui/assets/app-1a.js"></script>
      """;
  private static final String HTML = "Accept: text/html,application/xhtml+xml;q=0.9";

  @TempDir private Path folder;
  private @Nullable JettyListener listener;
  private @Nullable URLClassLoader loader;

  @BeforeEach
  void write() throws IOException {
    file("index.html", SHELL);
    file("assets/app-1a.js", SCRIPT);
    file("assets/app-1a.css", "body { color: red }");
    file("assets/icon-1a.svg", "<svg/>");
    file("robots.txt", "none");
    file(
        "files.txt",
        "index.html\nassets/app-1a.js\nassets/app-1a.css\nassets/icon-1a.svg\nrobots.txt\n");
    Files.writeString(folder.resolve("META-INF/secret.txt"), SECRET);
    Files.writeString(folder.resolve("META-INF/perdure-ui/secret.txt"), SECRET);
  }

  @AfterEach
  void stop() throws IOException {
    if (listener != null) {
      listener.stop(Duration.ofSeconds(1));
    }
    if (loader != null) {
      loader.close();
    }
  }

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve("META-INF/perdure-ui").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Files.write(file.resolveSibling(file.getFileName() + ".gz"), compressed.toByteArray());
  }

  private void serve(String prefix) throws IOException {
    loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null);
    DashboardRoutes routes = new DashboardRoutes(DashboardFiles.load(loader), prefix);
    HttpPipeline pipeline =
        new HttpPipeline(
            new HostOriginCheck(URI.create("http://localhost"), false),
            request -> Caller.UNAUTHENTICATED,
            new RouteTable(routes.routes()),
            (caller, entry) -> {},
            problem -> Optional.empty(),
            new SplittableRandom(1));
    listener =
        JettyListener.start(
            "127.0.0.1",
            0,
            HttpLimits.DEFAULT,
            () -> Duration.ofNanos(System.nanoTime()),
            pipeline);
  }

  private int port() {
    return Objects.requireNonNull(listener).port();
  }

  private RawResponse get(String path, String... headers) throws IOException {
    return RawHttpClient.request(port(), "GET", path, headers);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/ui/", "/ui/tasks", "/ui/tasks/a.b", "/ui/schedules/a%2Fb%20c", "/ui/index.html"})
  void every_address_of_a_page_opens_the_shell(String path) throws IOException {
    serve("");
    RawResponse shell = get(path);

    assertThat(shell.status()).isEqualTo(200);
    assertThat(shell.body()).isEqualTo(SHELL);
    assertThat(shell.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(shell.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(shell.header("Content-Security-Policy"))
        .isEqualTo(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                + " connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
                + " frame-ancestors 'none'; require-trusted-types-for 'script';"
                + " trusted-types perdure");
    assertThat(shell.headers())
        .containsEntry("x-content-type-options", "nosniff")
        .containsEntry("x-frame-options", "DENY")
        .containsEntry("referrer-policy", "no-referrer")
        .containsEntry("cross-origin-resource-policy", "same-origin");
  }

  @ParameterizedTest
  @CsvSource({
    "assets/app-1a.js, text/javascript; charset=utf-8",
    "assets/app-1a.css, text/css; charset=utf-8",
    "assets/icon-1a.svg, image/svg+xml"
  })
  void files_with_hashed_names_are_kept_for_ever(String path, String type) throws IOException {
    serve("");
    RawResponse file = get("/ui/" + path);

    assertThat(file.status()).isEqualTo(200);
    assertThat(file.header("Content-Type")).isEqualTo(type);
    assertThat(file.header("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    assertThat(file.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(file.header("Content-Encoding")).isEmpty();
    assertThat(file.headers()).containsEntry("x-content-type-options", "nosniff");
  }

  @Test
  void other_files_are_checked_again() throws IOException {
    serve("");

    assertThat(get("/ui/robots.txt").body()).isEqualTo("none");
    assertThat(get("/ui/robots.txt").header("Cache-Control")).isEqualTo("no-cache");
  }

  @Test
  void sends_the_compressed_file_to_clients_that_accept_it() throws IOException {
    serve("");
    RawResponse plain = get("/ui/assets/app-1a.js", "Accept-Encoding: gzip;q=0, br");
    RawResponse gzip = get("/ui/assets/app-1a.js", "Accept-Encoding: br, gzip");

    assertThat(plain.body()).isEqualTo(SCRIPT);
    assertThat(gzip.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(gzip.header("Vary")).isEqualTo("Accept-Encoding");
    long compressed = Files.size(folder.resolve("META-INF/perdure-ui/assets/app-1a.js.gz"));
    assertThat(gzip.header("Content-Length")).isEqualTo(Long.toString(compressed));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ui/", "/ui/assets/app-1a.js"})
  void answers_head_without_a_body(String path) throws IOException {
    serve("");
    try (RawHttpClient http = RawHttpClient.to(port())) {
      http.send("HEAD %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path));
      String answer = http.readToEnd();

      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
      assertThat(answer).contains("Content-Length: " + get(path).header("Content-Length"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"assets/", "assets/app-2b.js", "assets/x", "assets/app-1a.js.gz"})
  void a_missing_file_is_a_404(String path) throws IOException {
    serve("");
    RawResponse missing = get("/ui/" + path);

    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(missing.header("Cache-Control")).isEqualTo("no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/secret.txt",
        "/ui/files.txt",
        "/ui/../secret.txt",
        "/ui/../META-INF/secret.txt",
        "/ui/assets/../../secret.txt",
        "/ui/%2e%2e/secret.txt",
        "/ui/%2e%2e%2fsecret.txt",
        "/ui/..%2fsecret.txt",
        "/ui/%252e%252e%252fsecret.txt",
        "/ui/..\\secret.txt",
        "/ui/..%5csecret.txt",
        "/ui/assets%2f..%2f..%2fsecret.txt",
        "/ui//META-INF/secret.txt",
        "/ui/%2fetc%2fpasswd",
        "/ui//etc/passwd",
        "/ui/..;/secret.txt",
        "/ui/..;a=b/secret.txt",
        "/ui/secret.txt%00",
        "/ui/secret.txt%00.js",
        "/ui/assets/..%c0%afsecret.txt",
        "/ui/file:///etc/passwd"
      })
  void nothing_outside_the_list_can_be_read(String path) throws IOException {
    serve("");
    RawResponse response = get(path, HTML);

    assertThat(response.body()).doesNotContain(SECRET, "root:");
    if (response.status() == 200) {
      assertThat(response.body()).isEqualTo(SHELL);
    } else {
      assertThat(response.status()).isIn(400, 404);
      assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
    }
  }

  @Test
  void the_root_leads_people_to_the_dashboard_and_programs_to_the_reference() throws IOException {
    serve("");

    assertThat(get("/", HTML).status()).isEqualTo(303);
    assertThat(get("/", HTML).header("Location")).isEqualTo("/ui/");
    assertThat(get("/", HTML).header("Vary")).isEqualTo("Accept");
    assertThat(get("/").header("Location")).isEqualTo("/docs");
    assertThat(get("/", "Accept: */*").header("Location")).isEqualTo("/docs");
    assertThat(get("/", "Accept: application/json").header("Location")).isEqualTo("/docs");
    assertThat(get("/ui").status()).isEqualTo(303);
    assertThat(get("/ui").header("Location")).isEqualTo("/ui/");
  }

  @Test
  void the_shell_names_its_files_with_the_prefix_of_the_proxy() throws IOException {
    serve("/a/jobs");

    assertThat(get("/ui/tasks").body())
        .contains(
            "<meta name=\"perdure-prefix\" content=\"/a/jobs\" />",
            "href=\"/a/jobs/ui/assets/icon-1a.svg\"",
            "src=\"/a/jobs/ui/assets/app-1a.js\"")
        .doesNotContain("\"/ui/");
    assertThat(get("/", HTML).header("Location")).isEqualTo("/a/jobs/ui/");
    assertThat(get("/").header("Location")).isEqualTo("/a/jobs/docs");
    assertThat(get("/ui").header("Location")).isEqualTo("/a/jobs/ui/");
  }

  @Test
  void a_build_without_the_files_says_how_to_get_them() throws IOException {
    Files.delete(folder.resolve("META-INF/perdure-ui/files.txt"));
    serve("");
    RawResponse page = get("/ui/", HTML);

    assertThat(page.status()).isEqualTo(404);
    assertThat(page.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(page.body()).contains("This build has no dashboard", "Node.js 20.19", "-DskipUi");
    assertThat(get("/ui/tasks").json().get("detail").stringValue()).contains("no dashboard");
    assertThat(get("/", HTML).header("Location")).isEqualTo("/docs");
  }
}
