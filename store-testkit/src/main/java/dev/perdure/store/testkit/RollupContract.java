// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.DeadLetters;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.engine.spi.RollupJson;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.task.DueTime;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rollups: what stores keep of them, and what engines write. */
abstract class RollupContract extends StatisticsContract {

  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  RollupContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static RollupCounts counts(int started) {
    RollupCounts counts = new RollupCounts();
    counts.add(RollupCounter.STARTED, started);
    counts.addToKind("a \"quoted\" kind", RollupCounter.STARTED, started);
    counts.runTimes().add(3, started);
    counts.lateness().add(15, 1);
    return counts;
  }

  private static Rollup minute(int minute, UUID node, int started) {
    return new Rollup(
        RollupStep.MINUTE, FakeClock.START.plusSeconds(60L * minute), node, counts(started));
  }

  private List<Rollup> read(RollupStep step, Instant from, int limit) {
    List<Rollup> found = new ArrayList<>();
    int read = store.rollups().read(step, from, limit, found::add);
    assertThat(read).isEqualTo(found.size());
    return found;
  }

  private List<Rollup> minutes() {
    return read(RollupStep.MINUTE, Instant.EPOCH, RollupStore.MAX_READ);
  }

  private static List<String> texts(List<Rollup> rollups) {
    return rollups.stream()
        .map(one -> one.step() + " " + one.at() + " " + RollupJson.write(one.counts()))
        .toList();
  }

  private static long sum(List<Rollup> rollups, RollupCounter counter) {
    return rollups.stream().mapToLong(one -> one.counts().total(counter)).sum();
  }

  @Test
  void rollups_are_read_newest_first_with_all_their_counts() {
    clock.advance(Duration.ofSeconds(7));
    Instant now =
        store.rollups().write(List.of(minute(0, ONE, 1), minute(2, ONE, 3), minute(1, ONE, 2)));

    assertThat(now).isEqualTo(FakeClock.START.plusSeconds(7));
    assertThat(texts(minutes()))
        .isEqualTo(texts(List.of(minute(2, ONE, 3), minute(1, ONE, 2), minute(0, ONE, 1))));
    assertThat(minutes()).extracting(Rollup::node).containsOnly(ONE);
  }

  @Test
  void reading_begins_at_an_instant_and_stops_at_the_limit() {
    store.rollups().write(List.of(minute(0, ONE, 1), minute(1, ONE, 2), minute(2, ONE, 3)));

    Instant second = FakeClock.START.plusSeconds(60);
    assertThat(read(RollupStep.MINUTE, second, 10))
        .extracting(Rollup::at)
        .containsExactly(second.plusSeconds(60), second);
    assertThat(read(RollupStep.MINUTE, second.plusMillis(1), 10)).hasSize(1);
    assertThat(read(RollupStep.MINUTE, Instant.EPOCH, 1))
        .extracting(Rollup::at)
        .containsExactly(second.plusSeconds(60));
    assertThat(read(RollupStep.HOUR, Instant.EPOCH, 10)).isEmpty();
  }

  @Test
  void a_rollup_replaces_only_the_one_of_its_own_node() {
    store.rollups().write(List.of(minute(0, ONE, 1), minute(0, OTHER, 10)));
    store.rollups().write(List.of(minute(0, ONE, 5)));
    store.rollups().write(List.of(minute(0, ONE, 5)));

    assertThat(minutes()).hasSize(2);
    assertThat(sum(minutes(), RollupCounter.STARTED)).isEqualTo(15);
  }

  @Test
  void only_the_most_active_kinds_are_kept() {
    RollupCounts many = new RollupCounts();
    IntStream.rangeClosed(1, 150)
        .forEach(
            i -> {
              many.add(RollupCounter.STARTED, i);
              many.addToKind("kind " + i, RollupCounter.STARTED, i);
            });
    store.rollups().write(List.of(new Rollup(RollupStep.MINUTE, FakeClock.START, ONE, many)));

    RollupCounts kept = minutes().getFirst().counts();
    assertThat(kept.kinds()).hasSize(RollupJson.MAX_KINDS).contains("kind 51", "kind 150");
    assertThat(kept.total(RollupCounter.STARTED)).isEqualTo(150 * 151 / 2);
  }

  @ParameterizedTest
  @EnumSource
  void rollups_are_deleted_after_their_retention(RollupStep step) {
    Instant at = FakeClock.START;
    for (int i = 0; i < 3; i++) {
      store.rollups().write(List.of(new Rollup(step, at, new UUID(0, i), counts(1))));
    }
    clock.advance(step.retention());
    assertThat(store.rollups().purge(500)).isZero();
    clock.advance(MILLI);
    assertThat(store.rollups().purge(2)).isEqualTo(2);
    assertThat(read(step, Instant.EPOCH, 10)).hasSize(1);
    assertThat(store.rollups().purge(2)).isEqualTo(1);
    assertThat(read(step, Instant.EPOCH, 10)).isEmpty();
  }

  private ManualEngine engine() {
    ManualEngine engine =
        ManualEngines.on(store, clock, ManualEngines.AT_ONCE).name("api-1").buildManual();
    engine
        .engine()
        .register(
            "mail",
            String.class,
            (text, context) -> {
              clock.advance(Duration.ofMillis(100));
              if (text.equals("bad")) {
                throw new IllegalStateException("bad");
              }
            });
    engine.renew();
    return engine;
  }

  private static void work(ManualEngine engine) {
    while (engine.claim() + engine.settle() > 0) {
      engine.settle();
    }
  }

  @Test
  void an_engine_writes_what_it_did() {
    ManualEngine engine = engine();
    NewTask bad = NewTask.of("mail", "bad").retry(RetryPolicy.immediate().maxRetries(1).build());
    engine.engine().submitAll(List.of(NewTask.of("mail", "good"), bad, NewTask.of("fax", "x")));
    work(engine);
    engine.writeRollups();

    for (RollupStep step : RollupStep.values()) {
      List<Rollup> rollups = read(step, Instant.EPOCH, 10);
      assertThat(rollups).extracting(Rollup::at).containsExactly(step.startOf(FakeClock.START));
      RollupCounts counts = rollups.getFirst().counts();
      Map.of(
              RollupCounter.SUBMITTED, 3L,
              RollupCounter.STARTED, 3L,
              RollupCounter.SUCCEEDED, 1L,
              RollupCounter.FAILED, 2L,
              RollupCounter.RETRIED, 1L,
              RollupCounter.GAVE_UP, 1L,
              RollupCounter.LOST, 0L)
          .forEach(
              (counter, count) -> {
                assertThat(counts.total(counter)).as(counter.text()).isEqualTo(count);
                long ofMail = counter == RollupCounter.SUBMITTED ? 2 : count;
                assertThat(counts.ofKind("mail", counter)).as(counter.text()).isEqualTo(ofMail);
              });
      assertThat(counts.ofKind("fax", RollupCounter.SUBMITTED)).isEqualTo(1);
      assertThat(counts.runTimes().count(5) + counts.runTimes().count(6)).isEqualTo(3);
      assertThat(counts.lateness().isEmpty()).isFalse();
    }
  }

  @Test
  void tasks_of_schedules_count_as_submitted() {
    ManualEngine engine = engine();
    UUID schedule =
        engine
            .engine()
            .schedules()
            .create(
                "s",
                Trigger.every(Duration.ofSeconds(10)),
                Batch.of(NewTask.of("mail", "good"), NewTask.of("fax", "x")),
                ScheduleOptions.defaults())
            .id();
    clock.advance(Duration.ofSeconds(10));
    engine.fireSchedules();
    engine.engine().schedules().trigger(schedule);
    engine.writeRollups();

    RollupCounts counts = minutes().getFirst().counts();
    assertThat(counts.total(RollupCounter.SUBMITTED)).isEqualTo(4);
    assertThat(counts.ofKind("mail", RollupCounter.SUBMITTED)).isEqualTo(2);
  }

  @Test
  void an_idle_engine_writes_that_it_runs() {
    ManualEngine engine = engine();
    engine.writeRollups();
    clock.advance(Duration.ofSeconds(60));
    engine.writeRollups();

    assertThat(minutes())
        .extracting(Rollup::at)
        .containsExactly(FakeClock.START.plusSeconds(60), FakeClock.START);
  }

  @Test
  void what_is_counted_belongs_to_the_time_at_which_the_counting_began() {
    ManualEngine engine = engine();
    clock.advance(Duration.ofMillis(44_500));
    assertThat(engine.writeRollups()).isEqualTo(Duration.ofMillis(501));
    engine.engine().submit(NewTask.of("mail", "good"));
    clock.advance(Duration.ofMillis(15_600));
    assertThat(engine.writeRollups()).isEqualTo(Duration.ofMillis(14_901));

    assertThat(
            sum(
                read(RollupStep.MINUTE, FakeClock.START.plusSeconds(60), 1),
                RollupCounter.SUBMITTED))
        .isZero();
    assertThat(sum(minutes(), RollupCounter.SUBMITTED)).isEqualTo(1);
  }

  @Test
  void a_node_that_starts_again_adds_to_the_same_minute() {
    for (int i = 1; i <= 3; i++) {
      clock.advance(MILLI); // Ids of tests depend on the clock alone.
      ManualEngine engine = engine();
      engine.engine().submit(NewTask.of("mail", "good"));
      engine.writeRollups();
      engine.writeRollups();
      assertThat(sum(minutes(), RollupCounter.SUBMITTED)).isEqualTo(i);
    }
    assertThat(minutes()).extracting(Rollup::at).containsOnly(FakeClock.START);
  }

  @Test
  void the_census_says_what_is_due_and_for_how_long() {
    submit(TestTask.withoutRetry("a"));
    clock.advance(Duration.ofSeconds(30));
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofHours(1)));
    submit(TestTask.retrying("b"));
    settle(running("b"), FAILED);

    Census census = store.overview().census();
    assertThat(census.at()).isEqualTo(clock.instant());
    assertThat(census.backlog()).isEqualTo(store.reader().backlog());
    assertThat(census.due()).containsExactly(new Census.DueTasks("a", null, 2, FakeClock.START));
    assertThat(census.retriesByKind()).isEqualTo(Map.of("b", 1L));
    assertThat(census.nextRetryAt()).isEqualTo(clock.instant().plus(TestTask.DELAY));
    assertThat(census.capped()).isFalse();
    assertThat(census.parked()).isZero();
  }

  @Test
  void an_empty_store_has_an_empty_census() {
    assertThat(store.overview().census())
        .isEqualTo(
            new Census(
                clock.instant(),
                new Backlog(Map.of(), 0, 0, Map.of()),
                List.of(),
                0,
                Map.of(),
                null,
                false));
    assertThat(store.overview().deadLetters()).isEqualTo(new DeadLetters(0, 0, 0));
    assertThat(store.overview().scheduleDelays(5)).isEmpty();
  }

  @Test
  void failed_tasks_are_recent_for_an_hour() {
    submit(TestTask.withoutRetry("a"));
    settle(running("a"), FAILED);
    clock.advance(OverviewStore.RECENT);
    submit(TestTask.withoutRetry("a"));
    settle(running("a"), FAILED);

    assertThat(store.overview().deadLetters()).isEqualTo(new DeadLetters(2, 1, 0));
  }

  @Test
  void a_node_is_shown_with_its_load_also_after_its_death() {
    Duration validity = Duration.ofSeconds(25);
    NodeLoad load = new NodeLoad("1.2", 64, 32, List.of("resize", "queue:x"));
    Instant joined = clock.advance(MILLI);
    store.nodes().join(new RegisteredNode(ONE, "api-1", List.of("mail")), validity);
    clock.advance(Duration.ofSeconds(5));
    store.overview().reportLoad(ONE, load);
    Instant seen = clock.instant();

    NodeDetails alive = store.overview().nodes().getLast();
    assertThat(alive)
        .isEqualTo(
            new NodeDetails(
                ONE, "api-1", List.of("mail"), load, joined, seen, joined.plus(validity), null));
    assertThat(alive.state(seen.plusSeconds(10))).isEqualTo(NodeDetails.NodeState.ALIVE);
    assertThat(alive.state(seen.plusMillis(10_001))).isEqualTo(NodeDetails.NodeState.LATE);

    clock.advance(Duration.ofSeconds(20));
    store.nodes().markExpiredDead(10);
    store.overview().reportLoad(ONE, new NodeLoad("1.3", 1, 1, List.of()));
    NodeDetails dead = store.overview().nodes().getLast();
    assertThat(dead.deadAt()).isEqualTo(clock.instant());
    assertThat(dead.load()).isEqualTo(load);
    assertThat(dead.state(clock.instant())).isEqualTo(NodeDetails.NodeState.DEAD);
  }
}
