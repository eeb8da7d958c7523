// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of limits beside claims and ends of the same tasks that are held open. */
final class LimitChangeInterleavingTest {

  private static final @Nullable String RULES =
      LimitRules.write(List.of(Limit.concurrency(1)), "a");

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  private RulesChanged change(UUID batch) {
    return scenario.store.limits().changeRules(new RulesChange(batch, "a", null, RULES));
  }

  private List<Task> claim() {
    return PostgresScenario.tasks(scenario.store.claim(scenario.request(10)));
  }

  private void assertUsed(long used) {
    assertThat(claim()).isEmpty();
    assertThat(scenario.store.limits().list("", 10).getFirst().used()).isEqualTo(used);
    assertThat(scenario.store.maintenance().sweepLimits("", 10))
        .isEqualTo(new LimitSweep(null, 0, 0));
  }

  @Test
  void a_task_that_a_handler_is_ending_changes_when_that_is_committed() throws Exception {
    List<Task> running = scenario.running(2);
    Task ending = running.getFirst();
    Task other = running.getLast();
    try (Connection handler = scenario.database.begin()) {
      Outcome snoozed = new Outcome.Snoozed(Duration.ofHours(1));
      scenario.apply(handler, scenario.lifecycle.settle(ending, snoozed, scenario.clock.instant()));

      Future<RulesChanged> changed = scenario.blocked(() -> change(ending.batch()));
      assertThat(scenario.find(other).hold())
          .as("the other one has changed")
          .containsExactly(HoldReason.LIMITED);
      assertThat(scenario.store.apply(List.of(scenario.success(other))))
          .as("the other one is not locked")
          .allMatch(result -> result.applied());
      handler.commit();
      assertThat(changed.get()).isEqualTo(new RulesChanged(2, null));
    }
    assertThat(scenario.find(ending).hold()).containsExactly(HoldReason.LIMITED);
    assertThat(scenario.find(ending).definition().rules()).isEqualTo(RULES);
    assertUsed(0);
  }

  @Test
  void a_task_that_has_ended_meanwhile_keeps_its_rules() throws Exception {
    Task ending = scenario.running(1).getFirst();
    try (Connection handler = scenario.database.begin()) {
      scenario.apply(handler, scenario.success(ending));
      Future<RulesChanged> changed = scenario.blocked(() -> change(ending.batch()));
      handler.commit();
      changed.get();
    }
    assertThat(scenario.find(ending).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(scenario.find(ending).definition().rules()).isNull();
    assertThat(scenario.find(ending).hold()).isEmpty();
  }

  @Test
  void a_task_that_is_claimed_meanwhile_counts_in_its_new_limits() throws Exception {
    Submission submission = PostgresScenario.submission(3);
    scenario.store.submit(submission);
    try (Connection claiming = scenario.database.begin()) {
      assertThat(scenario.claim(claiming, 2)).hasSize(2);
      Future<RulesChanged> changed = scenario.blocked(() -> change(submission.batch()));
      claiming.commit();
      assertThat(changed.get().tasks()).isEqualTo(3);
    }
    assertUsed(2);
  }
}
