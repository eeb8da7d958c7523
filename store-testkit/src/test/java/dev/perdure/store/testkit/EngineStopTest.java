// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stopping an engine ends in bounded time and hands back what is still running. */
@Tag("slow")
class EngineStopTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final TaskStore store = new InMemoryStore(InstantSource.system(), 1);
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  private Engine engine(TaskStore on, TaskHandler<String> handler) {
    Engine engine = Engine.builder(on).pollInterval(Duration.ofMillis(20)).build();
    engine.register("work", String.class, handler);
    engine.start();
    return engine;
  }

  /** Starts an engine whose handler runs until it is interrupted or {@code mayEnd} is open. */
  private Engine busy(TaskStore on) throws InterruptedException {
    Engine engine =
        engine(
            on,
            (payload, context) -> {
              started.countDown();
              mayEnd.await();
            });
    engine.submit(NewTask.of("work", "payload"));
    started.await();
    return engine;
  }

  private UUID onlyTask() {
    return store.reader().list(TaskFilter.all(), PageRequest.first(1)).tasks().getFirst().id();
  }

  private static Thread inBackground(Runnable work) {
    return Thread.ofPlatform().daemon().start(work);
  }

  private static void awaitEnd(Thread thread, Duration limit) throws InterruptedException {
    assertThat(thread.join(limit)).as("ends within " + limit).isTrue();
  }

  @Test
  void an_interrupt_ends_the_wait_and_hands_back_running_attempts() throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    TaskStore downAtFirst =
        InterceptedStore.wrap(
            store,
            call -> {
              if (call.equals("apply") && down.getAndSet(false)) {
                throw new StoreException(
                    "store is down", null, StoreException.ErrorKind.UNAVAILABLE);
              }
            });
    Engine engine = busy(downAtFirst);
    BlockingQueue<Boolean> results = new LinkedBlockingQueue<>();
    Thread stopping =
        inBackground(
            () -> {
              results.add(engine.stop(LONG));
              results.add(Thread.currentThread().isInterrupted());
            });
    stopping.interrupt();
    awaitEnd(stopping, LIMIT);

    assertThat(results).containsExactly(false, true);
    UUID id = onlyTask();
    assertThat(store.reader().find(id).orElseThrow().state()).isEqualTo(TaskState.PENDING);
    assertThat(store.reader().attempts(id, 9))
        .extracting(attempt -> attempt.details().outcome())
        .containsExactly(AttemptOutcome.HANDED_BACK);
    assertThat(store.nodes().alive()).isEmpty();
  }

  @Test
  void a_second_stop_waits_for_the_first_and_returns_its_result() throws Exception {
    Engine engine = busy(store);
    BlockingQueue<String> order = new LinkedBlockingQueue<>();
    Thread first = inBackground(() -> order.add("stopped " + engine.stop(LONG)));
    spinUntil(() -> first.getState() == Thread.State.TIMED_WAITING, first);
    Thread second = inBackground(() -> order.add("stopped " + engine.stop(Duration.ZERO)));
    spinUntil(() -> second.getState() == Thread.State.WAITING, second);
    order.add("may end");
    mayEnd.countDown();
    awaitEnd(first, LIMIT);
    awaitEnd(second, LIMIT);

    assertThat(order).containsExactly("may end", "stopped true", "stopped true");
  }

  private static void spinUntil(BooleanSupplier condition, Thread thread) {
    while (!condition.getAsBoolean() && thread.isAlive()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_store_that_hangs_does_not_block_the_stop_forever() throws Exception {
    AtomicBoolean hangs = new AtomicBoolean();
    CountDownLatch hung = new CountDownLatch(2);
    CountDownLatch never = new CountDownLatch(1);
    TaskStore hanging =
        InterceptedStore.wrap(
            store,
            call -> {
              if (hangs.get()) {
                hung.countDown();
                awaitQuietly(never);
              }
            });
    Engine engine = engine(hanging, (payload, context) -> {});
    hangs.set(true);
    hung.await();

    Thread stopping = inBackground(() -> engine.stop(Duration.ZERO));
    // The stop waits five seconds for the claim that hangs and five for everything else.
    awaitEnd(stopping, Duration.ofSeconds(60));
    never.countDown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupt) {
      throw new IllegalStateException(interrupt);
    }
  }

  @Test
  void accepts_the_longest_possible_timeout() throws Exception {
    Engine engine = busy(store);
    inBackground(mayEnd::countDown);

    assertThat(engine.stop(ChronoUnit.FOREVER.getDuration())).isTrue();
  }

  @Test
  void a_task_claimed_during_the_stop_does_not_run() throws Exception {
    CountDownLatch claiming = new CountDownLatch(1);
    CountDownLatch mayClaim = new CountDownLatch(1);
    BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    TaskStore slow =
        InterceptedStore.wrap(
            store,
            call -> {
              if (call.equals("claim")) {
                claiming.countDown();
                awaitQuietly(mayClaim);
              }
            });
    Engine engine = engine(slow, (payload, context) -> ran.add(payload));
    UUID id = engine.submit(NewTask.of("work", "payload"));
    claiming.await();
    Thread stopping = inBackground(() -> engine.stop(LIMIT));
    spinUntil(() -> stopping.getState() == Thread.State.TIMED_WAITING, stopping);
    mayClaim.countDown();
    awaitEnd(stopping, LIMIT);

    assertThat(ran.poll(100, TimeUnit.MILLISECONDS)).isNull();
    assertThat(store.reader().find(id).orElseThrow().state()).isEqualTo(TaskState.PENDING);
  }
}
