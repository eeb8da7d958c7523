// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One task: what was tried, what comes, and what can be done. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class TaskPageTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;

  TaskPageTest(TestDatabase database) {
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

  private String failed(String policy) throws IOException {
    String id =
        client.submit(
            """
            {"kind": "job", "name": "order 913", "retry": %s, "payload": {"amount": 1.50},
             "metadata": {"tenant": 7}}"""
                .formatted(policy));
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no answer\"");
    return id;
  }

  private Locator main(Tab tab) {
    return tab.page().locator("main");
  }

  @Test
  void a_waiting_retry_is_moved_paused_resumed_and_started() throws IOException {
    String id = failed(TestApiClient.LATER);
    Tab tab = dashboard.newTab().open("/tasks/" + id).showsHeading("job · order 913").isLive();
    assertThat(main(tab)).containsText("Gives up by");
    tab.button("Retry at…").click();
    tab.page().getByLabel(Pattern.compile("When, in your time zone")).fill("2035-01-01T03:20:30");
    tab.button("Move the retry").click();
    assertThat(tab.page().getByText("The retry of order 913 is now due at 1 Jan 03:20."))
        .isVisible();
    assertThat(main(tab)).containsText(Pattern.compile("next in [\\d,]+ days"));
    tab.button("Pause").click();
    assertThat(tab.text("order 913 is paused.")).isVisible();
    tab.button("Resume").click();
    assertThat(tab.text("order 913 is resumed.")).isVisible();
    assertThat(tab.button("Retry now")).isEnabled();
    tab.page().keyboard().press("r");
    assertThat(tab.text("order 913 is due now.")).isVisible();
    assertThat(main(tab)).containsText("due, waiting for a slot");
    tab.button("Cancel…").click();
    tab.button("Cancel the task").click();
    assertThat(tab.text("order 913 is canceled.")).isVisible();
    assertThat(tab.button("Cancel…")).hasCount(0);
  }

  @Test
  void a_failed_task_is_resolved_and_another_revived() throws IOException {
    String once = "{\"max_retries\": 0, \"backoff\": {\"type\": \"immediate\"}}";
    String first = failed(once);
    String second = failed(once);
    Tab tab = dashboard.newTab().open("/tasks/" + first).showsHeading("job · order 913");
    tab.button("Resolve…").click();
    tab.page().getByLabel(Pattern.compile("^Reason")).fill("imported by hand");
    tab.button("Mark as succeeded").click();
    assertThat(tab.text("order 913 counts as succeeded.")).isVisible();
    assertThat(main(tab)).containsText("Resolved by hand");

    tab.open("/tasks/" + second).showsHeading("job · order 913");
    tab.button("Revive…").click();
    tab.button("Run it again").click();
    assertThat(tab.text("order 913 runs again.")).isVisible();
    assertThat(main(tab)).containsText("due, waiting for a slot");
  }

  @Test
  void contents_are_shown_and_copied_with_exact_numbers() throws IOException {
    String id = failed(TestApiClient.LATER);
    BrowserContext context =
        dashboard.newContext(
            new Browser.NewContextOptions()
                .setPermissions(List.of("clipboard-read", "clipboard-write")));
    Tab tab = dashboard.newTab(context).open("/tasks/" + id).showsHeading("job · order 913");
    assertThat(tab.page().getByLabel("Payload", new Page.GetByLabelOptions().setExact(true)).last())
        .containsText("1.50");
    tab.page().getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName("Metadata")).click();
    assertThat(main(tab)).containsText("\"tenant\": 7");
    for (String[] copy :
        new String[][] {
          {"Copy id", id}, {"Copy as curl", "curl"}, {"Copy as JSON", "\"amount\": 1.50"}
        }) {
      tab.button("More").click();
      tab.page().getByRole(AriaRole.MENUITEM, new Page.GetByRoleOptions().setName(copy[0])).click();
      assertThat(tab.text("Copied.").last()).isVisible();
      // The message may still be that of the copy before.
      tab.page()
          .waitForCondition(
              () ->
                  ((String) tab.page().evaluate("navigator.clipboard.readText()"))
                      .contains(copy[1]));
    }
    tab.link("Open in the playground").click();
    tab.showsHeading("Playground");
    assertThat(tab.page()).hasURL(Pattern.compile("#p="));
  }

  @Test
  void earlier_attempts_are_loaded_when_somebody_wants_them() throws IOException {
    String forever = "{\"max_retries\": 200, \"backoff\": {\"type\": \"immediate\"}}";
    String id = client.submit("{\"kind\": \"job\", \"retry\": %s}".formatted(forever));
    for (int i = 0; i < 105; i++) {
      client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no answer\"");
    }
    Tab tab = dashboard.newTab().open("/tasks/" + id).showsHeading("job");
    assertThat(main(tab)).containsText("5 earlier attempts.");
    assertThat(main(tab)).containsText("100 of 105");
    tab.page().getByLabel("To scale").check();
    tab.button("Show all").click();
    assertThat(tab.button("Show all")).hasCount(0);
    tab.button("Show earlier attempts").click();
    assertThat(main(tab)).not().containsText("earlier attempts.");
    assertThat(main(tab)).containsText("Attempt 1 failed after");
    assertThat(tab.button("Show older attempts")).hasCount(0);
  }
}
