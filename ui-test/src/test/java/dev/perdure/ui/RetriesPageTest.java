// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
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

/** What waits for a retry: choosing a part of it, and acting on it. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class RetriesPageTest {

  private static final String IN_HALF_AN_HOUR =
      """
      {"max_retries": 3, "backoff": {"type": "fixed", "delay": "30m"}, "jitter": "none"}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;
  private Tab tab;

  RetriesPageTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws IOException {
    dashboard = Dashboard.open(database, folder);
    client = new TestApiClient(dashboard.server());
    for (String name : new String[] {"one", "two", "three"}) {
      client.submit(
          "{\"kind\": \"job\", \"name\": \"%s\", \"retry\": %s}".formatted(name, IN_HALF_AN_HOUR));
      client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no answer\"");
    }
    tab = dashboard.newTab().open("/retries").showsHeading("Retries").isLive();
    assertThat(tab.link("three")).isVisible();
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private Locator choice(String label) {
    return tab.page()
        .getByRole(AriaRole.COMBOBOX, new Page.GetByRoleOptions().setName(label).setExact(true));
  }

  @Test
  void filters_and_windows_are_in_the_address() {
    tab.page().getByText("14 days").click();
    assertThat(tab.page()).hasURL(Pattern.compile("window=fortnight"));
    choice("Strategy").selectOption("ladder");
    assertThat(tab.text("No waiting retry matches.")).isVisible();
    choice("Strategy").selectOption("fixed");
    assertThat(tab.link("one")).isVisible();
    choice("Kind").selectOption("job");
    assertThat(tab.page()).hasURL(Pattern.compile("kind=job"));
    assertThat(tab.link("one")).isVisible();
  }

  @Test
  void one_is_retried_now_and_one_is_canceled() {
    tab.button("Retry one now").click();
    assertThat(tab.text("one is due now.")).isVisible();
    tab.button("Cancel two").click();
    tab.button("Cancel the task").click();
    assertThat(tab.text("two is canceled.")).isVisible();
    tab.page().reload();
    assertThat(tab.link("three")).isVisible();
    assertThat(tab.link("two")).hasCount(0);
  }

  @Test
  void a_part_chosen_by_keys_or_by_dragging_is_spread() {
    Locator wave = tab.page().getByLabel(Pattern.compile("Arrow keys move"));
    wave.press("Home");
    wave.press("Shift+End");
    wave.press("Enter");
    assertThat(tab.button("Spread these 3 over")).isVisible();
    tab.button("Show all").click();
    assertThat(tab.button("Spread these 3 over")).hasCount(0);

    BoundingBox chart = wave.locator("svg").boundingBox();
    tab.page().mouse().move(chart.x + chart.width * 0.2, chart.y + chart.height / 2);
    tab.page().mouse().down();
    tab.page().mouse().move(chart.x + chart.width - 4, chart.y + chart.height / 2);
    tab.page().mouse().up();
    tab.page().getByLabel("Spread over").selectOption("1h");
    tab.button("Spread these 3 over").click();

    Locator dialog = tab.page().getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("3 wait for a retry and become due.");
    assertThat(dialog.getByText("The wave after it:")).isVisible();
    tab.button("Retry 3 tasks").click();
    assertThat(tab.text("3 tasks retried, 0 left alone.")).isVisible();
    tab.button("Close").click();
    tab.page().reload();
    assertThat(tab.page().getByRole(AriaRole.TABLE))
        .containsText(Pattern.compile("in (19|20) min.*in (39|40) min"));
  }
}
