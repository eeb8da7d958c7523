// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Finding tasks, and acting on one, some or all that match. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class TasksPageTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;

  TasksPageTest(TestDatabase database) {
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

  /** Submits tasks with the names "mail 1" and so on. */
  private void submitMails(int number) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int i = 1; i <= number; i++) {
      body.append(body.isEmpty() ? "[" : ", ")
          .append(
              "{\"kind\": \"mail\", \"name\": \"mail %d\", \"metadata\": {\"n\": %d}}"
                  .formatted(i, i));
    }
    dashboard.server().post("/task", body + "]");
  }

  private Locator bar(Tab tab) {
    return tab.page()
        .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Selected tasks"));
  }

  private Locator barButton(Tab tab, String name) {
    return bar(tab)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private static void addFilter(Tab tab, String field, String value) {
    tab.page().keyboard().press("f");
    tab.page().getByLabel("Field", new Page.GetByLabelOptions().setExact(true)).selectOption(field);
    Locator input = tab.page().getByLabel("Value", new Page.GetByLabelOptions().setExact(true));
    if (field.equals("status")) {
      input.selectOption(value);
    } else {
      input.fill(value);
    }
    tab.button("Add").click();
  }

  @Test
  void filters_narrow_the_list_and_are_cleared() throws IOException {
    submitMails(3);
    client.submit("{\"kind\": \"charge\", \"name\": \"order 913\"}");
    Tab tab = dashboard.newTab().open("/tasks").isLive();
    assertThat(tab.link("order 913")).isVisible();

    addFilter(tab, "status", "Pending");
    addFilter(tab, "kind", "=mail");
    assertThat(tab.link("mail 1")).isVisible();
    assertThat(tab.link("order 913")).hasCount(0);
    assertThat(tab.link("Pending 3")).isVisible();
    tab.page().keyboard().press("f");
    tab.page()
        .getByLabel("Field", new Page.GetByLabelOptions().setExact(true))
        .selectOption("metadata");
    tab.page().getByLabel("Metadata field").fill("n");
    tab.page().getByLabel("Value", new Page.GetByLabelOptions().setExact(true)).fill("2");
    tab.button("Add").click();
    assertThat(tab.link("mail 2")).isVisible();
    assertThat(tab.link("mail 1")).hasCount(0);

    tab.button("Remove filter n: 2").click();
    assertThat(tab.link("mail 1")).isVisible();
    tab.button("Clear").click();
    assertThat(tab.link("order 913")).isVisible();
    tab.page().keyboard().press("/");
    tab.page().keyboard().type("kind:charge 913");
    tab.page().keyboard().press("Enter");
    assertThat(tab.page()).hasURL(Pattern.compile("kind=charge&q=913"));
    assertThat(tab.link("order 913")).isVisible();
    assertThat(tab.link("mail 1")).hasCount(0);
  }

  private static Locator firstName(Tab tab) {
    return tab.page().locator("tbody tr").first().getByRole(AriaRole.LINK).first();
  }

  @Test
  void order_and_columns_are_in_the_address() throws IOException {
    submitMails(60);
    Tab tab = dashboard.newTab().open("/tasks").isLive();
    tab.link("Older ›").click();
    assertThat(tab.link("‹ Newest")).isVisible();
    tab.page().getByLabel("Sort").selectOption("created_at");
    assertThat(firstName(tab)).hasText("mail 1");
    tab.button("Columns").click();
    tab.page()
        .getByRole(AriaRole.MENUITEMCHECKBOX, new Page.GetByRoleOptions().setName("Batch"))
        .click();
    tab.page().keyboard().press("Escape");
    assertThat(
            tab.page()
                .getByRole(AriaRole.COLUMNHEADER, new Page.GetByRoleOptions().setName("Batch")))
        .isVisible();
    tab.page().reload();
    assertThat(firstName(tab)).hasText("mail 1");
    assertThat(
            tab.page()
                .getByRole(AriaRole.COLUMNHEADER, new Page.GetByRoleOptions().setName("Batch")))
        .isVisible();
  }

  @Test
  void rows_are_selected_and_acted_on_by_keys() throws IOException {
    submitMails(4);
    Tab tab = dashboard.newTab().open("/tasks?kind=%3Dmail&sort=created_at").isLive();
    assertThat(tab.link("mail 4")).isVisible();
    tab.page().keyboard().press("j");
    assertThat(tab.link("mail 1")).isFocused();
    tab.page().keyboard().press("p");
    assertThat(tab.text("mail 1 is paused.")).isVisible();
    tab.page().keyboard().press("x");
    tab.page().keyboard().press("ArrowDown");
    tab.page().keyboard().press("j");
    tab.page().keyboard().press("Shift+X");
    assertThat(tab.text("3 selected")).isVisible();
    tab.page().keyboard().press("c");
    tab.button("Do nothing").click();
    tab.page().keyboard().press("Escape");
    assertThat(bar(tab)).hasCount(0);
    tab.page().keyboard().press("a");
    assertThat(tab.text("All 4 that match")).isVisible();
    tab.page().keyboard().press("Escape");

    tab.link("mail 2").focus();
    tab.page().keyboard().press(".");
    tab.page().getByRole(AriaRole.MENUITEM, new Page.GetByRoleOptions().setName("Cancel…")).click();
    tab.button("Cancel 1 task").click();
    assertThat(tab.text("1 task canceled, 0 left alone.")).isVisible();
    tab.button("Close").click();
    tab.link("mail 3").focus();
    tab.page().keyboard().press("Enter");
    tab.showsHeading("mail · mail 3");
  }

  @Test
  void a_selection_is_paused_resumed_and_canceled() throws IOException {
    submitMails(2);
    Tab tab = dashboard.newTab().open("/tasks?kind=%3Dmail").isLive();
    tab.page().getByLabel("Select mail 1").check();
    barButton(tab, "Pause…").click();
    tab.button("Pause 1 task").click();
    assertThat(tab.text("1 task paused, 0 left alone.")).isVisible();
    tab.button("Close").click();

    assertThat(tab.page().locator("tbody [data-state=Paused]")).isVisible();
    tab.page().getByLabel("Select all on this page").check();
    barButton(tab, "Resume…").click();
    tab.button("Resume 1 task").click();
    assertThat(tab.text("1 task resumed, 1 left alone.")).isVisible();
    tab.button("Close").click();

    tab.page().getByLabel("Select all on this page").check();
    barButton(tab, "Cancel…").click();
    tab.button("Cancel 2 tasks").click();
    assertThat(tab.text("2 tasks canceled, 0 left alone.")).isVisible();
  }

  @Test
  void all_that_match_are_retried_spread_over_some_time() throws IOException {
    submitMails(120);
    dashboard
        .server()
        .post("/task/bulk", "{\"action\": \"cancel\", \"filter\": {\"kind\": \"mail\"}}");
    Tab tab = dashboard.newTab().open("/tasks?kind=%3Dmail&status=Canceled").isLive();
    tab.page().getByLabel("Select mail 120").check();
    barButton(tab, "Select all 120 that match").click();
    barButton(tab, "Retry…").click();

    Locator dialog = tab.page().getByRole(AriaRole.DIALOG);
    assertThat(dialog)
        .containsText("120 were canceled and run again, with their retries counted from zero.");
    assertThat(dialog.getByLabel("spread over").first()).isChecked();
    assertThat(dialog).containsText("about 12 a minute");
    assertThat(dialog.getByText("The wave after it:")).isVisible();
    tab.button("Retry 120 tasks").click();
    assertThat(tab.text("120 tasks retried, 0 left alone.")).isVisible();
  }
}
