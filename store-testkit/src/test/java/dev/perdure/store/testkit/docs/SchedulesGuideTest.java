// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.TestEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The Java examples of the guide to schedules, compiled and run. */
class SchedulesGuideTest {

  private final TestEngine test = TestEngine.create();
  private final Engine engine = test.engine();
  private final RetryPolicy policy = RetryPolicy.none();
  private final List<Instant> runs = new ArrayList<>();

  private void declare() {
    engine.schedule(
        "book-court",
        Trigger.cron("0 8 * * 1-5", ZoneId.of("Europe/Paris")),
        NewTask.of("book", Map.of("court", 3)).retry(policy),
        ScheduleOptions.defaults());
  }

  @Test
  void a_declared_schedule_fires_every_weekday() throws Exception {
    engine.register("book", Map.class, (court, context) -> runs.add(test.clock().instant()));
    declare();
    test.runDue();
    Schedule declared = engine.schedules().findByName("book-court").orElseThrow();

    test.advance(Duration.ofDays(7));

    assertThat(runs)
        .hasSize(5)
        .allMatch(
            at -> at.atZone(ZoneId.of("Europe/Paris")).toLocalTime().toString().equals("08:00"));
    engine.schedules().deleteAllExcept(Set.of("book-court"));
    assertThat(engine.schedules().find(declared.id())).isPresent();
    String guide = Files.readString(Path.of("../docs/guides/schedules.md"));
    assertThat(guide)
        .contains(
            """
            engine.schedule(
                "book-court",
                Trigger.cron("0 8 * * 1-5", ZoneId.of("Europe/Paris")),
                NewTask.of("book", Map.of("court", 3)).retry(policy),
                ScheduleOptions.defaults());
            """,
            "engine.schedules().deleteAllExcept(Set.of(\"book-court\"));");
  }
}
