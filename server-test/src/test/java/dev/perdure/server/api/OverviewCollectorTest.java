// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.Problem;
import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The overview when the store fails, and how often live tasks are counted. */
class OverviewCollectorTest {

  private final FakeClock clock = new FakeClock();
  private boolean failing;

  private final TaskStore store =
      InterceptedStore.of(
          new InMemoryStore(clock, 1),
          name -> {
            if (failing) {
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
        query -> store.reader().retryWave(query),
        clock,
        Runnable::run);
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
