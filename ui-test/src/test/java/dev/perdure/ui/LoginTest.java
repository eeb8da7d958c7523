// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logging in and out, and what people with fewer rights see. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class LoginTest {

  /** The browser itself reports refused requests. */
  private static final String REFUSED = "Failed to load resource.*status of 4(01|03|29)";

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private BrowserContext context;
  private Tab tab;
  private String admin;

  LoginTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws IOException {
    dashboard = Dashboard.open(database, folder);
    dashboard.submit("{\"kind\": \"mail\", \"name\": \"one\"}");
    admin = dashboard.createKey("ops", "admin", "");
    context = dashboard.newContext(Viewport.DESK, ColorScheme.LIGHT);
    Axe.install(context);
    tab = dashboard.newTab(context);
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private void logIn(String key) {
    tab.page().getByLabel("API key").fill(key);
    tab.button("Log in").click();
  }

  @Test
  void a_key_opens_the_page_that_was_asked_for() {
    tab.open("/tasks?kind=mail#x");
    assertThat(tab.page()).hasURL(Pattern.compile("/ui/login\\?from="));
    logIn("  " + admin + " ");

    assertThat(tab.link("one")).isVisible();
    assertThat(tab.page()).hasURL(dashboard.origin() + "/ui/tasks?kind=mail#x");
    tab.isLive();
    Assertions.assertThat(context.cookies())
        .singleElement()
        .matches(cookie -> cookie.httpOnly && cookie.path.equals("/") && !cookie.secure)
        .extracting((Cookie cookie) -> cookie.sameSite.toString())
        .isEqualTo("STRICT");
    tab.page().reload();
    assertThat(tab.link("one")).isVisible();
  }

  @Test
  void the_menu_says_who_is_logged_in_and_logs_out() throws IOException {
    tab.open("/tasks");
    logIn(dashboard.createKey("on-call", "operate", admin));
    tab.showsHeading("Tasks");
    tab.button("on-call").click();

    assertThat(tab.text("Roles: operate")).isVisible();
    Axe.check(tab.page());
    tab.button("Log out").click();
    assertThat(tab.text("You were logged out.")).isVisible();
    assertThat(tab.link("one")).hasCount(0);
    tab.page().reload();
    assertThat(tab.page().getByLabel("API key")).isVisible();
  }

  @Test
  void says_so_if_it_could_not_log_out() {
    tab.expect("Failed to load resource|ERR_|/events").open("/tasks");
    logIn(admin);
    tab.showsHeading("Tasks").isLive();
    dashboard.stopServer();
    tab.button("ops").click();
    tab.button("Log out").click();

    assertThat(tab.page().getByText("You are still logged in. The server does not answer."))
        .isVisible();
    dashboard.startServer();
    tab.button("Log out").click();
    assertThat(tab.text("You were logged out.")).isVisible();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pk_wrong", "x", "\u202E👩‍👩‍👧‍👦 <b>"})
  void a_wrong_key_is_refused_without_a_reason(String key) {
    tab.expect(REFUSED).open("/");
    logIn(key);

    assertThat(tab.page().getByRole(AriaRole.ALERT)).hasText("This key does not work.");
    logIn(admin);
    Screen.showsOverview(tab);
  }

  @Test
  void after_many_wrong_keys_it_says_when_to_try_again() {
    tab.expect(REFUSED).open("/");
    var alert = tab.page().getByRole(AriaRole.ALERT);
    for (int i = 0; i < 10; i++) {
      tab.page().waitForResponse("**/session", () -> logIn("pk_wrong"));
      assertThat(tab.button("Log in")).isEnabled();
    }
    logIn("pk_wrong");

    assertThat(alert).hasText(Pattern.compile("Too many wrong keys. Try again in [1-9]\\d* s."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F..%2Ftask"})
  void the_login_never_leads_to_another_site(String from) {
    tab.open("/login?from=" + from);
    logIn(admin);

    assertThat(tab.page()).hasURL(Pattern.compile("^" + dashboard.origin() + "/ui/"));
    assertThat(tab.page().getByLabel("API key")).hasCount(0);
  }

  @Test
  void a_revoked_key_ends_the_session_while_watched() throws IOException {
    tab.expect(REFUSED).open("/tasks");
    String key = dashboard.createKey("temp", "read", admin);
    logIn(key);
    assertThat(tab.link("one")).isVisible();
    String id = keyId("temp");

    Assertions.assertThat(dashboard.server().request(admin, "DELETE", "/key/" + id, "").status())
        .isIn(200, 204);

    assertThat(tab.text("You were logged out.")).isVisible();
    assertThat(tab.link("one")).hasCount(0);
    tab.link("Log in").click();
    logIn(admin);
    assertThat(tab.link("one")).isVisible();
    assertThat(tab.page()).hasURL(dashboard.origin() + "/ui/tasks");
  }

  private String keyId(String name) throws IOException {
    return dashboard
        .server()
        .request(admin, "GET", "/key", "")
        .json()
        .valueStream()
        .filter(key -> key.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow()
        .get("id")
        .stringValue();
  }

  /** The words of every action that changes something. */
  @Test
  void a_key_that_may_only_read_sees_no_action() throws IOException {
    SampleData data = new SampleData(taskId(), "mail · one", taskId(), "none", "none");
    tab.open("/tasks");
    logIn(dashboard.createKey("reader", "read", admin));
    tab.showsHeading("Tasks");
    Pattern actions =
        Pattern.compile("^(Retry|Cancel|Pause|Resume|Redeliver|Resolve|Delete|Run)( now)?…?$");
    for (Screen screen : List.of(Screen.OVERVIEW, Screen.TASKS, Screen.TASK, Screen.RETRIES)) {
      screen.open(tab, data);
      assertThat(
              tab.page()
                  .locator("main button")
                  .filter(new Locator.FilterOptions().setHasText(actions)))
          .hasCount(0);
    }
  }

  private String taskId() throws IOException {
    return dashboard
        .server()
        .request(admin, "GET", "/task", "")
        .json()
        .get(0)
        .get("id")
        .stringValue();
  }

  @Test
  void the_login_page_is_accessible() {
    for (Viewport viewport : Viewport.values()) {
      for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        BrowserContext other = dashboard.newContext(viewport, theme);
        Axe.install(other);
        Tab login = dashboard.newTab(other).open("/login");
        assertThat(login.page().getByLabel("API key")).isFocused();
        Screenshots.write(login.page(), "login", viewport, theme);
        Axe.check(login.page());
      }
    }
  }
}
