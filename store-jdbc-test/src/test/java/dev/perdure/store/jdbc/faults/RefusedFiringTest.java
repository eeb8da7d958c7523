// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.ScheduleStore.ScheduleContent;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database refuses the tasks of some schedules of a round: all others fire. */
class RefusedFiringTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int SCHEDULES = 40;

  private static boolean isRefused(Schedule schedule) {
    return schedule.name().endsWith("3");
  }

  /** Gives the last task a priority of 5000; a check constraint allows 1000 at most. */
  private static String withRefusedTask(String template) {
    String priority = "\"priority\":";
    int at = template.lastIndexOf(priority) + priority.length();
    return template.substring(0, at) + "5000" + template.substring(at + 1);
  }

  private static Schedule create(TestCluster cluster, ManualNode node, int number) {
    Schedule schedule =
        node.engine
            .schedules()
            .create(
                "schedule " + number,
                Trigger.every(MINUTE),
                Batch.of(TestCluster.task(), TestCluster.task()),
                ScheduleOptions.defaults());
    if (isRefused(schedule)) {
      cluster
          .store()
          .schedules()
          .update(
              schedule.id(),
              new ScheduleContent(
                  schedule.name(),
                  schedule.trigger(),
                  schedule.overlap(),
                  schedule.misfire(),
                  true,
                  withRefusedTask(schedule.template()),
                  null),
              null);
    }
    return schedule;
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void the_others_fire(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      List<Schedule> all =
          IntStream.range(0, SCHEDULES).mapToObj(i -> create(cluster, node, i)).toList();
      cluster.advance(MINUTE);
      assertThat(node.loops.fireSchedules()).isEqualTo(SCHEDULES);

      for (Schedule schedule : all) {
        int fired = isRefused(schedule) ? 0 : 1;
        assertThat(cluster.store().schedules().firings(schedule.id(), 10)).hasSize(fired);
        assertThat(cluster.store().schedules().liveTasks(schedule.id(), 10)).hasSize(2 * fired);
        String problem = cluster.store().schedules().find(schedule.id()).orElseThrow().problem();
        if (isRefused(schedule)) {
          assertThat(problem)
              .startsWith("the database refused its tasks: ")
              .containsIgnoringCase(testStore == TestStore.POSTGRES ? "priority" : "CONSTRAINT")
              .doesNotContain("payload");
        } else {
          assertThat(problem).isNull();
        }
      }
      assertThat(cluster.all()).hasSize(2 * (SCHEDULES - 4));
      Schedule refused = all.get(3);
      assertThatThrownBy(() -> node.engine.schedules().trigger(refused.id()))
          .isInstanceOf(StoreException.class);
    }
  }
}
