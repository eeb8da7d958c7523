// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.query.Problem;
import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The overview when the store fails, and how often live tasks are counted. */
class OverviewCollectorTest {

  private static final UUID NODE = new UUID(0, 7);

  private final FakeClock clock = new FakeClock();
  private final List<Runnable> waiting = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private Duration ahead = Duration.ZERO;
  private boolean failing;
  private boolean slow;
  private String broken = "";
  private Runnable duringCollection = () -> {};

  private final TaskStore store =
      InterceptedStore.of(
          new InMemoryStore(() -> clock.instant().plus(ahead), 1),
          name -> {
            calls.add(name);
            if (failing || name.equals(broken)) {
              throw new StoreException("away", null, StoreException.ErrorKind.UNAVAILABLE);
            }
          });

  private Duration monotonic() {
    return Duration.between(FakeClock.START, clock.instant());
  }

  private final StoreProbe probe = new StoreProbe(store, clock, this::monotonic);

  private OverviewCollector collector() {
    return new OverviewCollector(
        store,
        probe,
        new CensusTaker(store.overview()::census, this::monotonic, Runnable::run),
        query -> {
          Runnable meanwhile = duringCollection;
          duringCollection = () -> {};
          meanwhile.run();
          return store.reader().retryWave(query);
        },
        clock,
        work -> {
          if (slow) {
            waiting.add(work);
          } else {
            work.run();
          }
        });
  }

  /** As if the collection took longer than a request waits. */
  private OverviewCollector.Overview getWithoutWaiting(OverviewCollector collector) {
    Thread.currentThread().interrupt();
    try {
      return collector.get();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private static void assertNothingIsKnown(OverviewCollector.Overview overview) {
    assertThat(overview.problems()).isEmpty();
    assertThat(OverviewJson.toJson(overview, "1").get("counted_at").isNull()).isTrue();
  }

  @Test
  void a_slow_first_collection_says_neither_that_all_is_well_nor_that_the_store_is_away() {
    slow = true;
    OverviewCollector collector = collector();

    assertNothingIsKnown(getWithoutWaiting(collector));

    waiting.removeFirst().run();
    assertThat(collector.get().status()).isNotNull();
  }

  @Test
  void after_a_gap_old_counts_are_not_told_while_new_ones_are_collected() {
    OverviewCollector collector = collector();
    assertThat(collector.get().status()).isNotNull();
    slow = true;
    clock.advance(Duration.ofHours(1));

    assertNothingIsKnown(getWithoutWaiting(collector));

    duringCollection =
        () -> {
          clock.advance(Duration.ofHours(1));
          assertNothingIsKnown(getWithoutWaiting(collector));
        };
    waiting.removeFirst().run();
    assertNothingIsKnown(getWithoutWaiting(collector));
    waiting.removeFirst().run();
    assertThat(collector.get().status()).as("collected after the gap").isNotNull();
  }

  @Test
  void counts_that_stay_old_although_somebody_watches_are_not_told() {
    OverviewCollector collector = collector();
    assertThat(collector.get().status()).isNotNull();
    slow = true;
    for (int i = 0; i < 3; i++) {
      clock.advance(Duration.ofSeconds(10));
      assertThat(getWithoutWaiting(collector).status()).isNotNull();
    }
    clock.advance(Duration.ofSeconds(10));
    assertNothingIsKnown(getWithoutWaiting(collector));
  }

  @Test
  void now_is_the_time_of_the_answer_by_the_clock_of_the_database() {
    ahead = Duration.ofSeconds(90);
    OverviewCollector collector = collector();
    collector.get();
    clock.advance(Duration.ofMillis(1_900));

    assertThat(collector.get().now()).isEqualTo(clock.instant().plus(ahead));

    failing = true;
    clock.advance(Duration.ofMillis(1_900));
    assertThat(collector.get().now()).isEqualTo(clock.instant().plus(ahead));
  }

  private void failed(String... kinds) {
    RollupCounts counts = new RollupCounts();
    for (String kind : kinds) {
      counts.addToKind(kind, RollupCounter.FAILED, 100);
    }
    Instant at = RollupStep.MINUTE.startOf(store.now());
    store.rollups().write(List.of(new Rollup(RollupStep.MINUTE, at, NODE, counts)));
  }

  private long errorQueries() {
    return calls.stream().filter(name -> name.equals("TaskReader.errors")).count();
  }

  @Test
  void the_errors_of_all_failing_kinds_are_read_together_and_seldom() {
    failed("mail", "charge", "resize");
    OverviewCollector collector = collector();

    assertThat(ids(collector)).hasSize(3).containsOnly(ProblemId.KIND_FAILING);

    assertThat(errorQueries()).as("given up, and waiting for a retry").isEqualTo(2);
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(3));
      collector.get();
    }
    assertThat(errorQueries()).isEqualTo(2);
    clock.advance(Duration.ofSeconds(3));
    collector.get();
    assertThat(errorQueries()).isEqualTo(4);
  }

  @Test
  void a_kind_is_failing_also_if_its_error_cannot_be_read() {
    failed("mail");
    broken = "TaskReader.errors";

    assertThat(ids(collector())).containsExactly(ProblemId.KIND_FAILING);
  }

  @Test
  void probing_goes_on_after_an_error() {
    AtomicInteger reads = new AtomicInteger();
    TaskStore incomplete =
        InterceptedStore.of(
            new InMemoryStore(clock, 1),
            name -> {
              if (reads.incrementAndGet() == 1) {
                throw new NoClassDefFoundError(name);
              }
            });
    StoreProbe probing = new StoreProbe(incomplete, clock, this::monotonic);

    probing.probe();
    assertThat(probing.isAway()).isTrue();
    probing.probe();

    assertThat(probing.isAway()).isFalse();
  }

  @Test
  void a_store_that_is_away_is_told_from_memory_until_it_is_back() {
    OverviewCollector collector = collector();
    assertThat(collector.get().problems()).isEmpty();

    failing = true;
    Instant since = clock.advance(Duration.ofSeconds(3));
    Problem away = collector.get().problems().getFirst();
    assertThat(away.id()).isEqualTo(ProblemId.STORE_AWAY);
    assertThat(away.since()).isEqualTo(since);
    assertThat(collector.get().status()).as("the last that was known").isNotNull();

    clock.advance(Duration.ofSeconds(3));
    assertThat(collector.get().problems().getFirst().since()).isEqualTo(since);

    failing = false;
    clock.advance(Duration.ofSeconds(3));
    Problem over = collector.get().problems().getFirst();
    assertThat(over.overAt()).isEqualTo(clock.instant());
  }

  @Test
  void a_store_that_never_answered_is_told_too() {
    failing = true;

    OverviewCollector.Overview overview = collector().get();

    assertThat(overview.problems()).extracting(Problem::id).containsExactly(ProblemId.STORE_AWAY);
    assertThat(OverviewJson.toJson(overview, "1").get("counted_at").isNull()).isTrue();
  }

  private List<ProblemId> ids(OverviewCollector collector) {
    return collector.get().problems().stream().map(Problem::id).toList();
  }

  @Test
  void a_backlog_that_grows_is_told_to_those_who_watch() {
    store.nodes().join(new RegisteredNode(NODE, "api-1", List.of("mail")), Duration.ofDays(1));
    Engine.on(store).submit(NewTask.of("mail", "x"));
    OverviewCollector collector = collector();
    List<ProblemId> told = List.of();
    for (int seconds = 0; seconds < 180; seconds += 20) {
      told = ids(collector);
      clock.advance(Duration.ofSeconds(20));
    }
    assertThat(told).doesNotContain(ProblemId.BACKLOG_GROWS);
    assertThat(ids(collector)).contains(ProblemId.BACKLOG_GROWS);
  }

  @Test
  void what_nobody_asked_for_lately_is_forgotten() {
    store.nodes().join(new RegisteredNode(NODE, "api-1", List.of("mail")), Duration.ofDays(1));
    Engine.on(store).submit(NewTask.of("mail", "x"));
    OverviewCollector collector = collector();
    assertThat(ids(collector)).isEmpty();
    clock.advance(Duration.ofHours(1));
    assertThat(ids(collector))
        .as("one old sample says nothing")
        .containsExactly(ProblemId.NODE_LATE);

    store.nodes().join(new RegisteredNode(NODE, "api-1", List.of("mail")), Duration.ofDays(1));
    store.overview().reportLoad(NODE, new NodeLoad("1", 1, 0, List.of()));
    clock.advance(OverviewCollector.MAX_GAP);
    assertThat(collector.get().problems())
        .as("still remembered")
        .anyMatch(problem -> problem.id() == ProblemId.NODE_LATE);
    store.overview().reportLoad(NODE, new NodeLoad("1", 1, 0, List.of()));
    clock.advance(OverviewCollector.MAX_GAP.plusMillis(1));
    store.overview().reportLoad(NODE, new NodeLoad("1", 1, 0, List.of()));
    assertThat(ids(collector)).as("not even as over").isEmpty();
  }

  @Test
  void a_slow_count_of_live_tasks_keeps_nobody_waiting() {
    List<Runnable> background = new ArrayList<>();
    CensusTaker taker = new CensusTaker(store.overview()::census, this::monotonic, background::add);
    assertThat(taker.latest(Duration.ZERO)).isNull();
    assertThat(taker.latest(Duration.ZERO)).isNull();
    assertThat(background).as("one count at a time").hasSize(1);

    background.removeFirst().run();
    Census first = taker.latest(Duration.ZERO);
    assertThat(first).isNotNull();
    clock.advance(CensusTaker.MIN_PAUSE);
    assertThat(taker.latest(Duration.ofDays(1))).as("the last one, at once").isSameAs(first);
    background.removeFirst().run();
    assertThat(taker.latest(Duration.ZERO)).isNotSameAs(first);
    assertThat(background).isEmpty();
  }

  @Test
  void live_tasks_are_counted_every_five_seconds_and_a_tenth_of_the_time_at_most() {
    AtomicInteger counts = new AtomicInteger();
    Duration[] took = {Duration.ZERO};
    CensusTaker taker =
        new CensusTaker(
            () -> {
              counts.incrementAndGet();
              clock.advance(took[0]);
              return new InMemoryStore(clock, 1).overview().census();
            },
            this::monotonic,
            Runnable::run);
    taker.get();
    clock.advance(Duration.ofMillis(4_999));
    taker.get();
    assertThat(counts).hasValue(1);

    clock.advance(Duration.ofMillis(1));
    took[0] = Duration.ofSeconds(1);
    taker.get();
    assertThat(counts).hasValue(2);
    clock.advance(Duration.ofMillis(8_999));
    taker.get();
    assertThat(counts).hasValue(2);
    clock.advance(Duration.ofMillis(1));
    taker.get();
    assertThat(counts).hasValue(3);
  }
}
