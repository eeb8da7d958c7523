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

/** The playground: a policy as form and text, its plan, its warnings and its storm. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class PlaygroundPageTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;

  PlaygroundPageTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws IOException {
    dashboard = Dashboard.open(database, folder);
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  @Test
  void form_and_text_are_one_policy_that_a_link_keeps() {
    Tab tab = dashboard.newTab().expect("status of 400.*/policy/explain");
    tab.open("/playground").showsHeading("Playground");
    Locator plan = region(tab, "Plan");
    assertThat(plan).containsText("Up to 5 retries, after 1 second, then twice as long each time");
    assertThat(plan).containsText("The last of 5 retries comes after about 31 s");
    assertThat(plan).containsText("spread: the delay ± 25 %");
    field(tab, "Retries").fill("2");
    assertThat(plan).containsText("The last of 2 retries");
    field(tab, "Retries").fill("many");
    assertThat(plan).containsText("The plan appears once the policy is valid.");
    assertThat(region(tab, "Policy").getByRole(AriaRole.ALERT)).isVisible();
    field(tab, "Retries").fill("2");

    radio(tab, "JSON").check();
    assertThat(field(tab, "Policy as JSON")).hasValue(Pattern.compile("\"max_retries\": 2"));
    field(tab, "Policy as JSON").fill("[{\"count\": 0, \"delay_minutes\": 1}]");
    assertThat(plan).containsText("After a failure: every minute until it succeeds.");
    radio(tab, "Form").check();
    assertThat(tab.page().getByText("The form cannot show this dialect. Edit it as JSON."))
        .isVisible();
    tab.button("Use the canonical form").click();
    assertThat(field(tab, "Step 1: delay")).hasValue("1");

    tab.button("Preset").click();
    tab.page().getByRole(AriaRole.MENUITEM, new Page.GetByRoleOptions().setName("http")).click();
    assertThat(plan).containsText("Up to 4 retries, after 2 seconds");
    assertThat(tab.page()).hasURL(Pattern.compile("#p="));
    Tab other = dashboard.newTab();
    other.page().navigate(tab.page().url());
    assertThat(region(other, "Plan")).containsText("Up to 4 retries, after 2 seconds");
  }

  @Test
  void a_warning_is_fixed_and_plans_are_compared() {
    Tab tab = dashboard.newTab().open("/playground").showsHeading("Playground");
    tab.page()
        .getByRole(AriaRole.COMBOBOX, new Page.GetByRoleOptions().setName("Jitter").setExact(true))
        .selectOption("none");
    Locator fix =
        tab.page()
            .getByRole(
                AriaRole.BUTTON,
                new Page.GetByRoleOptions().setName(Pattern.compile("^Use jitter")));
    fix.first().click();
    assertThat(field(tab, "Jitter in percent")).hasValue("25");

    tab.button("Compare").click();
    field(tab, "Retries").fill("3");
    assertThat(tab.page().getByText("pinned plan")).isVisible();
    tab.button("Stop comparing").click();
    assertThat(tab.page().getByText("pinned plan")).hasCount(0);

    tab.button("Add an override").click();
    field(tab, "Override 1: retries").fill("1");
    tab.page().getByLabel("What if it fails with").selectOption("429");
    assertThat(region(tab, "Plan")).containsText("The only retry comes");
    region(tab, "Plan").getByLabel("Retry-After").fill("20");
    assertThat(region(tab, "Plan")).containsText("The only retry comes after 20 s");

    Locator storm = region(tab, "Storm");
    assertThat(storm).containsText("Without retries");
    storm
        .getByRole(
            AriaRole.SLIDER, new Locator.GetByRoleOptions().setName(Pattern.compile("^Outage")))
        .fill("6");
    assertThat(storm).containsText("1 min");
    assertThat(storm.getByText(Pattern.compile("× load")).first()).isVisible();
  }

  @Test
  void a_real_task_brings_its_policy_and_its_failures() throws IOException {
    TestApiClient client = new TestApiClient(dashboard.server());
    String id = client.submitJob("{\"max_retries\": 7, \"backoff\": {\"type\": \"immediate\"}}");
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"busy\"");
    Tab tab = dashboard.newTab().open("/playground").showsHeading("Playground");

    tab.button("From task…").click();
    field(tab, "Id of the task").fill(id);
    tab.button("Load").click();
    assertThat(field(tab, "Retries")).hasValue("7");
    assertThat(tab.page().getByLabel("What if it fails with")).hasValue("task");
    assertThat(tab.page().getByText("the failure of job")).isAttached();
  }

  private static Locator region(Tab tab, String name) {
    return tab.page()
        .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator field(Tab tab, String name) {
    return tab.page().getByLabel(name, new Page.GetByLabelOptions().setExact(true));
  }

  private static Locator radio(Tab tab, String name) {
    return tab.page().getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName(name));
  }
}
