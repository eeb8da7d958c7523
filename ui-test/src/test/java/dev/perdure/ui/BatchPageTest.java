// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** One batch as a graph, a Gantt chart and a table, and what can be done to it. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class BatchPageTest {

  private static final int FAN = 80;

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;

  BatchPageTest(TestDatabase database) {
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
  void the_graph_is_grouped_expanded_searched_and_zoomed() throws IOException {
    Tab tab = dashboard.newTab().open("/batches/" + submitFan()).isLive();
    graph(tab, "Graph with 3 nodes");
    Locator fan = node(tab, "transform, 80 tasks");
    fan.click();
    Locator panel = tab.page().getByRole(AriaRole.COMPLEMENTARY);
    assertThat(panel).containsText("80 similar tasks");
    panel.getByRole(AriaRole.BUTTON, named("Expand")).click();
    graph(tab, "Graph with 82 nodes");
    find(tab, "t7");
    node(tab, "t7,").focus();
    press(tab, "Escape");
    graph(tab, "Graph with 3 nodes");

    tab.page().getByLabel("Group similar tasks").uncheck();
    graph(tab, "Graph with 82 nodes");
    tab.page().getByLabel("Group similar tasks").check();
    graph(tab, "Graph with 3 nodes");
    tab.page().getByLabel("Critical path").check();
    assertThat(tab.page().locator("[class*=critical]").first()).isAttached();
    find(tab, "report");
    assertThat(panel).containsText("report");
    assertThat(tab.page()).hasURL(Pattern.compile("task="));
    panel.getByRole(AriaRole.LINK, named("Open the task")).click();
    tab.showsHeading("report · report");
    tab.page().goBack();

    String before = zoom(tab);
    tab.button("Zoom in").click();
    assertThat(tab.page().locator("output").last()).not().hasText(before);
    tab.button("Fit").click();
    assertThat(tab.page().locator("output").last()).hasText(before);
  }

  @Test
  void keys_follow_the_links_and_the_rows() throws IOException {
    String batch = submitFan();
    Tab tab = dashboard.newTab().open("/batches/" + batch).isLive();
    graph(tab, "Graph with 3 nodes");
    node(tab, "list,").focus();
    press(tab, "ArrowRight");
    assertThat(node(tab, "transform, 80 tasks")).isFocused();
    press(tab, "End");
    assertThat(node(tab, "report,")).isFocused();
    press(tab, "ArrowLeft");
    assertThat(node(tab, "transform, 80 tasks")).isFocused();
    press(tab, "Home");
    assertThat(node(tab, "list,")).isFocused();
    String before = zoom(tab);
    press(tab, "-");
    assertThat(tab.page().locator("output").last()).not().hasText(before);
    press(tab, "0");
    assertThat(tab.page().locator("output").last()).hasText(before);
    press(tab, "ArrowRight");
    press(tab, "Enter");
    graph(tab, "Graph with 82 nodes");

    tab.open("/batches/" + batch + "?view=gantt").isLive();
    Locator rows = tab.page().locator("[data-row]");
    assertThat(rows).hasCount(3);
    rows.first().focus();
    press(tab, "End");
    assertThat(rows.last()).isFocused();
    assertThat(rows.last()).hasAccessibleName(Pattern.compile("has not started, at the earliest"));
    press(tab, "ArrowUp");
    assertThat(rows.nth(1)).isFocused();
    press(tab, "Home");
    assertThat(rows.first()).isFocused();
    press(tab, "Enter");
    tab.showsHeading("list · list");
  }

  @Test
  void the_table_acts_on_the_tasks_of_the_batch_only() throws IOException {
    String batch = submitFan();
    String other = client.submit("{\"kind\": \"transform\", \"name\": \"elsewhere\"}");
    Tab tab = dashboard.newTab().open("/batches/" + batch).isLive();
    node(tab, "transform, 80 tasks").click();
    tab.link("Open as table").click();
    assertThat(tab.page()).hasURL(Pattern.compile("view=table"));
    assertThat(tab.link("elsewhere")).hasCount(0);
    assertThat(tab.page().getByText("80 tasks").first()).isVisible();
    assertThat(tab.link("Waiting 80")).isVisible();

    tab.page().getByLabel("Select all on this page").check();
    tab.button("Select all 80 that match").click();
    tab.button("Cancel…").click();
    tab.button("Cancel 80 tasks").click();
    assertThat(tab.page().getByText("80 tasks canceled").first()).isVisible();
    assertThat(client.status(other)).isEqualTo("Pending");
  }

  @Test
  void limits_are_set_and_the_batch_is_stopped() throws IOException {
    Tab tab = dashboard.newTab().open("/batches/" + submitFan()).isLive();
    tab.button("Limits…").click();
    tab.page()
        .getByLabel("Kind", new Page.GetByLabelOptions().setExact(true))
        .selectOption("transform");
    tab.page().getByLabel("At most").selectOption("Concurrency");
    tab.page().getByLabel("How many").fill("2");
    tab.button("Set the limit").click();
    assertThat(tab.page().getByText("80 live tasks of transform have the new limit.")).isVisible();

    tab.button("Stop").click();
    assertThat(tab.page().getByText("82 tasks will be canceled: 1 pending, 81 waiting."))
        .isVisible();
    tab.button("Stop the batch").click();
    assertThat(tab.page().getByText("Stopped. 82 tasks canceled, 0 had ended before.")).isVisible();
    assertThat(tab.button("Run again")).isVisible();
    assertThat(tab.button("Limits…")).hasCount(0);
  }

  @Test
  void what_failed_runs_again_and_then_everything_in_a_new_run() throws IOException {
    String batch = submit("{\"kind\": \"job\", \"name\": \"only\"}");
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"the disk is full\"");
    Tab tab = dashboard.newTab().open("/batches/" + batch + "?view=table").isLive();
    assertThat(tab.page().getByText("First failure: the disk is full")).isVisible();
    tab.button("Run again").click();
    tab.button("Run what failed").click();
    assertThat(tab.page().getByText("1 task of 1 that failed run again")).isVisible();
    client.settleOne("\"status\": \"Success\"");

    tab.button("Run again").click();
    tab.button("Run all 1 task").click();
    assertThat(tab.page().getByText("Run 2 ").first()).isVisible();
    JsonNode lease = client.claimOne();
    assertThat(tab.text("Claimed").or(tab.text("Running")).first()).isVisible();
    assertThat(tab.link("only")).hasCount(1);

    tab.button("run 2 of 2").click();
    tab.page()
        .getByRole(AriaRole.MENUITEMRADIO, new Page.GetByRoleOptions().setName("run 1"))
        .click();
    assertThat(tab.page()).hasURL(Pattern.compile("run=1"));
    assertThat(tab.link("only")).hasCount(1);
    assertThat(tab.link("only"))
        .not()
        .hasAttribute("href", "/ui/tasks/" + lease.get("id").stringValue());
  }

  private String submitFan() throws IOException {
    String middle =
        IntStream.range(0, FAN)
            .mapToObj(
                "{\"kind\": \"transform\", \"id\": \"t%1$d\", \"name\": \"t%1$d\", \"dependencies\": [{\"id\": \"list\"}]}"
                    ::formatted)
            .collect(Collectors.joining(","));
    String all =
        IntStream.range(0, FAN)
            .mapToObj("{\"id\": \"t%d\"}"::formatted)
            .collect(Collectors.joining(","));
    return submit(
        "[{\"kind\": \"list\", \"id\": \"list\", \"name\": \"list\"},%s,".formatted(middle)
            + "{\"kind\": \"report\", \"name\": \"report\", \"dependencies\": [%s]}]"
                .formatted(all));
  }

  /** Returns the id of the batch. */
  private String submit(String tasks) throws IOException {
    JsonNode response = dashboard.server().post("/task", tasks).json();
    return response.get(0).get("batch_id").stringValue();
  }

  private static void graph(Tab tab, String name) {
    assertThat(tab.page().getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName(name)))
        .isVisible();
  }

  /** The node of the graph whose name begins so. */
  private static Locator node(Tab tab, String name) {
    return tab.page().locator("svg [data-node][aria-label^='" + name + "']");
  }

  private static void find(Tab tab, String text) {
    tab.page().getByLabel("Find a task").fill(text);
    tab.page().getByLabel("Find a task").press("Enter");
  }

  private static void press(Tab tab, String key) {
    tab.page().keyboard().press(key);
  }

  private static String zoom(Tab tab) {
    return tab.page().locator("output").last().textContent();
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(name);
  }
}
