// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.IsCheckedOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Schedules: their ladders of retries, their triggers, and what can be done to one. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SchedulesPageTest {

  /**
   * A ladder as somebody builds it in the editor.
   *
   * @param steps such as "5 5 min": how often, and every how long; none if retries are off
   * @param code the failure code that it is limited to, or empty
   * @param sentence what it does, word by word
   */
  private record Ladder(String name, List<String> steps, String code, String sentence) {}

  private static final List<Ladder> LADDERS =
      List.of(
          new Ladder("off", List.of(), "", "It is not tried again."),
          new Ladder(
              "once",
              List.of("1 5 min"),
              "",
              "After a failure it is tried again once, after 5 minutes. Then it gives up."),
          new Ladder(
              "thrice",
              List.of("3 5 min"),
              "",
              "After a failure: every 5 minutes, 3 times. Then it gives up, 15 minutes after the"
                  + " failure."),
          new Ladder(
              "two steps",
              List.of("5 5 min", "5 10 min"),
              "",
              "After a failure: every 5 minutes, 5 times; then every 10 minutes, 5 times. Then it"
                  + " gives up, 1 h 15 min after the failure."),
          new Ladder(
              "three steps",
              List.of("5 5 min", "5 10 min", "∞ 1 h"),
              "",
              "After a failure: every 5 minutes, 5 times; then every 10 minutes, 5 times; then"
                  + " every hour until it succeeds."),
          new Ladder(
              "each minute",
              List.of("∞ 1 min"),
              "",
              "After a failure: every minute until it succeeds."),
          new Ladder(
              "once, then forever",
              List.of("1 1 min", "∞ 1 h"),
              "",
              "After a failure: once after 1 minute; then every hour until it succeeds."),
          new Ladder(
              "with a code",
              List.of("5 5 min", "∞ 1 h"),
              "no_slots",
              "After a failure with no_slots: every 5 minutes, 5 times; then every hour until it"
                  + " succeeds."));

  private static final String RETRY_TWICE =
      """
      {"name": "book a court", "trigger": {"every": "1h"}, "task": {"kind": "job"},
       "retry": [{"count": 5, "delay_minutes": 60}, {"count": 0, "delay_minutes": 120}]}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private Dashboard dashboard;
  private TestApiClient client;

  SchedulesPageTest(TestDatabase database) {
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
  void each_ladder_comes_back_as_it_was_built() {
    Tab tab = dashboard.newTab();
    for (Ladder ladder : LADDERS) {
      tab.open("/schedules/new").showsHeading("New schedule");
      field(tab, "Name").fill(ladder.name());
      work(tab).fill("{\"kind\": \"job\"}");
      build(tab, ladder);
      shows(tab, ladder);
      tab.button("Save").click();
      tab.showsHeading(ladder.name());
      shows(tab, ladder);
      tab.page().reload();
      tab.showsHeading(ladder.name());
      shows(tab, ladder);
    }
  }

  private static void build(Tab tab, Ladder ladder) {
    if (ladder.steps().isEmpty()) {
      return;
    }
    retrySwitch(tab).check();
    for (int step = 3; step > ladder.steps().size(); step--) {
      tab.button("Remove step " + step).click();
    }
    for (int step = 1; step <= ladder.steps().size(); step++) {
      String[] parts = ladder.steps().get(step - 1).split(" ", -1);
      field(tab, "Step " + step + ": times").fill(parts[0].equals("∞") ? "0" : parts[0]);
      field(tab, "Step " + step + ": delay").fill(parts[1]);
      tab.page().getByLabel("Step " + step + ": unit").selectOption(parts[2]);
    }
    if (!ladder.code().isEmpty()) {
      field(tab, "Add to only for").fill(ladder.code());
      field(tab, "Add to only for").press("Enter");
    }
  }

  private static void shows(Tab tab, Ladder ladder) {
    assertThat(tab.page().getByText(ladder.sentence())).isVisible();
    assertThat(retrySwitch(tab)).isChecked(checked(!ladder.steps().isEmpty()));
    if (!ladder.steps().isEmpty()) {
      Object steps =
          tab.page()
              .getByRole(AriaRole.LIST, new Page.GetByRoleOptions().setName("Steps"))
              .getByRole(AriaRole.LISTITEM)
              .evaluateAll(
                  "rows => rows.map(row => [...row.querySelectorAll('input, select')]"
                      + ".map(one => one.value).join(' '))");
      assertThat(steps).isEqualTo(ladder.steps());
    }
    if (!ladder.code().isEmpty()) {
      assertThat(tab.button("Remove " + ladder.code())).isVisible();
    }
  }

  private static IsCheckedOptions checked(boolean wanted) {
    return new IsCheckedOptions().setChecked(wanted);
  }

  @Test
  void every_kind_of_trigger_tells_when_it_fires() {
    Tab tab = dashboard.newTab().expect("status of 400.*/schedule/preview");
    tab.open("/schedules/new").showsHeading("New schedule");
    Locator form = tab.page().getByRole(AriaRole.FORM);
    field(tab, "Time zone").fill("Europe/Paris");
    field(tab, "Cron expression").fill("0 8 * * 1-5");
    assertThat(form).containsText("Every weekday at 08:00 Europe/Paris.");
    assertThat(form).containsText(Pattern.compile("Next: \\w+ \\d+ \\w+ 08:00 · .* … 7 more"));
    field(tab, "Cron expression").fill("nonsense");
    assertThat(form.getByRole(AriaRole.ALERT)).containsText("cron");
    field(tab, "Cron expression").fill("30 2 29 3 *");
    assertThat(form).containsText("02:30");

    radio(tab, "every").check();
    field(tab, "Interval").fill("90s");
    assertThat(form).containsText(Pattern.compile("Every (90 s|1 min 30 s|90 seconds|1m30s)"));

    radio(tab, "at a time").check();
    field(tab, "Time of day").fill("08:15");
    tab.page().getByLabel("Monday").check();
    assertThat(form).containsText(Pattern.compile("Monday at 08:15 Europe/Paris\\."));
    assertThat(form).containsText(Pattern.compile("Next: Mon \\d+ \\w+ 08:15"));
  }

  @Test
  void a_schedule_is_created_edited_run_paused_and_deleted() throws Exception {
    Tab tab = dashboard.newTab().expect("status of 400.*/schedule");
    tab.open("/schedules").showsHeading("Schedules").isLive();
    assertThat(tab.text("No schedules yet.")).isVisible();
    tab.link("New schedule").first().click();
    tab.showsHeading("New schedule");
    tab.button("Save").click();
    assertThat(tab.text("Enter a name.")).isVisible();
    field(tab, "Name").fill("nightly");
    work(tab).fill("{\"kind\": \"\"}");
    tab.button("Save").click();
    assertThat(tab.page().getByRole(AriaRole.ALERT).first()).containsText("kind");
    work(tab).fill("{\"kind\": \"job\"}");
    tab.button("Save").click();
    tab.showsHeading("nightly");

    radio(tab, "queue").check();
    tab.button("Discard").click();
    assertThat(tab.page().getByRole(AriaRole.RADIO, exactly("skip")).first()).isChecked();
    radio(tab, "queue").check();
    tab.button("Save").click();
    Eventually.await(() -> only("overlap").stringValue(), "queue"::equals);

    tab.button("Run now").click();
    assertThat(tab.page().getByText("run by hand")).isVisible();
    tab.button("Pause").click();
    assertThat(tab.text("○ off")).isVisible();
    tab.button("Resume").click();
    assertThat(tab.text("● on")).isVisible();
    tab.button("More actions for nightly").click();
    item(tab, "Delete…").click();
    assertThat(tab.page().getByText("Its live tasks are canceled, including waiting retries."))
        .isVisible();
    tab.button("Delete the schedule").click();
    tab.showsHeading("Schedules");
    assertThat(tab.text("No schedules yet.")).isVisible();
  }

  private JsonNode only(String field) throws IOException {
    return dashboard.server().get("/schedule").json().get(0).get(field);
  }

  @Test
  void someone_elses_change_is_told_and_not_overwritten() throws IOException {
    dashboard.server().post("/schedule", RETRY_TWICE);
    String id = only("id").stringValue();
    Tab tab = dashboard.newTab().expect("status of 409");
    tab.open("/schedules/" + id).showsHeading("book a court").isLive();
    field(tab, "Step 1: times").fill("7");

    dashboard
        .server()
        .send(
            "PATCH",
            "/schedule/" + id,
            "{\"overlap\": \"allow\", \"trigger\": {\"every\": \"2h\"}}");
    tab.button("Run now").click();
    assertThat(tab.page().getByText("Someone has changed this schedule.")).isVisible();
    tab.button("Save").click();
    assertThat(tab.page().getByRole(AriaRole.ALERT).last()).containsText("Not");
    tab.button("Show the change").click();
    assertThat(field(tab, "Interval")).hasValue("2h");
    assertThat(field(tab, "Step 1: times")).hasValue("5");
  }

  @Test
  void one_retry_is_canceled_and_the_schedule_goes_on() throws IOException {
    dashboard.server().post("/schedule", RETRY_TWICE);
    Tab tab = dashboard.newTab().open("/schedules").showsHeading("Schedules").isLive();
    tab.button("Run now: book a court").click();
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no court is free\"");
    Locator retry =
        tab.page()
            .getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Retry under way"));
    assertThat(retry).containsText("attempt 1/5, step 1/2");
    assertThat(retry).containsText("no court is free");

    tab.button("Cancel it").click();
    assertThat(tab.page().getByText("This task is not tried again.")).isVisible();
    tab.button("Cancel the retry").click();
    assertThat(tab.page().getByText("The retry is canceled. The schedule keeps running.").first())
        .isVisible();
    assertThat(retry).hasCount(0);
    assertThat(tab.text("● on")).isVisible();
  }

  private static Locator field(Tab tab, String name) {
    return tab.page().getByLabel(name, new Page.GetByLabelOptions().setExact(true));
  }

  private static Locator work(Tab tab) {
    return field(tab, "Task or tasks to submit, as JSON");
  }

  private static Locator retrySwitch(Tab tab) {
    return tab.page().getByRole(AriaRole.SWITCH);
  }

  private static Locator radio(Tab tab, String name) {
    return tab.page().getByRole(AriaRole.RADIO, exactly(name)).first();
  }

  private static Locator item(Tab tab, String name) {
    return tab.page().getByRole(AriaRole.MENUITEM, exactly(name));
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
