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

/** Configuration, keys, audit and the preferences of the browser. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SettingsPageTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;

  SettingsPageTest(TestDatabase database) {
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
  void keys_are_created_replaced_and_revoked() {
    Tab tab = dashboard.newTab().expect("401");
    tab.open("/settings?tab=keys").showsHeading("Settings");
    assertThat(tab.page().getByText("No keys yet.")).isVisible();
    create(tab, "New key", "ops");
    assertThat(roles(tab, "ops")).hasText("admin");

    create(tab, "New key", "reader");
    assertThat(roles(tab, "reader")).hasText("read");
    tab.button("Replace reader…").click();
    tab.button("Create the key").click();
    assertThat(tab.page().getByText("still works. Revoke it when everything uses the new one."))
        .isVisible();
    tab.button("I have stored it").click();
    assertThat(row(tab, "reader")).hasCount(2);

    tab.button("Revoke reader…").first().click();
    tab.button("Revoke the key").click();
    assertThat(tab.button("Revoke reader…")).hasCount(1);
    tab.page().reload();
    assertThat(row(tab, "reader").filter(new Locator.FilterOptions().setHasText("Revoked")))
        .hasCount(1);
  }

  private static void create(Tab tab, String button, String name) {
    tab.button(button).click();
    tab.page().getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill(name);
    tab.button("Create the key").click();
    assertThat(tab.page().getByText(Pattern.compile("^pk_"))).isVisible();
    tab.button("I have stored it").click();
  }

  private static Locator row(Tab tab, String name) {
    return tab.page().getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText(name));
  }

  private static Locator roles(Tab tab, String name) {
    return row(tab, name).locator("td").nth(2);
  }

  @Test
  void configuration_and_audit_are_filtered_and_preferences_kept() throws IOException {
    TestApiClient client = new TestApiClient(dashboard.server());
    String id = client.submit("{\"kind\": \"job\"}");
    dashboard.server().send("DELETE", "/task/" + id, "");
    client.submit("{\"kind\": \"job\"}");
    Tab tab = dashboard.newTab().open("/settings?tab=configuration").showsHeading("Settings");
    Locator settings =
        tab.page().getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Configuration"));
    assertThat(settings).containsText("max_tasks_per_request");
    tab.page().getByLabel("only changed settings").check();
    assertThat(settings).not().containsText("max_tasks_per_request");
    assertThat(settings).containsText("port");
    tab.page().getByLabel("Part of the name or description").fill("nothing like it");
    assertThat(tab.page().getByText("No setting matches.")).isVisible();

    tab.link("Audit").click();
    tab.link(id.substring(0, 8)).or(tab.page().locator("td a").first()).first().click();
    assertThat(tab.page()).hasURL(Pattern.compile("subject=" + id));
    Locator filter = tab.page().getByLabel("Id or name of what it was done to");
    filter.fill("nobody");
    filter.press("Enter");
    assertThat(tab.page().getByText("No entries for \"nobody\".")).isVisible();

    tab.link("This browser").click();
    tab.page().getByLabel("Comfortable").check();
    tab.page().getByLabel("Dark").check();
    tab.page().reload();
    assertThat(tab.page().getByLabel("Comfortable")).isChecked();
    assertThat(tab.page().getByLabel("Dark")).isChecked();
  }
}
