// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.ScheduleDelay;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.FiringDecider;
import dev.perdure.engine.spi.ScheduleStore.FiringDecision;
import dev.perdure.engine.spi.ScheduleStore.FiringRound;
import dev.perdure.engine.spi.ScheduleStore.ScheduleContent;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Schedules that cannot fire: the others do, and they fire when the cause is gone. */
abstract class ScheduleProblemContract extends ScheduleSetup {

  private final List<FiringProblem> heard = new ArrayList<>();

  ScheduleProblemContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private ManualEngine listening() {
    ManualEngine node =
        ManualEngines.on(store, clock, ManualEngines.AT_ONCE)
            .name("listening")
            .listener(
                new EngineListener() {
                  @Override
                  public void onFiringFailed(List<FiringProblem> problems) {
                    heard.addAll(problems);
                  }
                })
            .buildManual();
    node.renew();
    return node;
  }

  /** Stores a schedule whose template no node can read. */
  private Schedule unreadable(String name) {
    UUID id = ids.next(ScheduleStore.shard(name, shards));
    store
        .schedules()
        .create(
            id,
            new ScheduleContent(
                name,
                EVERY_MINUTE,
                DEFAULTS.overlap(),
                DEFAULTS.misfire(),
                true,
                "{\"batch\": \"secret\"}",
                null));
    return current(id);
  }

  private Schedule current(UUID id) {
    return store.schedules().find(id).orElseThrow();
  }

  @Test
  void one_that_cannot_be_read_does_not_stop_the_others() {
    ManualEngine node = listening();
    Schedule before = schedules(node).create("a", EVERY_MINUTE, task(), DEFAULTS);
    Schedule broken = unreadable("b");
    Schedule after = schedules(node).create("c", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);
    assertThat(node.fireSchedules()).isEqualTo(3);

    assertThat(outcomes(before)).containsExactly(Outcome.FIRED);
    assertThat(outcomes(after)).containsExactly(Outcome.FIRED);
    assertThat(outcomes(broken)).isEmpty();
    Schedule found = current(broken.id());
    assertThat(found.problem()).contains("cannot be read").doesNotContain("secret");
    assertThat(found.enabled()).isTrue();
    assertThat(found.nextAt()).as("nothing is forgotten").isEqualTo(broken.nextAt());
    assertThat(heard)
        .containsExactly(
            new FiringProblem(broken.id(), "b", String.valueOf(found.problem()), false));
    assertThat(node.fireSchedules()).as("not at once").isZero();
    assertThatThrownBy(() -> schedules(node).trigger(broken.id()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void it_is_among_the_delays_until_it_fires() {
    ManualEngine node = node("north");
    Schedule late = schedules(node).create("late", EVERY_MINUTE, task(), DEFAULTS);
    Schedule broken = unreadable("broken");
    clock.advance(MINUTE.plusSeconds(1));
    assertThat(delays()).as("a minute late at most").isEmpty();
    node.fireSchedules();
    ScheduleDelay problem = overdue(broken, current(broken.id()).problem());
    assertThat(delays()).containsExactly(problem);
    assertThat(problem.problem()).contains("cannot be read");

    clock.advance(MINUTE.multipliedBy(4));
    work(node);
    node.fireSchedules();
    assertThat(delays()).hasSize(2).first().isEqualTo(problem);
    assertThat(delays().getLast().firing())
        .isEqualTo(store.schedules().firings(late.id(), 1).getFirst());
  }

  @Test
  void a_firing_that_nobody_tries_is_among_the_delays_after_a_minute() {
    Schedule late = schedules(node("north")).create("late", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE.multipliedBy(2).minus(MILLI));
    assertThat(delays()).isEmpty();
    clock.advance(MILLI);
    assertThat(delays()).containsExactly(overdue(late, null));
    assertThat(store.overview().scheduleDelays(0)).isEmpty();
  }

  @Test
  void a_firing_that_stands_for_missed_ones_is_among_the_delays() {
    ManualEngine node = node("north");
    Schedule schedule = schedules(node).create("often", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE.multipliedBy(3).plusSeconds(1));
    node.fireSchedules();

    assertThat(delays())
        .singleElement()
        .extracting(ScheduleDelay::schedule)
        .isEqualTo(schedule.id());
    schedules(node).trigger(schedule.id());
    assertThat(delays()).as("not by hand").hasSize(1);
    clock.advance(OverviewStore.RECENT);
    assertThat(delays()).extracting(ScheduleDelay::firing).containsOnlyNulls();
  }

  private List<ScheduleDelay> delays() {
    return store.overview().scheduleDelays(10);
  }

  private static ScheduleDelay overdue(Schedule schedule, @Nullable String problem) {
    return ScheduleDelay.overdue(
        schedule.id(), schedule.name(), Objects.requireNonNull(schedule.nextAt()), problem);
  }

  @Test
  void it_is_tried_again_and_says_so_once() {
    ManualEngine node = listening();
    unreadable("b");
    clock.advance(MINUTE);
    node.fireSchedules();
    clock.advance(FiringProblem.RETRY_AFTER.minus(MILLI));
    assertThat(node.fireSchedules()).isZero();
    clock.advance(MILLI);
    assertThat(node.fireSchedules()).isEqualTo(1);

    assertThat(heard).extracting(FiringProblem::repeated).containsExactly(false, true);
  }

  @Test
  void it_fires_once_for_all_that_it_missed_when_the_cause_is_gone() {
    Schedule schedule = schedules(node("north")).create("a", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);
    for (int i = 0; i < 10; i++) {
      fire(failing("a"));
      clock.advance(FiringProblem.RETRY_AFTER);
    }
    assertThat(outcomes(schedule)).isEmpty();
    node("south").fireSchedules();

    assertThat(store.schedules().firings(schedule.id(), 10))
        .singleElement()
        .satisfies(
            firing -> {
              assertThat(firing.outcome()).isEqualTo(Outcome.FIRED);
              assertThat(firing.missed()).isEqualTo(5);
            });
    assertThat(current(schedule.id()).problem()).isNull();
    assertThat(store.schedules().liveTasks(schedule.id(), 10)).hasSize(1);
  }

  @Test
  void an_edit_is_a_new_start() {
    ManualEngine node = node("north");
    Schedule broken = unreadable("b");
    clock.advance(MINUTE);
    node.fireSchedules();
    schedules(node).update(broken.id(), EVERY_MINUTE, task(), DEFAULTS, null);

    assertThat(current(broken.id()).problem()).isNull();
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(outcomes(broken)).containsExactly(Outcome.FIRED);
  }

  @Test
  void messages_of_unexpected_exceptions_are_not_shown() {
    Schedule schedule = schedules(node("north")).create("a", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);
    FiringRound round = fire(failing("a"));

    assertThat(round.schedules()).isEqualTo(1);
    assertThat(round.problems())
        .extracting(FiringProblem::problem)
        .containsExactly("it failed with ArithmeticException");
    assertThat(current(schedule.id()).problem()).isEqualTo("it failed with ArithmeticException");
  }

  @Test
  void tasks_that_the_store_refuses_do_not_stop_the_others() {
    ManualEngine node = node("north");
    List<Schedule> all = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      all.add(schedules(node).create("s" + i, EVERY_MINUTE, task(), DEFAULTS));
    }
    clock.advance(MINUTE);
    // Ids that do not ascend.
    FiringRound round =
        fire(due -> due.name().equals("s4") ? submission(due, true) : submission(due, false));

    assertThat(round.schedules()).isEqualTo(9);
    assertThat(round.problems()).extracting(FiringProblem::name).containsExactly("s4");
    for (Schedule schedule : all) {
      boolean refused = schedule.name().equals("s4");
      assertThat(outcomes(schedule)).hasSize(refused ? 0 : 1);
      assertThat(store.schedules().liveTasks(schedule.id(), 10)).hasSize(refused ? 0 : 2);
      assertThat(current(schedule.id()).problem() != null).isEqualTo(refused);
    }
  }

  @Test
  void tasks_that_cannot_be_written_do_not_stop_the_others() {
    ManualEngine node = node("north");
    Schedule good = schedules(node).create("good", EVERY_MINUTE, task(), DEFAULTS);
    Schedule bad = schedules(node).create("bad", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);

    FiringRound round = fire(due -> due.id().equals(bad.id()) ? unreadable(due) : rows(due, 2));

    assertThat(round.problems()).extracting(FiringProblem::name).containsExactly("bad");
    assertThat(store.schedules().liveTasks(good.id(), 10)).hasSize(2);
    assertThat(store.schedules().liveTasks(bad.id(), 10)).isEmpty();
  }

  private Submission unreadable(Schedule schedule) {
    int shard = Shards.of(schedule.id());
    TaskDefinition definition = KeyedTasks.keyed("sync", null, "{}", null, "no rules");
    return new Submission(
        ids.next(shard), List.of(new NewTaskRow(ids.next(shard), definition, DueTime.now())));
  }

  @Test
  void a_round_ends_when_it_has_submitted_many_tasks() {
    ManualEngine node = node("north");
    IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "s" + i)
        .filter(name -> ScheduleStore.shard(name, store.shards()) == 0)
        .limit(3)
        .forEach(name -> schedules(node).create(name, EVERY_MINUTE, task(), DEFAULTS));
    clock.advance(MINUTE);
    int tasks = ScheduleStore.MAX_TASKS_PER_ROUND / 2;

    assertThat(fire(due -> rows(due, tasks)).schedules()).isEqualTo(2);
    assertThat(fire(due -> rows(due, 1)).schedules()).as("it is still due").isEqualTo(1);
  }

  private Submission rows(Schedule schedule, int tasks) {
    int shard = Shards.of(schedule.id());
    return new Submission(
        ids.next(shard), IntStream.range(0, tasks).mapToObj(i -> row(shard)).toList());
  }

  private FiringRound fire(Function<Schedule, Submission> submissions) {
    FiringDecider decider =
        (due, now) -> {
          Submission submission = submissions.apply(due.schedule());
          Instant at = Objects.requireNonNull(due.schedule().nextAt());
          return new FiringDecision(
              List.of(new Firing(at, false, now, Outcome.FIRED, submission.batch(), 0)),
              List.of(submission),
              at.plus(MINUTE),
              at.plus(MINUTE),
              0);
        };
    return store.schedules().fireDue(100, decider);
  }

  private Function<Schedule, Submission> failing(String name) {
    return schedule -> {
      if (schedule.name().equals(name)) {
        throw new ArithmeticException("secret");
      }
      return submission(schedule, false);
    };
  }

  private Submission submission(Schedule schedule, boolean descending) {
    int shard = Shards.of(schedule.id());
    UUID batch = ids.next(shard);
    NewTaskRow first = row(shard);
    NewTaskRow second = row(shard);
    return new Submission(batch, descending ? List.of(second, first) : List.of(first, second));
  }

  private NewTaskRow row(int shard) {
    return new NewTaskRow(ids.next(shard), TaskDefinition.of("sync", "{}"), DueTime.now());
  }

  @Test
  void a_firing_whose_tasks_all_exist_already_is_skipped() {
    ManualEngine node = node("north");
    RetryPolicy hourly = RetryPolicy.fixed(Duration.ofHours(1)).unlimitedRetries().build();
    Batch keyed = Batch.of(NewTask.of("sync", "x").retry(hourly).dedupeKey("one"));
    Schedule first = schedules(node).create("a", EVERY_MINUTE, keyed, DEFAULTS);
    clock.advance(MINUTE);
    node.fireSchedules();
    failing = true;
    work(node);
    clock.advance(MILLI);
    Schedule rest =
        schedules(node)
            .create(
                "a2",
                EVERY_MINUTE,
                Batch.of(
                    NewTask.of("sync", "x").dedupeKey("one"),
                    NewTask.of("sync", "y").dedupeKey("two")),
                DEFAULTS);
    clock.advance(MINUTE);
    node.fireSchedules();

    assertThat(outcomes(first)).containsExactly(Outcome.FIRED, Outcome.SKIPPED);
    assertThatThrownBy(() -> schedules(node).trigger(first.id()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dedupe");
    assertThat(outcomes(rest)).containsExactly(Outcome.FIRED);
    assertThat(store.schedules().liveTasks(first.id(), 10)).hasSize(1);
  }
}
