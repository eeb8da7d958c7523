// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import java.io.IOException;

/**
 * Every screen of the dashboard. Tests of what holds everywhere (accessibility, a silent console,
 * hostile text, screenshots) walk over this list, so a new page is tested by adding it here.
 */
enum Screen {
  OVERVIEW("/", "Overview"),
  TASKS("/tasks", "Tasks"),
  TASK("/tasks/{task}", "") {
    @Override
    String heading(SampleData data) {
      return data.title();
    }
  },
  BATCHES("/batches", "Batches"),
  BATCH("/batches/{batch}", "Batch"),
  RETRIES("/retries", "Retries"),
  SCHEDULES("/schedules", "Schedules"),
  SCHEDULE("/schedules/{schedule}", "Schedule"),
  DEAD("/dead", "Dead letters"),
  PLAYGROUND("/playground", "Playground"),
  SETTINGS("/settings", "Settings");

  private final String path;
  private final String heading;

  Screen(String path, String heading) {
    this.path = path;
    this.heading = heading;
  }

  /** The first heading, which shows that the page is complete. */
  String heading(SampleData data) {
    return heading;
  }

  /** Opens the screen and waits until it is complete. */
  Tab open(Tab tab, SampleData data) throws IOException {
    return tab.open(
            path.replace("{task}", data.task())
                .replace("{batch}", data.batch())
                .replace("{schedule}", data.schedule()))
        .showsHeading(heading(data))
        .isLive();
  }
}
