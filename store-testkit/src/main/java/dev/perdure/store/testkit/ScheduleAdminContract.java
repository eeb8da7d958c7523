// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Schedules that operators and applications create, change and delete. */
abstract class ScheduleAdminContract extends ScheduleSetup {

  ScheduleAdminContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void can_be_triggered_by_hand_even_while_it_is_paused_or_busy() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS.withEnabled(false));
    UUID first = schedules(node).trigger(schedule.id());
    UUID second = schedules(node).trigger(schedule.id());

    assertThat(store.schedules().firings(schedule.id(), 10))
        .allMatch(Firing::manual)
        .extracting(Firing::batch)
        .containsExactly(second, first);
    assertThat(store.schedules().liveTasks(schedule.id(), 10)).hasSize(2);
    assertThat(find(node, "nightly").nextAt()).isNull();
    assertThatThrownBy(() -> schedules(node).trigger(first))
        .isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void an_edit_counts_from_now_and_leaves_tasks_alone() {
    ManualEngine node = node("north");
    Schedule schedule = schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);
    node.fireSchedules();
    UUID live = store.schedules().liveTasks(schedule.id(), 10).getFirst();
    clock.advance(Duration.ofSeconds(30));
    Instant edited = clock.instant();
    Trigger daily = Trigger.cron("0 8 * * *", ZoneOffset.UTC);
    Batch other = Batch.of(NewTask.of("sync", "y"));
    Schedule after =
        schedules(node).update(schedule.id(), daily, other, DEFAULTS, schedule.version());

    assertThat(after.nextAt()).isAfter(edited);
    assertThat(after.version()).isEqualTo(schedule.version() + 1);
    assertThat(after.firings()).isEqualTo(1);
    assertThat(store.reader().find(live).orElseThrow().definition().payload()).isEqualTo("\"x\"");
    assertThatThrownBy(
            () -> schedules(node).update(schedule.id(), daily, other, DEFAULTS, schedule.version()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("version");
  }

  @Test
  void an_edit_that_changes_nothing_does_not_start_the_interval_anew() {
    ManualEngine node = node("north");
    Schedule schedule = schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE.minusMillis(1));

    assertThat(schedules(node).resume(schedule.id())).isEqualTo(schedule);
    assertThat(schedules(node).update(schedule.id(), EVERY_MINUTE, DEFAULTS, null))
        .isEqualTo(schedule);
    assertThat(schedules(node).update(schedule.id(), EVERY_MINUTE, task(), DEFAULTS, 0L))
        .isEqualTo(schedule);
    assertThatThrownBy(
            () -> schedules(node).update(schedule.id(), EVERY_MINUTE, task(), DEFAULTS, 7L))
        .hasMessageContaining("version");
    clock.advance(MILLI);
    assertThat(node.fireSchedules()).isEqualTo(1);
  }

  @Test
  void deleting_it_cancels_what_is_live() {
    ManualEngine node = node("north");
    Schedule schedule = schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
    clock.advance(MINUTE);
    node.fireSchedules();
    UUID live = store.schedules().liveTasks(schedule.id(), 10).getFirst();
    schedules(node).delete(schedule.id());

    assertThat(schedules(node).find(schedule.id())).isEmpty();
    assertThat(store.reader().find(live).orElseThrow().state()).isEqualTo(TaskState.CANCELED);
    clock.advance(MINUTE);
    assertThat(node.fireSchedules()).isZero();
    schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);
  }

  @Test
  void a_declared_schedule_is_created_changed_and_stays_paused() {
    ManualEngine first = node("north");
    first.engine().schedule("nightly", EVERY_MINUTE, NewTask.of("sync", "x"), DEFAULTS);
    first.fireSchedules();
    Schedule created = find(first, "nightly");
    schedules(first).pause(created.id());
    ManualEngine same = node("south");
    same.engine().schedule("nightly", EVERY_MINUTE, NewTask.of("sync", "x"), DEFAULTS);
    same.fireSchedules();
    assertThat(find(same, "nightly").version()).as("nothing to change").isEqualTo(1);
    ManualEngine other = node("west");
    other.engine().schedule("nightly", EVERY_MINUTE, NewTask.of("sync", "y"), DEFAULTS);
    other.engine().schedule("hourly", EVERY_MINUTE, NewTask.of("sync", "y"), DEFAULTS);
    other.fireSchedules();

    assertThat(find(other, "nightly").version()).isEqualTo(2);
    assertThat(find(other, "nightly").enabled()).isFalse();
    assertThat(schedules(other).list("", 10))
        .extracting(Schedule::name)
        .containsExactly("hourly", "nightly");
    assertThat(schedules(other).deleteAllExcept(Set.of("nightly"))).containsExactly("hourly");
  }

  @Test
  void names_are_unique_and_what_cannot_be_repeated_is_refused() {
    ManualEngine node = node("north");
    schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS);

    assertThatThrownBy(() -> schedules(node).create("nightly", EVERY_MINUTE, task(), DEFAULTS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already a schedule named 'nightly'");
    for (NewTask task :
        List.of(
            NewTask.of("sync", "x").runAt(clock.instant()),
            NewTask.of("sync", "x").deadline(clock.instant()),
            NewTask.of("sync", "x").after(UUID.randomUUID()))) {
      assertThatThrownBy(
              () -> schedules(node).create("other", EVERY_MINUTE, Batch.of(task), DEFAULTS))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(schedules(node).findByName("other")).isEmpty();
    assertThatThrownBy(
            () ->
                node.engine()
                    .schedule(
                        "other",
                        EVERY_MINUTE,
                        NewTask.of("sync", "x").deadline(clock.instant()),
                        DEFAULTS))
        .as("at once, not at each attempt to fire")
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_declared_payload_whose_fields_have_another_order_changes_nothing() {
    ManualEngine node = node("north");
    Map<String, Object> payload = new LinkedHashMap<>(Map.of("court", 3));
    payload.put("day", Map.of("of", "week"));
    node.engine().schedule("nightly", EVERY_MINUTE, NewTask.of("sync", payload), DEFAULTS);
    node.fireSchedules();
    Map<String, Object> reversed = new LinkedHashMap<>(Map.of("day", Map.of("of", "week")));
    reversed.put("court", 3);
    ManualEngine other = node("south");
    other.engine().schedule("nightly", EVERY_MINUTE, NewTask.of("sync", reversed), DEFAULTS);
    clock.advance(MINUTE);

    assertThat(other.fireSchedules()).as("it is due all the same").isEqualTo(1);
    assertThat(find(node, "nightly").version()).isZero();
  }

  @Test
  void old_firings_are_deleted() {
    ManualEngine node = node("north");
    Schedule schedule =
        schedules(node).create("often", Trigger.every(Duration.ofSeconds(1)), task(), DEFAULTS);
    for (int i = 0; i < 25; i++) {
      clock.advance(Duration.ofSeconds(10));
      node.fireSchedules();
    }

    assertThat(schedules(node).find(schedule.id()).orElseThrow().firings()).isEqualTo(250);
    assertThat(store.schedules().firings(schedule.id(), 1000)).hasSizeBetween(100, 200);
  }
}
