// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What was given up: tasks in groups of the same error, and deliveries. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class DeadLettersTest {

  private static final String NO_RETRIES =
      "{\"max_retries\": 0, \"backoff\": {\"type\": \"immediate\"}}";

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;
  private Tab tab;

  DeadLettersTest(TestDatabase database) {
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
    client = new TestApiClient(dashboard.server());
    tab = dashboard.newTab();
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  /** Tasks that fail with the same error, except for a number in it. */
  private void failTasks(int number) throws IOException {
    for (int i = 1; i <= number; i++) {
      client.submit("{\"kind\": \"job\", \"name\": \"order %d\"}".formatted(i));
      client.settleOne(
          "\"status\": \"Failure\", \"failure_reason\": \"card %d declined\"".formatted(900 + i)
              + ", \"stack\": \"at Cards.charge(Cards.java:42)\"");
    }
  }

  @Test
  void a_group_opens_is_revived_in_part_and_as_a_whole() throws IOException {
    failTasks(3);
    tab.open("/dead").showsHeading("Dead letters").isLive();
    assertThat(tab.text("3 tasks")).isVisible();
    tab.page().getByLabel("group by").selectOption("kind");
    assertThat(tab.page()).hasURL(Pattern.compile("by=kind"));
    tab.page().getByLabel("since").selectOption("1h");
    assertThat(tab.page()).hasURL(Pattern.compile("since=1h"));
    tab.page().getByLabel("group by").selectOption("error");
    assertThat(
            tab.page()
                .getByRole(AriaRole.HEADING)
                .filter(new Locator.FilterOptions().setHasText("declined")))
        .isVisible();

    tab.page().keyboard().press("j");
    tab.page().keyboard().press("Enter");
    assertThat(tab.link("order 1")).isVisible();
    assertThat(tab.page().locator("main")).containsText("card 903 declined");
    tab.button("Stack of the newest").click();
    assertThat(tab.page().locator("main")).containsText(Pattern.compile("Cards.java:42"));
    tab.page().getByLabel("Select order 1").check();
    tab.button("Revive 1 task…").click();
    tab.button("Retry 1 task").click();
    assertThat(tab.text("1 task retried, 0 left alone.")).isVisible();
    tab.button("Close").click();
    assertThat(tab.text("2 tasks")).isVisible();

    tab.page()
        .getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Revive .*…$")))
        .click();
    tab.button("Retry 2 tasks").click();
    assertThat(tab.text("2 tasks retried, 0 left alone.")).isVisible();
    tab.button("Close").click();
    assertThat(tab.text("none left")).isVisible();
  }

  @Test
  void a_dismissed_group_is_shown_again() throws IOException {
    failTasks(1);
    tab.open("/dead").showsHeading("Dead letters");
    tab.page()
        .getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Dismiss card")))
        .click();
    assertThat(tab.text("You have dismissed all groups.")).isVisible();
    tab.page().reload();
    assertThat(tab.text("You have dismissed all groups.")).isVisible();
    tab.button("Show again").click();
    assertThat(tab.text("1 task")).isVisible();
  }

  @Test
  void deliveries_are_sent_again() throws Exception {
    for (int i = 0; i < 2; i++) {
      String id =
          client.submit(
              """
              {"kind": "unclaimed", "on_cancel": [{"kind": "Webhook", "params":
                {"url": "http://127.0.0.1:1/hook", "verb": "Post"}}]}""");
      dashboard.server().request("DELETE", "/task/" + id);
    }
    tab.open("/dead?tab=deliveries").showsHeading("Dead letters").isLive();
    Locator rows = tab.page().locator("tbody tr");
    assertThat(rows).hasCount(2);
    assertThat(rows.first()).containsText("POST http://127.0.0.1:1/hook");

    tab.button("Redeliver to POST http://127.0.0.1:1/hook").first().click();
    assertThat(tab.text("POST http://127.0.0.1:1/hook will be sent again shortly.")).isVisible();
    tab.page().getByLabel("Select POST http://127.0.0.1:1/hook").last().check();
    tab.button("Redeliver 1 delivery…").click();
    tab.button("Redeliver 1 delivery").click();
    assertThat(tab.text("1 delivery will be sent again.")).isVisible();
  }
}
