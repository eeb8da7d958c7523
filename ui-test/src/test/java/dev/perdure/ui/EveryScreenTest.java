// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.options.ColorScheme;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds on every screen. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class EveryScreenTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;

  EveryScreenTest(TestDatabase database) {
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

  @ParameterizedTest
  @EnumSource(Viewport.class)
  void is_accessible_in_both_themes(Viewport viewport) throws IOException {
    SampleData data = SampleData.of(dashboard);
    for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      BrowserContext context = dashboard.newContext(viewport, theme);
      Axe.install(context);
      Tab tab = dashboard.newTab(context);
      for (Screen screen : Screen.values()) {
        screen.open(tab, data);
        Screenshots.write(tab.page(), screen.name(), viewport, theme);
        Axe.check(tab.page());
      }
    }
  }

  /** The page must not be wider than the window: sideways scrolling hides what matters. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<img src=x onerror=\"document.title='hacked'\">",
        "</script><script>document.title='hacked'</script>",
        "\u202Egnp.exe\u202C",
        "10 kB",
        "👩‍👩‍👧‍👦🏴‍☠️ ﷽",
        "a\tb\nc",
        "{{7*7}} ${7*7} javascript:alert(1)"
      })
  void shows_hostile_text_as_text(String text) throws IOException {
    String hostile = text.equals("10 kB") ? "x".repeat(10_240) : text;
    String name = hostile.substring(0, Math.min(200, hostile.length())).replaceAll("\\s", " ");
    String kind = name.substring(0, Math.min(60, name.length()));
    SampleData data = SampleData.of(dashboard, kind, name, hostile);
    for (Viewport viewport : Viewport.values()) {
      Tab tab = dashboard.newTab(dashboard.newContext(viewport, ColorScheme.LIGHT));
      for (Screen screen : Screen.values()) {
        screen.open(tab, data);
        assertThat(tab.page().title()).isNotEqualTo("hacked");
        assertThat(tab.page().locator("main img, main script, main iframe").count()).isZero();
        assertThat(tab.page().evaluate("document.documentElement.scrollWidth - innerWidth"))
            .as("%s on a %s overflows", screen, viewport)
            .isEqualTo(0);
      }
      Screen.TASK.open(tab, data);
      assertThat(tab.page().locator("main").textContent()).contains(hostile);
    }
  }

  @Test
  void can_be_reloaded() throws IOException {
    SampleData data = SampleData.of(dashboard);
    Tab tab = dashboard.newTab();
    for (Screen screen : Screen.values()) {
      screen.open(tab, data);
      tab.page().reload();
      screen.isShown(tab, data);
    }
  }
}
