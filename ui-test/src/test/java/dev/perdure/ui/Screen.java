// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Every screen of the dashboard. Tests of what holds everywhere (accessibility, a silent console,
 * hostile text, screenshots) walk over this list, so a new page is tested by adding it here.
 */
enum Screen {
  /** Its heading says how things are, so it depends on what the other tests did. */
  OVERVIEW("/", "") {
    @Override
    Tab isShown(Tab tab, SampleData data) {
      return complete(showsOverview(tab));
    }
  },
  TASKS("/tasks", "Tasks"),
  TASK("/tasks/{task}", "") {
    @Override
    String heading(SampleData data) {
      return data.title();
    }
  },
  BATCHES("/batches", "Batches"),
  BATCH("/batches/{batch}", "") {
    @Override
    String heading(SampleData data) {
      return data.batchName();
    }
  },
  RETRIES("/retries", "Retries"),
  SCHEDULES("/schedules", "Schedules"),
  SCHEDULE("/schedules/{schedule}", "") {
    @Override
    String heading(SampleData data) {
      return data.schedule();
    }
  },
  DEAD("/dead", "Dead letters"),
  PLAYGROUND("/playground", "Playground"),
  SETTINGS("/settings", "Settings");

  /** What a part of a screen says while its data is on the way. */
  private static final Pattern UNDER_WAY = Pattern.compile("^(Loading|Drawing|Checking)");

  private final String path;
  private final String heading;

  Screen(String path, String heading) {
    this.path = path;
    this.heading = heading;
  }

  /** Waits for the overview, whose heading is its worst sentence. */
  static Tab showsOverview(Tab tab) {
    assertThat(
            tab.page()
                .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("What is wrong"))
                .getByRole(AriaRole.HEADING, new Locator.GetByRoleOptions().setLevel(1)))
        .isVisible();
    return tab;
  }

  /** The first heading, which shows that the page is complete. */
  String heading(SampleData data) {
    return heading;
  }

  /** Opens the screen and waits until it is complete. */
  Tab open(Tab tab, SampleData data) throws IOException {
    tab.open(
        path.replace("{task}", data.task())
            .replace("{batch}", data.batch())
            .replace("{schedule}", data.schedule()));
    return isShown(tab, data);
  }

  /** Waits until the screen is complete. */
  Tab isShown(Tab tab, SampleData data) {
    return complete(tab.showsHeading(heading(data)));
  }

  private static Tab complete(Tab tab) {
    assertThat(tab.page().getByText(UNDER_WAY)).hasCount(0);
    return tab.isLive();
  }
}
