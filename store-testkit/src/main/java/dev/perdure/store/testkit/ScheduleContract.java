// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** When schedules fire, and what they submit. */
abstract class ScheduleContract extends ScheduleSetup {

  ScheduleContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void fires_at_each_instant_once_on_any_number_of_nodes() {
    ManualEngine north = node("north");
    ManualEngine south = node("south");
    Instant start = clock.instant();
    Schedule schedule = schedules(north).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    for (int i = 0; i < 6; i++) {
      clock.advance(Duration.ofSeconds(30));
      south.fireSchedules();
      north.fireSchedules();
      work(north);
      work(south);
    }

    assertThat(outcomes(schedule)).containsExactly(Outcome.FIRED, Outcome.FIRED, Outcome.FIRED);
    assertThat(instants(schedule))
        .containsExactly(
            start.plus(MINUTE),
            start.plus(MINUTE.multipliedBy(2)),
            start.plus(MINUTE.multipliedBy(3)));
    for (Firing firing : store.schedules().firings(schedule.id(), 10)) {
      assertThat(
              store.batches().find(Objects.requireNonNull(firing.batch())).orElseThrow().endedAt())
          .isNotNull();
    }
    assertThat(find(north, "nightly").nextAt()).isEqualTo(start.plus(MINUTE.multipliedBy(4)));
  }

  @Test
  void does_not_fire_early_or_while_it_is_paused() {
    ManualEngine node = node("north");
    Schedule schedule = schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE.minusMillis(1));
    assertThat(node.fireSchedules()).isZero();
    assertThat(schedules(node).pause(schedule.id()).nextAt()).isNull();
    clock.advance(MINUTE);
    assertThat(node.fireSchedules()).isZero();
    Instant resumed = clock.instant();
    schedules(node).resume(schedule.id());

    assertThat(node.fireSchedules()).as("it counts from now").isZero();
    assertThat(find(node, "nightly").nextAt()).isEqualTo(resumed.plus(MINUTE));
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(instants(schedule)).containsExactly(resumed.plus(MINUTE));
  }

  @Test
  void a_busy_schedule_skips_its_firings() {
    ManualEngine node = node("north");
    Schedule schedule = schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);
    node.fireSchedules();
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(outcomes(schedule))
        .as("not claimed")
        .containsExactly(Outcome.FIRED, Outcome.SKIPPED);
    node.renew();
    node.claim();
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(outcomes(schedule)).as("running").endsWith(Outcome.SKIPPED);
    handlers.remove().run();
    node.settle();
    clock.advance(MINUTE);
    node.fireSchedules();

    assertThat(outcomes(schedule)).endsWith(Outcome.FIRED);
  }

  @Test
  void a_waiting_retry_does_not_keep_it_busy() {
    ManualEngine node = node("north");
    RetryPolicy hourly = RetryPolicy.fixed(Duration.ofHours(1)).unlimitedRetries().build();
    Schedule schedule =
        schedules(node)
            .create(
                "nightly", EVERY_MINUTE, Batch.of(NewTask.of("sync", "x").retry(hourly)), DEFAULTS);
    failing = true;
    clock.advance(MINUTE);
    node.fireSchedules();
    work(node);
    clock.advance(MINUTE);
    node.fireSchedules();
    work(node);

    assertThat(outcomes(schedule)).containsExactly(Outcome.FIRED, Outcome.FIRED);
    List<Task> retries = schedules(node).retriesUnderWay(schedule.id(), 10);
    assertThat(retries).hasSize(2);
    assertThat(schedules(node).cancelRetries(schedule.id(), retries.getFirst().id())).isEqualTo(1);
    assertThat(schedules(node).cancelRetries(schedule.id(), null)).isEqualTo(1);
    assertThat(store.reader().findAll(retries.stream().map(Task::id).toList()))
        .allMatch(task -> task.state() == TaskState.CANCELED);
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(outcomes(schedule)).as("the schedule goes on").hasSize(3);
  }

  @Test
  void queued_firings_run_one_after_the_other() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node)
            .create("nightly", EVERY_MINUTE, task(), DEFAULTS.withOverlap(Overlap.QUEUE));
    for (int i = 0; i < 3; i++) {
      clock.advance(MINUTE);
      node.fireSchedules();
    }
    assertThat(outcomes(schedule)).containsExactly(Outcome.FIRED, Outcome.QUEUED, Outcome.QUEUED);
    assertThat(find(node, "nightly").queued()).isEqualTo(2);
    work(node);
    clock.advance(Duration.ofSeconds(1));
    node.fireSchedules();
    assertThat(outcomes(schedule)).containsExactly(Outcome.FIRED, Outcome.FIRED, Outcome.QUEUED);
    clock.advance(Duration.ofSeconds(1));
    node.fireSchedules();
    assertThat(outcomes(schedule)).as("busy again").endsWith(Outcome.QUEUED);
    work(node);
    clock.advance(Duration.ofSeconds(1));
    node.fireSchedules();

    assertThat(outcomes(schedule)).containsOnly(Outcome.FIRED);
    assertThat(find(node, "nightly").queued()).isZero();
    schedules(node).pause(schedule.id());
  }

  @Test
  void queued_firings_wait_while_the_schedule_is_paused() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node)
            .create("nightly", EVERY_MINUTE, task(), DEFAULTS.withOverlap(Overlap.QUEUE));
    for (int i = 0; i < 2; i++) {
      clock.advance(MINUTE);
      node.fireSchedules();
    }
    schedules(node).pause(schedule.id());
    work(node);
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(outcomes(schedule)).containsExactly(Outcome.FIRED, Outcome.QUEUED);
    schedules(node).trigger(schedule.id());
    work(node);
    clock.advance(MINUTE);
    node.fireSchedules();
    assertThat(outcomes(schedule)).as("also after a firing by hand").contains(Outcome.QUEUED);

    schedules(node).resume(schedule.id());
    node.fireSchedules();

    assertThat(outcomes(schedule))
        .as("its own, the queued one, and the one by hand")
        .containsExactly(Outcome.FIRED, Outcome.FIRED, Outcome.FIRED);
    schedules(node).pause(schedule.id());
  }

  @Test
  void firings_that_may_overlap_all_fire() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node)
            .create("nightly", EVERY_MINUTE, task(), DEFAULTS.withOverlap(Overlap.ALLOW));
    for (int i = 0; i < 3; i++) {
      clock.advance(MINUTE);
      node.fireSchedules();
    }

    assertThat(outcomes(schedule)).containsOnly(Outcome.FIRED).hasSize(3);
    assertThat(store.schedules().liveTasks(schedule.id(), 10)).hasSize(3);
  }

  @Test
  void missed_firings_are_made_up_for_once() {
    ManualEngine node = node("north");
    Instant start = clock.instant();
    Schedule schedule = schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE.multipliedBy(10).plusSeconds(5));
    node.fireSchedules();

    assertThat(store.schedules().firings(schedule.id(), 10))
        .singleElement()
        .satisfies(
            firing -> {
              assertThat(firing.scheduledFor()).isEqualTo(start.plus(MINUTE.multipliedBy(10)));
              assertThat(firing.outcome()).isEqualTo(Outcome.FIRED);
              assertThat(firing.missed()).isEqualTo(9);
            });
    assertThat(find(node, "nightly").nextAt()).isEqualTo(start.plus(MINUTE.multipliedBy(11)));
  }

  @Test
  void or_skipped_and_noted() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS.withMisfire(Misfire.SKIP));
    clock.advance(MINUTE.plusSeconds(60));
    node.fireSchedules();
    assertThat(outcomes(schedule)).as("not late enough").contains(Outcome.FIRED);
    clock.advance(MINUTE.multipliedBy(5).plusSeconds(1));
    work(node);
    node.fireSchedules();

    assertThat(outcomes(schedule)).endsWith(Outcome.MISSED);
    assertThat(store.schedules().liveTasks(schedule.id(), 10)).isEmpty();
  }

  @Test
  void firings_that_are_only_a_little_late_all_count() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node)
            .create(
                "often",
                Trigger.every(Duration.ofSeconds(1)),
                task(),
                DEFAULTS.withOverlap(Overlap.ALLOW));
    clock.advance(Duration.ofSeconds(5));
    node.fireSchedules();

    assertThat(outcomes(schedule)).containsOnly(Outcome.FIRED).hasSize(5);
  }

  @Test
  void a_firing_submits_a_whole_graph() {
    ManualEngine node = node("north");
    Batch graph =
        Batch.of(
                NewTask.of("sync", "a").id("first"),
                NewTask.of("sync", "b").after("first"),
                NewTask.of("sync", "c").runIn(Duration.ofHours(1)))
            .name("report");
    Schedule schedule = schedules(node).create("report", EVERY_MINUTE, graph, DEFAULTS);
    clock.advance(MINUTE);
    node.fireSchedules();
    List<UUID> tasks = store.schedules().liveTasks(schedule.id(), 10);
    work(node);

    assertThat(tasks).hasSize(3);
    assertThat(store.reader().findAll(tasks).stream().map(Task::state))
        .containsExactlyInAnyOrder(TaskState.SUCCESS, TaskState.WAITING, TaskState.PENDING);
    UUID batch =
        Objects.requireNonNull(store.schedules().firings(schedule.id(), 1).getFirst().batch());
    assertThat(store.batches().find(batch).orElseThrow().definition().name()).isEqualTo("report");
  }
}
