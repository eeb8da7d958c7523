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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The first page: what is wrong, what happened and what comes. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class OverviewTest {

  private static final String IN_HALF_AN_HOUR =
      """
      {"max_retries": 3, "backoff": {"type": "fixed", "delay": "30m"}, "jitter": "none"}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;

  OverviewTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws IOException {
    dashboard = Dashboard.open(database, folder);
    TestApiClient client = new TestApiClient(dashboard.server());
    client.submitJob(IN_HALF_AN_HOUR);
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"the disk is full\"");
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private Tab overview() {
    return Screen.showsOverview(dashboard.newTab().open("/"));
  }

  private static Locator comes(Tab tab) {
    return tab.page().getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("What comes"));
  }

  private static Locator kind(Tab tab) {
    return tab.page().getByRole(AriaRole.COMBOBOX, new Page.GetByRoleOptions().setName("Kind"));
  }

  @Test
  void leads_from_a_bar_of_the_wave_to_the_retries_of_its_time() {
    Tab tab = overview();
    Locator comes = comes(tab);
    assertThat(comes).containsText("1 retry comes in the next hour, at");

    comes.locator("svg[role=img] rect[class*=kind]").first().click();
    tab.showsHeading("Retries");
    assertThat(tab.page()).hasURL(Pattern.compile("window=hour&from=.*&to="));
    assertThat(tab.page().locator("tbody tr")).hasCount(1);

    tab.page().goBack();
    comes
        .getByRole(AriaRole.GROUP, new Locator.GetByRoleOptions().setName("Retries to come"))
        .focus();
    tab.page().keyboard().press("Home");
    tab.page().keyboard().press("Enter");
    tab.showsHeading("Retries");
    assertThat(tab.page().locator("tbody tr")).hasCount(0);
  }

  @Test
  void keeps_its_windows_in_its_address_and_shows_charts_as_tables() {
    Tab tab = overview();
    Locator comes = comes(tab);
    comes.getByText("14 days").click();
    assertThat(tab.page()).hasURL(Pattern.compile("comes=fortnight"));
    kind(tab).selectOption("job");
    assertThat(tab.page()).hasURL(Pattern.compile("kind=job"));
    tab.page().reload();
    assertThat(comes).containsText("1 retry comes in the next 14 days, at");
    assertThat(kind(tab)).hasValue("job");

    comes.getByText("Show as table").click();
    assertThat(comes.getByRole(AriaRole.TABLE)).containsText("job");
  }

  @Test
  void leads_to_what_its_numbers_and_kinds_count() {
    Tab tab = overview();
    tab.link("Retries").last().click();
    tab.showsHeading("Retries");
    tab.page().goBack();
    tab.link("job").click();
    tab.showsHeading("Tasks");
    assertThat(tab.page().locator("tbody tr")).hasCount(1);
  }

  /** Both pages ask for the nodes. */
  @Test
  void shows_its_nodes_before_and_after_the_settings() {
    Tab tab = overview();
    Locator nodes =
        tab.page().getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Nodes"));
    assertThat(nodes.getByRole(AriaRole.LISTITEM)).hasCount(1);
    tab.link("Settings").click();
    tab.showsHeading("Settings");
    assertThat(nodes.locator("tbody tr")).hasCount(1);
    tab.link("Overview").click();
    Screen.showsOverview(tab);
    assertThat(nodes.getByRole(AriaRole.LISTITEM)).hasCount(1);
    tab.link("Settings").click();
    assertThat(nodes.locator("tbody tr")).hasCount(1);
  }
}
