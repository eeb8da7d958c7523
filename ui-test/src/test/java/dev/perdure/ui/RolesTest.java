// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing that a key may not do is drawn, on screens that have something to act on. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class RolesTest {

  private static final String NO_RETRIES =
      "{\"max_retries\": 0, \"backoff\": {\"type\": \"immediate\"}}";

  /** The words and names of every action that changes something. */
  private static final Pattern ACTIONS =
      Pattern.compile(
          "^(Retry(?! pending)|Revive|Cancel|Pause|Resume|Redeliver|Resolve|Mark as succeeded|Move the retry|Delete|Edit"
              + "|Run|Stop|Limits|Spread|New|Create|Replace|Revoke|More actions)\\b");

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private Tab tab;
  private SampleData data;
  private String admin;

  RolesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws IOException {
    dashboard =
        Dashboard.open(
            database,
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                WebhookSettings.DELIVERY_RETRY,
                NO_RETRIES));
    data = SampleData.of(dashboard);
    TestApiClient client = new TestApiClient(dashboard.server());
    client.submit("{\"kind\": \"job\", \"name\": \"dead\"}");
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"card declined\"");
    String canceled =
        client.submit(
            """
            {"kind": "unclaimed", "on_cancel": [{"kind": "Webhook", "params":
              {"url": "http://127.0.0.1:1/hook", "verb": "Post"}}]}""");
    dashboard.server().request("DELETE", "/task/" + canceled);
    admin = dashboard.createKey("ops", "admin", "");
    tab =
        dashboard
            .newTab(dashboard.newContext(Viewport.DESK, ColorScheme.LIGHT))
            .expect("Failed to load resource.*status of 401");
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private void logIn(String role) throws IOException {
    String key = dashboard.createKey("someone", role, admin);
    tab.open("/tasks");
    tab.page().getByLabel("API key").fill(key);
    tab.button("Log in").click();
    tab.showsHeading("Tasks");
    assertThat(tab.link("order 913")).isVisible();
  }

  private Locator actions() {
    Locator main = tab.page().locator("main");
    Locator.GetByRoleOptions named = new Locator.GetByRoleOptions().setName(ACTIONS);
    return main.getByRole(AriaRole.BUTTON, named).or(main.getByRole(AriaRole.LINK, named));
  }

  private Locator checkboxes() {
    return tab.page()
        .locator("main")
        .getByRole(
            AriaRole.CHECKBOX, new Locator.GetByRoleOptions().setName(Pattern.compile("^Select")));
  }

  @Test
  void a_key_that_may_only_read_sees_no_action() throws IOException {
    logIn("read");
    assertThat(checkboxes()).hasCount(0);
    for (Screen screen : Screen.values()) {
      if (screen != Screen.PLAYGROUND) {
        screen.open(tab, data);
        Assertions.assertThat(actions().allTextContents()).as("%s", screen).isEmpty();
      }
    }
    Screen.DEAD.open(tab, data);
    tab.page()
        .getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Newest tasks of card declined"))
        .click();
    assertThat(tab.link("dead")).isVisible();
    assertThat(checkboxes()).hasCount(0);
    tab.open("/dead?tab=deliveries").showsHeading("Dead letters");
    assertThat(tab.page().locator("tbody tr")).hasCount(1);
    assertThat(actions()).hasCount(0);
    assertThat(checkboxes()).hasCount(0);
  }

  @Test
  void a_key_that_may_operate_acts_on_tasks_but_makes_no_keys() throws IOException {
    logIn("operate");
    tab.page().getByLabel("Select order 913").check();
    assertThat(tab.button("Retry…")).isVisible();
    Screen.TASK.open(tab, data);
    assertThat(tab.button("Retry now")).isVisible();
    Screen.RETRIES.open(tab, data);
    assertThat(tab.button("Retry order 913 now")).isVisible();
    Screen.DEAD.open(tab, data);
    assertThat(tab.button("Revive card declined…")).isVisible();
    tab.open("/dead?tab=deliveries");
    assertThat(tab.button("Redeliver to POST http://127.0.0.1:1/hook")).isVisible();
    tab.open("/settings?tab=keys").showsHeading("Settings");
    assertThat(actions()).hasCount(0);
  }
}
