// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Frame;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Web pages in a real browser on the same machine as a server that listens on loopback without
 * keys. A page from another origin can submit, read and settle nothing. The same page from the
 * server's own origin can, which proves that the server stops the others.
 */
@Tag("slow")
class WebPageTest {

  private static final String SECRET = "not-for-you";

  /** Tries everything a page can do; returns what the page learns. */
  private static final String ATTACK =
      """
      async ([base, id, held]) => {
        const learned = [];
        const note = async (name, work) => {
          const late = new Promise(done => setTimeout(() => done('timed out'), 20000));
          try { learned.push(name + ': ' + await Promise.race([work(), late])); }
          catch (e) { learned.push(name + ': ' + e); }
        };
        const ask = (method, path, type, body, mode) => async () => {
          const response = await fetch(base + path,
            {method, mode, body, headers: type ? {'Content-Type': type} : {}});
          return response.type + ' ' + response.status + ' ' + await response.text();
        };
        const task = JSON.stringify({kind: 'planted'});
        const json = 'application/json';
        await note('read', ask('GET', '/task'));
        await note('read one', ask('GET', '/task/' + id));
        await note('read blindly', ask('GET', '/task', null, undefined, 'no-cors'));
        await note('metrics', ask('GET', '/metrics'));
        await note('submit', ask('POST', '/task', json, task));
        await note('submit as text', ask('POST', '/task', 'text/plain', task));
        await note('submit as form',
          ask('POST', '/task', 'application/x-www-form-urlencoded', task));
        await note('submit blindly', ask('POST', '/task', 'text/plain', task, 'no-cors'));
        await note('submit without type', ask('POST', '/task', null, new Blob([task]), 'no-cors'));
        await note('beacon', async () => navigator.sendBeacon(base + '/task', task));
        await note('beacon of json', async () =>
          navigator.sendBeacon(base + '/task', new Blob([task], {type: json})));
        await note('settle', ask('PATCH', '/task/' + held, json, '{"status": "Success"}'));
        await note('pause', ask('PATCH', '/task/pause/' + id));
        await note('count', ask('PUT', '/task/' + id, json, '{"new_success": 1}'));
        await note('cancel', ask('DELETE', '/task/' + id));
        await note('retry', ask('POST', '/task/' + id + '/retry'));
        await note('retry blindly', ask('POST', '/task/' + id + '/retry', null, undefined, 'no-cors'));
        await note('watch', () => new Promise((opened, failed) => {
          const source = new EventSource(base + '/events');
          source.onopen = () => { source.close(); opened('opened'); };
          source.onerror = () => { source.close(); failed('closed'); };
        }));
        await note('script', () => new Promise((loaded, failed) => {
          const script = document.createElement('script');
          script.src = base + '/task';
          script.onload = () => loaded('loaded');
          script.onerror = () => failed('not loaded');
          document.body.append(script);
        }));
        await note('frame', () => new Promise(loaded => {
          const frame = document.createElement('iframe');
          frame.src = base + '/task';
          frame.onload = () => loaded(frame.contentDocument
            ? 'sees ' + frame.contentDocument.documentElement.textContent : 'sees nothing');
          document.body.append(frame);
        }));
        await note('form', () => new Promise(loaded => {
          const frame = document.createElement('iframe');
          frame.name = 'target';
          document.body.append(frame);
          const form = document.createElement('form');
          form.action = base + '/task';
          form.method = 'post';
          form.enctype = 'text/plain';
          form.target = 'target';
          const field = document.createElement('input');
          field.name = '{"kind": "planted", "name": "';
          field.value = '"}';
          form.append(field);
          document.body.append(form);
          frame.onload = () => loaded('sent');
          form.submit();
        }));
        return learned;
      }""";

  private static Chromium chromium;

  @TempDir private Path folder;
  private TestServer server;
  private BrowserContext context;
  private String id;

  /** A task that a worker holds, so that it can be settled. */
  private String held;

  @BeforeAll
  static void openBrowser() {
    chromium = Chromium.start();
  }

  @AfterAll
  static void closeBrowser() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void serve() throws IOException {
    server = TestServer.in(folder);
    context = chromium.browser().newContext();
    id =
        server
            .post("/task", "{\"kind\": \"mail\", \"name\": \"" + SECRET + "\"}")
            .json()
            .get(0)
            .get("id")
            .stringValue();
    TestApiClient client = new TestApiClient(server);
    held = client.submit("{\"kind\": \"job\", \"name\": \"" + SECRET + "\"}");
    assertThat(client.claim(", \"lease\": \"10m\"")).hasSize(1);
  }

  @AfterEach
  void stop() {
    context.close();
    server.close();
  }

  /** Runs the attack from a page of this origin against this address of the server. */
  private List<String> attack(String origin, String base) {
    return attack(open(origin, "<body>hello").mainFrame(), base);
  }

  @SuppressWarnings("unchecked")
  private List<String> attack(Frame frame, String base) {
    return (List<String>) frame.evaluate(ATTACK, List.of(base, id, held));
  }

  private Page open(String origin, String html) {
    Page page = context.newPage();
    String url = origin + "/page";
    page.route(
        url,
        route ->
            route.fulfill(new Route.FulfillOptions().setContentType("text/html").setBody(html)));
    page.navigate(url);
    return page;
  }

  private JsonNode tasks() throws IOException {
    JsonNode tasks = server.get("/task").json();
    assertThat(tasks).hasSize(2);
    return tasks;
  }

  /** Other names and other ports of this machine are other origins. */
  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "http://127.0.0.1:1234", "http://localhost:PORT"})
  void a_page_of_another_origin_can_do_nothing(String origin) throws IOException {
    JsonNode before = tasks();
    String here = origin.replace("PORT", Integer.toString(server.port()));

    assertNothingWasDone(before, attack(here, serverUrl()));
  }

  private void assertNothingWasDone(JsonNode before, List<String> learned) throws IOException {
    assertThat(learned).hasSize(21).noneMatch(line -> line.contains(SECRET));
    assertThat(learned).contains("watch: closed", "frame: sees nothing");
    assertThat(learned)
        .filteredOn(line -> line.startsWith("submit:") || line.startsWith("settle:"))
        .hasSize(2)
        .allMatch(line -> line.endsWith("TypeError: Failed to fetch"));
    assertThat(tasks()).isEqualTo(before);
  }

  private String serverUrl() {
    return "http://127.0.0.1:" + server.port();
  }

  @Test
  void a_page_without_an_origin_can_do_nothing() throws IOException {
    JsonNode before = tasks();
    Page page = context.newPage();
    page.navigate("data:text/html,<body>hello");
    assertThat(page.evaluate("self.origin")).isEqualTo("null");

    assertNothingWasDone(before, attack(page.mainFrame(), serverUrl()));
  }

  /** Not even inside the server's own page: a sandboxed frame has no origin. */
  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "http://127.0.0.1:PORT"})
  void a_sandboxed_frame_can_do_nothing(String origin) throws IOException {
    JsonNode before = tasks();
    Page page =
        open(
            origin.replace("PORT", Integer.toString(server.port())),
            "<iframe sandbox='allow-scripts allow-forms' srcdoc='<body>hello'></iframe>");
    Frame frame = page.mainFrame().childFrames().getFirst();
    frame.waitForLoadState();
    assertThat(frame.evaluate("self.origin")).isEqualTo("null");

    assertNothingWasDone(before, attack(frame, serverUrl()));
  }

  /**
   * DNS rebinding: the page's name now resolves to this machine, so the browser treats the server
   * as the page's own origin. The test serves the page by a route, since neither browser nor server
   * can see that the name has changed.
   */
  @Test
  void a_page_with_a_rebinding_name_can_do_nothing() throws IOException {
    JsonNode before = tasks();
    String rebound = "http://rebound.example:" + server.port();

    List<String> learned = attack(rebound, rebound);

    assertThat(learned).hasSize(21).noneMatch(line -> line.contains(SECRET));
    assertThat(learned)
        .filteredOn(line -> line.matches("(?s)(read|read one|submit|settle|cancel|metrics): .*"))
        .hasSize(6)
        .allMatch(line -> line.contains(": basic 421 "));
    assertThat(learned).contains("watch: closed");
    assertThat(tasks()).isEqualTo(before);
  }

  @Test
  void a_page_of_the_server_itself_can_do_everything() throws IOException {
    List<String> learned = attack(serverUrl(), serverUrl());

    assertThat(learned)
        .anyMatch(line -> line.startsWith("read: basic 200 ") && line.contains(SECRET))
        .anyMatch(line -> line.startsWith("submit: basic 201 "))
        .anyMatch(line -> line.startsWith("settle: basic 200 "))
        .anyMatch(line -> line.startsWith("cancel: basic 200 "))
        .contains("watch: opened");
    assertThat(server.get("/task/" + id).json().get("status").stringValue()).isEqualTo("Paused");
    assertThat(server.get("/task/" + held).json().get("status").stringValue()).isEqualTo("Success");
    assertThat(server.get("/task?kind=planted").json()).isNotEmpty();
  }

  @Test
  void a_link_from_another_site_shows_nothing() throws IOException {
    Page page = linkTo("/task");
    page.waitForResponse(
        response -> response.url().endsWith("/task") && response.status() == 403,
        () -> page.click("a"));

    assertThat(page.content()).doesNotContain(SECRET);
  }

  @Test
  void a_link_from_another_site_opens_the_reference() {
    Page page = linkTo("/docs");
    page.waitForResponse(
        response -> response.url().endsWith("/docs") && response.status() == 200,
        () -> page.click("a"));
    page.waitForLoadState();

    assertThat(page.content()).contains("/task/claim");
  }

  /** A page of another site with a link to this path of the server. */
  private Page linkTo(String path) {
    return open("http://evil.example", "<a href='%s'>look</a>".formatted(serverUrl() + path));
  }
}
