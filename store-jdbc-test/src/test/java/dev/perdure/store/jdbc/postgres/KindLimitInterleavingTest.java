// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Setting the limits of a kind beside claims and ends that are held open. */
final class KindLimitInterleavingTest {

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  private boolean set(int max) {
    scenario
        .store
        .limits()
        .setKind("a", List.of(Limit.concurrency(max)), KindLimit.Source.OPERATOR);
    return true;
  }

  private List<Task> claim() {
    return PostgresScenario.tasks(scenario.store.claim(scenario.request(10)));
  }

  private LimitUsage usage() {
    return scenario.store.limits().list("", 10).getFirst();
  }

  @Test
  void tasks_of_a_claim_that_did_not_see_the_limit_count() throws Exception {
    scenario.store.submit(PostgresScenario.submission(5));
    try (Connection claiming = scenario.database.begin()) {
      assertThat(scenario.claim(claiming, 2)).hasSize(2);
      Future<Boolean> set = scenario.blocked(() -> set(2));
      Future<List<Task>> claim = scenario.blocked(this::claim);
      claiming.commit();
      assertThat(set.get()).isTrue();
      assertThat(claim.get()).as("the limit is reached").isEmpty();
    }
    assertThat(claim()).isEmpty();
    assertThat(usage().used()).isEqualTo(2);
    assertThat(scenario.store.maintenance().sweepLimits("", 10))
        .isEqualTo(new LimitSweep(null, 0, 0));
  }

  @Test
  void does_not_wait_for_a_dump_and_counts_with_the_next_sweep_what_was_claimed_meanwhile()
      throws Exception {
    scenario.store.submit(PostgresScenario.submission(6));
    try (Connection dump = scenario.database.begin();
        Statement statement = dump.createStatement();
        Connection claiming = scenario.database.begin()) {
      statement.execute("LOCK TABLE perdure_kind_limit IN ACCESS SHARE MODE");
      assertThat(scenario.claim(claiming, 2)).hasSize(2);
      set(3);
      claiming.commit();
    }
    scenario.store.maintenance().sweepLimits("", 10);

    assertThat(claim()).hasSize(1);
    assertThat(usage().used()).isEqualTo(3);
    assertThat(scenario.store.maintenance().sweepLimits("", 10))
        .isEqualTo(new LimitSweep(null, 0, 0));
  }

  @Test
  void a_task_that_a_handler_is_ending_does_not_hold_it_up() throws Exception {
    List<Task> running = scenario.running(2);
    scenario.store.submit(PostgresScenario.submission(3));
    try (Connection handler = scenario.database.begin()) {
      scenario.apply(handler, scenario.success(running.getFirst()));
      set(1);
      assertThat(claim()).as("one still runs").isEmpty();
      handler.commit();
    }
    assertThat(claim()).isEmpty();
    scenario.store.apply(List.of(scenario.success(running.getLast())));
    assertThat(claim()).hasSize(1);
  }

  @Test
  void ends_and_submissions_do_not_wait_for_it() throws Exception {
    Task running = scenario.running(1).getFirst();
    try (Connection setting = scenario.database.begin();
        Statement statement = setting.createStatement()) {
      statement.execute("LOCK TABLE perdure_kind_limit IN ACCESS EXCLUSIVE MODE");
      assertThat(scenario.store.apply(List.of(scenario.success(running))))
          .allMatch(result -> result.applied());
      scenario.store.submit(PostgresScenario.submission(1));
      setting.commit();
    }
    assertThat(claim()).hasSize(1);
  }
}
