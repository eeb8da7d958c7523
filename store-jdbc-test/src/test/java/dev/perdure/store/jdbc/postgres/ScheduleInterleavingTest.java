// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.DueSchedule;
import dev.perdure.engine.spi.ScheduleStore.FiringDecider;
import dev.perdure.engine.spi.ScheduleStore.FiringDecision;
import dev.perdure.engine.spi.ScheduleStore.FiringRound;
import dev.perdure.engine.spi.ScheduleStore.ScheduleContent;
import dev.perdure.engine.spi.Submission;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Edits of a schedule beside a firing of it, in both orders, each held open. */
final class ScheduleInterleavingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final PostgresScenario scenario = new PostgresScenario();
  private final ScheduleStore schedules = scenario.store.schedules();
  private final UUID id = PostgresScenario.id();

  @AfterEach
  void close() {
    scenario.close();
  }

  private static ScheduleContent content(Duration every, boolean enabled) {
    return new ScheduleContent(
        "nightly",
        Trigger.every(every),
        Overlap.SKIP,
        Misfire.FIRE_ONCE,
        enabled,
        every.toString(),
        null);
  }

  /** A schedule that is due. */
  private Instant due() {
    schedules.create(id, content(MINUTE, true));
    scenario.clock.advance(MINUTE);
    return scenario.clock.instant();
  }

  private static FiringDecision decide(DueSchedule due, Instant now) {
    Submission submission = PostgresScenario.submission(1);
    Schedule schedule = due.schedule();
    Instant at = Objects.requireNonNullElse(schedule.nextAt(), now);
    Instant next = schedule.enabled() ? schedule.times().next(now) : null;
    return new FiringDecision(
        List.of(new Firing(at, false, now, Outcome.FIRED, submission.batch(), 0)),
        List.of(submission),
        next,
        next,
        0);
  }

  private int fire(Connection connection) throws SQLException {
    return firer(connection).fireDue(10, ScheduleInterleavingTest::decide).schedules();
  }

  private PostgresScheduleFirer firer(Connection connection) {
    return new PostgresScheduleFirer(
        scenario.executor, new PostgresSubmissionWriter(scenario.executor), connection, 0);
  }

  private FiringRound fire() {
    return schedules.fireDue(10, ScheduleInterleavingTest::decide);
  }

  private Schedule found() {
    return schedules.find(id).orElseThrow();
  }

  private long batches() throws SQLException {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(connection, "SELECT count(*) FROM perdure_batch");
    }
  }

  @Test
  void an_edit_waits_for_the_firing_and_counts_from_then() throws Exception {
    Instant now = due();
    try (Connection node = scenario.database.begin()) {
      assertThat(fire(node)).isEqualTo(1);
      Future<Boolean> edit = scenario.blocked(() -> schedules.update(id, content(HOUR, true), 0L));
      node.commit();
      assertThat(edit.get()).isTrue();
    }
    assertThat(found().nextAt()).isEqualTo(now.plus(HOUR));
    assertThat(schedules.firings(id, 10)).extracting(Firing::scheduledFor).containsExactly(now);
    assertThat(batches()).isEqualTo(1);
  }

  /** With the time from before, it would fire the same instant again. */
  @Test
  void an_edit_that_waited_counts_from_when_it_goes_on() throws Exception {
    due();
    try (Connection node = scenario.database.begin()) {
      assertThat(fire(node)).isEqualTo(1);
      Future<Boolean> edit = scenario.blocked(() -> schedules.update(id, content(HOUR, true), 0L));
      scenario.clock.advance(HOUR.multipliedBy(2));
      node.commit();
      assertThat(edit.get()).isTrue();
    }
    assertThat(found().nextAt()).isEqualTo(scenario.clock.instant().plus(HOUR));
  }

  @Test
  void an_edit_whose_response_was_lost_is_not_taken_for_a_conflict() {
    due();
    ResponseLosingDataSource losing = new ResponseLosingDataSource(scenario.dataSource(), "COMMIT");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scenario.clock).open()) {
      losing.loseNext();
      assertThat(store.schedules().update(id, content(HOUR, true), 0L)).isTrue();
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(found().version()).isEqualTo(1);
    assertThat(schedules.update(id, content(HOUR, true), 0L)).as("an old version").isFalse();
  }

  @Test
  void a_pause_beside_a_firing_that_is_rolled_back_leaves_nothing() throws Exception {
    due();
    try (Connection node = scenario.database.begin()) {
      assertThat(fire(node)).isEqualTo(1);
      Future<Boolean> pause =
          scenario.blocked(() -> schedules.update(id, content(MINUTE, false), 0L));
      node.rollback();
      assertThat(pause.get()).isTrue();
    }
    assertThat(fire()).isEqualTo(FiringRound.NONE);
    assertThat(found().nextAt()).isNull();
    assertThat(schedules.firings(id, 10)).isEmpty();
    assertThat(batches()).isZero();
  }

  @Test
  void a_delete_waits_for_the_firing_and_takes_its_history_along() throws Exception {
    due();
    try (Connection node = scenario.database.begin()) {
      assertThat(fire(node)).isEqualTo(1);
      Future<Boolean> delete = scenario.blocked(() -> schedules.delete(id));
      node.commit();
      assertThat(delete.get()).isTrue();
    }
    assertThat(schedules.find(id)).isEmpty();
    assertThat(schedules.firings(id, 10)).isEmpty();
    assertThat(schedules.liveTasks(id, 10)).as("for the one who deletes it").hasSize(1);
    assertThat(fire()).isEqualTo(FiringRound.NONE);
  }

  @Test
  void a_node_leaves_a_schedule_alone_while_it_is_edited_and_then_follows_the_edit()
      throws Exception {
    Instant now = due();
    try (Connection editor = scenario.database.begin()) {
      hold(
          editor,
          """
          UPDATE perdure_schedule
          SET trigger_json = '{"every":"1h"}', version = 1, anchor_at = '%1$s',
            next_at = '%1$s'::timestamptz + INTERVAL '1 hour',
            look_at = '%1$s'::timestamptz + INTERVAL '1 hour'
          """
              .formatted(now));
      assertThat(fire()).isEqualTo(FiringRound.NONE);
      editor.commit();
    }
    assertThat(fire()).isEqualTo(FiringRound.NONE);
    scenario.clock.advance(HOUR);
    assertThat(fire()).isEqualTo(new FiringRound(1, List.of()));
    assertThat(schedules.firings(id, 10))
        .extracting(Firing::scheduledFor)
        .containsExactly(now.plus(HOUR));
  }

  @Test
  void an_edit_that_is_rolled_back_loses_no_firing() throws Exception {
    Instant now = due();
    try (Connection editor = scenario.database.begin()) {
      hold(editor, "UPDATE perdure_schedule SET enabled = false, next_at = NULL, look_at = NULL");
      assertThat(fire()).isEqualTo(FiringRound.NONE);
      editor.rollback();
    }
    assertThat(fire().schedules()).isEqualTo(1);
    assertThat(schedules.firings(id, 10)).extracting(Firing::scheduledFor).containsExactly(now);
  }

  @Test
  void a_node_does_not_fire_a_schedule_that_is_being_deleted() throws Exception {
    due();
    try (Connection editor = scenario.database.begin()) {
      hold(editor, "DELETE FROM perdure_schedule");
      assertThat(fire()).isEqualTo(FiringRound.NONE);
      Future<Optional<List<Firing>>> byHand =
          scenario.blocked(() -> schedules.fire(id, ScheduleInterleavingTest::decide));
      editor.commit();
      assertThat(byHand.get()).as("it does not exist any more").isEmpty();
    }
    assertThat(batches()).isZero();
  }

  @Test
  void a_trigger_by_hand_that_waited_for_an_edit_submits_what_the_edit_says() throws Exception {
    due();
    AtomicReference<String> template = new AtomicReference<>("");
    FiringDecider decider =
        (due, now) -> {
          template.set(due.schedule().template());
          return decide(due, now);
        };
    try (Connection editor = scenario.database.begin()) {
      hold(editor, "UPDATE perdure_schedule SET template = 'edited'");
      Future<Optional<List<Firing>>> byHand = scenario.blocked(() -> schedules.fire(id, decider));
      editor.commit();
      assertThat(byHand.get()).isPresent();
    }
    assertThat(template).hasValue("edited");
  }

  /** A statement that waited for the lock would not see what was committed meanwhile. */
  @Test
  void a_node_that_waited_sees_the_tasks_of_the_firing_before() throws Exception {
    due();
    AtomicReference<DueSchedule> seen = new AtomicReference<>();
    FiringDecider decider =
        (due, now) -> {
          seen.set(due);
          return new FiringDecision(List.of(), List.of(), due.schedule().nextAt(), now, 0);
        };
    try (Connection node = scenario.database.begin()) {
      fire(node);
      Future<Optional<List<Firing>>> second = scenario.blocked(() -> schedules.fire(id, decider));
      node.commit();
      assertThat(second.get()).isPresent();
    }
    assertThat(seen.get().busy()).isTrue();
  }

  @Test
  void a_trigger_that_this_node_cannot_read_stops_only_its_own_schedule() throws Exception {
    schedules.create(
        PostgresScenario.id(),
        new ScheduleContent(
            "other", Trigger.every(MINUTE), Overlap.SKIP, Misfire.SKIP, true, "", null));
    due();
    scenario.execute(
        "UPDATE perdure_schedule SET trigger_json = '{\"cron\": \"* * * * *\", \"zone\": \"Mars\"}'"
            + " WHERE name = 'nightly'");
    FiringRound round = fire();

    assertThat(round.schedules()).isEqualTo(2);
    assertThat(round.problems()).extracting(FiringProblem::name).containsExactly("nightly");
    assertThat(found().problem()).contains("trigger cannot be read", "Mars");
    assertThat(schedules.list("", 10)).hasSize(2);
    assertThat(schedules.delete(id)).isTrue();
  }

  private static void hold(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }
}
