// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.options.ColorScheme;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.browser.Chromium;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.json.JsonMapper;

/** A real server with its dashboard, and a real browser with tabs that look at it. */
final class Dashboard implements AutoCloseable {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final Path folder;
  private final Map<Setting<?>, String> settings;
  private final Chromium chromium;
  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<Tab> tabs = new ArrayList<>();
  private TestServer server;

  private Dashboard(Path folder, Map<Setting<?>, String> settings) {
    this.folder = folder;
    this.settings = settings;
    this.chromium = Chromium.start();
    this.server = TestServer.in(folder, settings);
  }

  static Dashboard open(TestDatabase database, Path folder) throws IOException {
    return open(database, folder, Map.of());
  }

  /** Skips the test with a warning if this build has no dashboard, unless it must have one. */
  static Dashboard open(TestDatabase database, Path folder, Map<Setting<?>, String> more)
      throws IOException {
    Map<Setting<?>, String> settings = new LinkedHashMap<>();
    settings.put(Settings.DATABASE_URL, database.url(folder));
    settings.put(Settings.PORT, Integer.toString(UnusedPort.next()));
    settings.putAll(more);
    Dashboard dashboard = new Dashboard(folder, settings);
    if (dashboard.server.get("/ui/").status() != 200) {
      dashboard.close();
      String warning = "NO DASHBOARD: it is NOT TESTED here. Install Node.js 20.19 or newer";
      assertThat(System.getenv("PERDURE_NODE")).as(warning).isNotEqualTo("required");
      System.err.println("\n*** " + warning + " ***\n");
      Assumptions.abort(warning);
    }
    return dashboard;
  }

  TestServer server() {
    return server;
  }

  /** The origin of the server, as the browser sees it. */
  String origin() {
    return "http://127.0.0.1:" + settings.get(Settings.PORT);
  }

  void stopServer() {
    server.close();
  }

  /** Starts the server again on the same port and database. */
  void startServer() {
    server = TestServer.in(folder, settings);
  }

  /** Creates an API key; the first one must have the role admin. */
  String createKey(String name, String role, String admin) throws IOException {
    String body = "{\"name\": \"%s\", \"roles\": [\"%s\"]}".formatted(name, role);
    RawResponse response =
        admin.isEmpty() ? server.post("/key", body) : server.request(admin, "POST", "/key", body);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("key").stringValue();
  }

  /** Submits one task, given as JSON, and returns its id. */
  String submit(String task) throws IOException {
    RawResponse response = server.post("/task", task);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0).get("id").stringValue();
  }

  static String quoted(String text) {
    return MAPPER.writeValueAsString(text);
  }

  /** A new browser profile, without cookies. */
  BrowserContext newContext(Browser.NewContextOptions options) {
    BrowserContext context = chromium.browser().newContext(options);
    contexts.add(context);
    return context;
  }

  BrowserContext newContext(Viewport viewport, ColorScheme theme) {
    return newContext(
        new Browser.NewContextOptions()
            .setViewportSize(viewport.width(), viewport.height())
            .setColorScheme(theme));
  }

  /** An empty tab in a new profile on a desk. */
  Tab newTab() {
    return newTab(newContext(Viewport.DESK, ColorScheme.LIGHT));
  }

  Tab newTab(BrowserContext context) {
    Tab tab = new Tab(context.newPage(), origin());
    tabs.add(tab);
    return tab;
  }

  /** Fails if anything went wrong in any tab; closes everything. */
  @Override
  public void close() {
    List<String> problems = tabs.stream().flatMap(tab -> tab.problems().stream()).toList();
    contexts.forEach(BrowserContext::close);
    chromium.close();
    server.close();
    assertThat(problems).as("what the browser complained about").isEmpty();
  }
}
