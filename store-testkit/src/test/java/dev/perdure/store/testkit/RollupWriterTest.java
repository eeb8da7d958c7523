// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Rollups when the store fails, and when the engine stops. */
class RollupWriterTest {

  private final FakeClock clock = new FakeClock();
  private final TaskStore store = new InMemoryStore(clock, 1);
  private boolean failing;

  private void fail(String method) {
    if (failing && method.equals("write")) {
      throw new StoreException("no store", null, StoreException.ErrorKind.UNKNOWN);
    }
  }

  private ManualEngine engine(Consumer<String> before, Consumer<String> after) {
    ManualEngine engine =
        ManualEngines.on(InterceptedStore.wrap(store, before, after), clock, ManualEngines.AT_ONCE)
            .buildManual();
    engine.writeRollups();
    return engine;
  }

  private static List<Rollup> minutes(TaskStore of) {
    List<Rollup> found = new ArrayList<>();
    of.rollups().read(RollupStep.MINUTE, Instant.EPOCH, 1_000, found::add);
    return found;
  }

  private static long submitted(List<Rollup> rollups) {
    return rollups.stream().mapToLong(one -> one.counts().total(RollupCounter.SUBMITTED)).sum();
  }

  private void submitAndFailToWrite(ManualEngine engine) {
    engine.engine().submit(NewTask.of("mail", "good"));
    failing = true;
    assertThatThrownBy(engine::writeRollups).isInstanceOf(StoreException.class);
    failing = false;
  }

  @Test
  void a_failed_write_is_part_of_the_next_one() {
    ManualEngine engine = engine(this::fail, name -> {});
    submitAndFailToWrite(engine);
    assertThat(submitted(minutes(store))).isZero();

    clock.advance(Duration.ofMinutes(3));
    engine.writeRollups();

    assertThat(submitted(minutes(store))).isEqualTo(1);
    assertThat(minutes(store).getLast().at()).isEqualTo(FakeClock.START);
    assertThat(submitted(minutes(store).subList(0, 1))).isZero();
  }

  @Test
  void a_write_whose_answer_was_lost_does_not_count_twice() {
    ManualEngine engine = engine(name -> {}, this::fail);
    submitAndFailToWrite(engine);
    assertThat(submitted(minutes(store))).isEqualTo(1);

    engine.engine().submit(NewTask.of("mail", "good"));
    engine.writeRollups();
    clock.advance(Duration.ofMinutes(1));
    engine.writeRollups();

    assertThat(submitted(minutes(store))).isEqualTo(2);
  }

  @Test
  void a_long_outage_drops_the_oldest_minutes_and_no_hours() {
    ManualEngine engine = engine(this::fail, name -> {});
    for (int i = 0; i < 200; i++) {
      submitAndFailToWrite(engine);
      clock.advance(Duration.ofMinutes(1));
    }
    engine.writeRollups();

    assertThat(minutes(store)).hasSizeBetween(100, 150);
    List<Rollup> hours = new ArrayList<>();
    store.rollups().read(RollupStep.HOUR, Instant.EPOCH, 1_000, hours::add);
    assertThat(submitted(hours)).isEqualTo(200);
  }

  @Test
  void a_clock_that_goes_back_does_not_overwrite_a_finished_minute() {
    ManualEngine engine = engine(name -> {}, name -> {});
    engine.engine().submit(NewTask.of("mail", "good"));
    clock.advance(Duration.ofMinutes(2));
    engine.writeRollups();
    clock.set(FakeClock.START.plusSeconds(1));
    engine.writeRollups();
    engine.engine().submit(NewTask.of("mail", "good"));
    engine.writeRollups();

    assertThat(submitted(minutes(store))).isEqualTo(2);
  }

  @Test
  void an_engine_that_stops_writes_its_last_counts() throws InterruptedException {
    TaskStore real = new InMemoryStore(InstantSource.system(), 1);
    CountDownLatch ran = new CountDownLatch(1);
    try (Engine engine = Engine.builder(real).build()) {
      engine.register("mail", String.class, (text, context) -> ran.countDown());
      engine.start();
      engine.submit(NewTask.of("mail", "good"));
      ran.await();
    }
    assertThat(submitted(minutes(real))).isEqualTo(1);
    assertThat(
            minutes(real).stream()
                .mapToLong(one -> one.counts().total(RollupCounter.SUCCEEDED))
                .sum())
        .isEqualTo(1);
  }
}
