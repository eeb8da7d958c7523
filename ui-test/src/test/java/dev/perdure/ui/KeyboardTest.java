// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import com.microsoft.playwright.options.ReducedMotion;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The frame around all pages: its keys, its switches, and what it does for people who see or move
 * differently. None of it depends on the database.
 */
@Tag("slow")
class KeyboardTest {

  @TempDir private Path folder;
  private Dashboard dashboard;

  @BeforeEach
  void open() throws IOException {
    dashboard = Dashboard.open(TestDatabase.SQLITE, folder);
  }

  @AfterEach
  void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private static Locator dialog(Tab tab) {
    return tab.page().getByRole(AriaRole.DIALOG);
  }

  @Test
  void single_keys_work_but_not_behind_a_dialog_nor_in_a_field() throws IOException {
    SampleData.of(dashboard);
    Tab tab = dashboard.newTab().open("/tasks").showsHeading("Tasks").isLive();
    assertThat(tab.link("order 913")).isVisible();
    Keyboard keyboard = tab.page().keyboard();

    keyboard.press("?");
    assertThat(dialog(tab)).containsText("On this page");
    assertThat(dialog(tab)).containsText("Select the focused row");
    keyboard.press("t");
    keyboard.press("l");
    keyboard.press("Escape");
    assertThat(dialog(tab)).hasCount(0);
    assertThat(tab.button("Theme: System")).isVisible();
    tab.isLive();

    keyboard.press("t");
    assertThat(tab.button("Theme: Light")).isVisible();
    keyboard.press("j");
    keyboard.press("x");
    assertThat(tab.page().locator("tbody input:checked")).hasCount(1);
    keyboard.press("Escape");
    assertThat(tab.page().locator("tbody input:checked")).hasCount(0);
    keyboard.press("[");
    assertThat(tab.page().locator("nav[aria-label=Places]")).hasClass(Pattern.compile("narrow"));
    keyboard.press("/");
    keyboard.type("lt");
    assertThat(tab.page().locator("input[role=combobox]")).hasValue("lt");
    assertThat(tab.button("Theme: Light")).isVisible();
  }

  @Test
  void searches_and_jumps() throws IOException {
    SampleData data = SampleData.of(dashboard);
    Tab tab = dashboard.newTab().open("/").isLive();
    Keyboard keyboard = tab.page().keyboard();
    keyboard.press("/");
    keyboard.type("sched");
    keyboard.press("ArrowDown");
    keyboard.press("Enter");
    tab.showsHeading("Schedules");
    keyboard.press("/");
    keyboard.type(data.task().substring(0, 23));
    tab.page()
        .getByRole(AriaRole.OPTION)
        .filter(new Locator.FilterOptions().setHasText("order 913"))
        .first()
        .waitFor();
    keyboard.press("ArrowDown");
    keyboard.press("Enter");
    tab.showsHeading(data.title());
    keyboard.press("/");
    keyboard.type("kind:mail status:pend");
    keyboard.press("Enter");
    tab.showsHeading("Tasks");
    assertThat(tab.page().locator("tbody tr")).hasCount(1);
  }

  @Test
  void every_place_can_be_reached_and_used_with_the_keyboard_alone() throws IOException {
    SampleData.of(dashboard);
    Tab tab = dashboard.newTab().open("/").isLive();
    Keyboard keyboard = tab.page().keyboard();
    keyboard.press("Tab");
    assertThat(tab.link("Skip to content")).isFocused();
    keyboard.press("Enter");
    assertThat(tab.page().locator("#content")).isFocused();

    List<String> names =
        List.of(
            "Tasks", "Batches", "Retries", "Schedules", "Dead letters", "Playground", "Settings");
    for (String name : names) {
      Locator link =
          tab.page()
              .locator("nav[aria-label=Places]")
              .getByRole(
                  AriaRole.LINK, new Locator.GetByRoleOptions().setName(name).setExact(true));
      tabTo(tab, link);
      keyboard.press("Enter");
      tab.showsHeading(name);
    }
    for (String key : List.of("o", "t", "b", "r", "s", "d", "p", ",")) {
      keyboard.press("g");
      keyboard.press(key);
    }
    tab.showsHeading("Settings");
  }

  /** Presses Tab, from the beginning of the page, until the link has the focus. */
  private static void tabTo(Tab tab, Locator link) {
    tab.page().evaluate("() => document.activeElement.blur()");
    for (int i = 0; i < 40; i++) {
      tab.page().keyboard().press("Tab");
      if ((Boolean) link.evaluate("element => element === document.activeElement")) {
        return;
      }
    }
    assertThat(link).isFocused();
  }

  @Test
  void a_pause_stops_every_request_until_it_ends() throws IOException {
    dashboard.submit("{\"kind\": \"mail\", \"name\": \"first\"}");
    Tab tab = dashboard.newTab();
    tab.page().clock().install();
    tab.open("/").isLive();
    Locator due =
        tab.page()
            .locator("dl > div")
            .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^Due")))
            .locator("dd")
            .first();
    assertThat(due).hasText("1");
    tab.button("Live").click();
    assertThat(tab.button("Paused")).isVisible();
    List<String> asked = new ArrayList<>();
    tab.page().onRequest(request -> asked.add(request.url()));
    dashboard.submit("{\"kind\": \"mail\", \"name\": \"second\"}");
    tab.page().clock().runFor(60_000);
    assertThat(asked).isEmpty();
    tab.page().keyboard().press("l");
    tab.isLive();
    assertThat(due).hasText("2");
    assertThat(asked).isNotEmpty();
  }

  @Test
  void fits_twice_as_large_without_colours_and_without_motion() throws IOException {
    SampleData data = SampleData.of(dashboard);
    BrowserContext context =
        dashboard.newContext(
            new Browser.NewContextOptions()
                // A window of 1280 × 800 at a zoom of 200 %.
                .setViewportSize(640, 400)
                .setDeviceScaleFactor(2)
                .setForcedColors(ForcedColors.ACTIVE)
                .setReducedMotion(ReducedMotion.REDUCE));
    Tab tab = dashboard.newTab(context);
    for (Screen screen : Screen.values()) {
      screen.open(tab, data);
      assertThat(tab.page().evaluate("document.documentElement.scrollWidth - innerWidth"))
          .as("%s is wider than the window", screen)
          .isEqualTo(0);
      assertThat(tab.page().evaluate("document.getAnimations().length"))
          .as("%s moves", screen)
          .isEqualTo(0);
    }
  }

  @Test
  void a_phone_has_five_places_and_the_others_behind_more() throws IOException {
    SampleData.of(dashboard);
    Tab tab =
        dashboard.newTab(dashboard.newContext(Viewport.PHONE, ColorScheme.DARK)).open("/").isLive();
    Locator places = tab.page().locator("nav[aria-label=Places]");
    assertThat(places.getByRole(AriaRole.LINK).filter(new Locator.FilterOptions().setVisible(true)))
        .hasCount(4);
    assertThat(places).containsText("1 waiting");
    tab.button("More").click();
    tab.link("Batches").click();
    tab.showsHeading("Batches");
    assertThat(tab.link("Schedules")).not().isVisible();
  }

  @Test
  void the_exact_time_is_shown_by_focus_and_by_tap() throws IOException {
    SampleData data = SampleData.of(dashboard);
    Tab tab = dashboard.newTab();
    Screen.TASK.open(tab, data);
    Locator time = tab.page().locator("main time[tabindex]").first();
    Locator tip = tab.page().getByRole(AriaRole.TOOLTIP);
    time.focus();
    assertThat(tip).containsText("UTC");
    tab.page().keyboard().press("Escape");
    assertThat(tip).not().isVisible();
    time.click();
    assertThat(tip).isVisible();
  }
}
