// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening the dashboard, following tasks in it, and everything that can go wrong around it. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ShellTest {

  private static final String SOON =
      """
      {"max_retries": 3, "backoff": {"type": "fixed", "delay": "5s"}, "jitter": "none"}""";

  /** The clock of a laptop that is ten minutes ahead. */
  private static final String WRONG_CLOCK =
      """
      const Real = Date;
      globalThis.Date = class extends Real {
        constructor(...args) { args.length === 0 ? super(Real.now() + 600_000) : super(...args); }
        static now() { return Real.now() + 600_000; }
      };""";

  /** What a browser does with a tab that another one covers. */
  private static final String HIDE =
      """
      () => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;

  ShellTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws IOException {
    dashboard = Dashboard.open(database, folder);
    client = new TestApiClient(dashboard.server());
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  @Test
  void the_address_of_the_server_opens_the_dashboard() {
    Tab tab = dashboard.newTab();
    tab.page().navigate(dashboard.origin());

    Screen.showsOverview(tab).isLive();
    assertThat(tab.page()).hasURL(dashboard.origin() + "/ui/");
    tab.link("Tasks").click();
    tab.showsHeading("Tasks");
    assertThat(tab.page()).hasTitle("Tasks · Perdure");
  }

  @Test
  void a_link_with_filters_shows_the_same_again_after_a_reload() throws IOException {
    client.submit("{\"kind\": \"mail\", \"name\": \"one\"}");
    client.submit("{\"kind\": \"charge\", \"name\": \"other\"}");
    Tab tab = dashboard.newTab().open("/tasks?kind=mail");

    assertThat(tab.link("one")).isVisible();
    assertThat(tab.link("other")).hasCount(0);
    tab.page().reload();
    assertThat(tab.link("one")).isVisible();
    assertThat(tab.link("other")).hasCount(0);
  }

  @Test
  void an_unknown_address_says_so() {
    Tab tab = dashboard.newTab().open("/nowhere");

    assertThat(tab.text("There is no such page.")).isVisible();
  }

  @Test
  void new_tasks_are_announced() throws IOException {
    client.submit("{\"kind\": \"mail\", \"name\": \"first\"}");
    Tab tab = dashboard.newTab().open("/tasks").isLive();
    assertThat(tab.link("first")).isVisible();

    client.submit("{\"kind\": \"mail\", \"name\": \"second\"}");

    tab.button("↑ 1 new").click();
    assertThat(tab.link("second")).isVisible();
  }

  @Test
  void a_task_fails_counts_down_retries_and_succeeds_while_watched() throws IOException {
    String id = client.submitJob(SOON);
    Tab tab = dashboard.newTab().open("/tasks/" + id).showsHeading("job").isLive();
    assertThat(tab.text("Pending").first()).isVisible();

    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"the disk is full\"");
    assertThat(tab.text("Retry pending").first()).isVisible();
    assertThat(tab.page().locator("main")).containsText("the disk is full");
    assertThat(tab.page().locator("main")).containsText(Pattern.compile("next in [1-5] s"));
    assertThat(tab.page().locator("main")).containsText(Pattern.compile("next in [12] s"));

    client.settleOne("\"status\": \"Success\"");
    assertThat(tab.text("Success").first()).isVisible();
    assertThat(tab.page().locator("main")).not().containsText("next in");
  }

  @Test
  void a_wrong_clock_of_the_browser_does_not_matter() throws IOException {
    String id = client.submitJob(TestApiClient.LATER);
    client.settleOne("\"status\": \"Failure\"");
    Tab tab = dashboard.newTab();
    tab.page().addInitScript(WRONG_CLOCK);
    tab.open("/tasks/" + id).showsHeading("job");

    assertThat(tab.page().locator("main"))
        .containsText(Pattern.compile("next in (59 min|60 min|1 h)"));
  }

  @Test
  void follows_the_server_through_a_restart() throws IOException {
    client.submit("{\"kind\": \"mail\", \"name\": \"before\"}");
    Tab tab = dashboard.newTab().expect("Failed to load resource|ERR_|/events");
    tab.open("/tasks").isLive();
    assertThat(tab.link("before")).isVisible();

    dashboard.stopServer();
    assertThat(tab.page().getByText("No answer since")).isVisible();
    assertThat(tab.link("before")).isVisible();
    dashboard.startServer();

    tab.isLive();
    new TestApiClient(dashboard.server()).submit("{\"kind\": \"mail\", \"name\": \"after\"}");
    tab.button("↑ 1 new").click();
    assertThat(tab.link("after")).isVisible();
  }

  /**
   * A browser opens six connections to a server; a stream in each hidden tab would take them all.
   */
  @Test
  void seven_tabs_work_at_the_same_time() throws IOException {
    client.submit("{\"kind\": \"mail\", \"name\": \"one\"}");
    var context = dashboard.newContext(Viewport.DESK, ColorScheme.DARK);
    List<Tab> tabs = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      tabs.forEach(tab -> tab.page().evaluate(HIDE));
      Tab tab = dashboard.newTab(context).open("/tasks").isLive();
      assertThat(tab.link("one")).isVisible();
      tabs.add(tab);
    }
  }

  @Test
  void a_link_on_another_site_opens_the_page() throws IOException {
    String id = client.submit("{\"kind\": \"mail\", \"name\": \"one\"}");
    Page page = dashboard.newContext(new Browser.NewContextOptions()).newPage();
    page.route(
        "http://chat.example/",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("text/html")
                    .setBody(
                        "<a href='%s/ui/tasks/%s'>look</a>".formatted(dashboard.origin(), id))));
    page.navigate("http://chat.example/");
    page.click("a");

    assertThat(page.locator("h1")).hasText("mail · one");
  }
}
