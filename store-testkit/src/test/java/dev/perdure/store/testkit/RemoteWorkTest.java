// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.CounterOverflowException;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.RemoteWork;
import dev.perdure.engine.StaleAttemptException;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Remote workers on the in-memory store. */
class RemoteWorkTest {

  private static final Outcome DONE = new Outcome.Succeeded("1");
  private static final Outcome FAILED = new Outcome.Failed(Failure.explicit("x"), null);
  private static final AttemptCredential FIRST = AttemptCredential.ofLease(1);

  private final FakeClock clock = new FakeClock();
  private final AtomicInteger additions = new AtomicInteger();
  private volatile Consumer<String> beforeCall = name -> {};
  private final TaskStore store = InterceptedStore.wrap(new InMemoryStore(clock, 1), this::called);
  private final ManualEngine node =
      ManualEngines.on(store, clock, EngineExecutor.virtualThreads()).buildManual();
  private final Engine engine = node.engine();
  private final RemoteWork remote = engine.remote();

  private void called(String name) {
    if (name.equals("add")) {
      additions.incrementAndGet();
    }
    beforeCall.accept(name);
  }

  private Task claimed() {
    UUID id =
        engine.submit(NewTask.of("job", 1).retry(RetryPolicy.immediate().maxRetries(5).build()));
    assertThat(claim()).extracting(Task::id).containsExactly(id);
    return engine.find(id).orElseThrow();
  }

  private static RemoteClaim request(int limit) {
    return new RemoteClaim("ada", List.of("job"), limit, Duration.ofSeconds(60), Duration.ZERO);
  }

  private List<Task> claim() {
    return claim(9);
  }

  private List<Task> claim(int limit) {
    return remote.claim(request(limit)).leases().stream().map(lease -> lease.task()).toList();
  }

  @Test
  void leases_that_did_not_reach_their_worker_are_handed_back_without_a_loss() {
    List<UUID> ids = engine.submitAll(List.of(NewTask.of("job", 1), NewTask.of("job", 2))).ids();
    List<Lease> leases = remote.claim(request(9)).leases();
    remote.settle(ids.getFirst(), FIRST, new Outcome.Succeeded(null));

    remote.handBack(leases);

    List<Task> again = claim();
    assertThat(again).extracting(Task::id).containsExactly(ids.getLast());
    assertThat(again.getFirst().epoch()).isEqualTo(2);
    assertThat(again.getFirst().retryCounters().attempt()).isZero();
    assertThat(again.getFirst().retryCounters().losses()).isZero();
    assertThat(engine.find(ids.getFirst()).orElseThrow().state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_long_poll_gets_a_handed_back_task_at_once() throws Exception {
    try (Engine rarelyPolling = Engine.builder(store).pollInterval(Duration.ofMinutes(1)).build()) {
      rarelyPolling.start();
      rarelyPolling.submit(NewTask.of("job", 1));
      List<Lease> leases = rarelyPolling.remote().claim(request(1)).leases();
      RemoteClaim longPoll =
          new RemoteClaim("bob", List.of("job"), 1, Duration.ofSeconds(60), Duration.ofSeconds(60));
      FutureTask<List<Lease>> waiting =
          new FutureTask<>(() -> rarelyPolling.remote().claim(longPoll).leases());
      Thread bob = Thread.startVirtualThread(waiting);
      while (bob.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      rarelyPolling.remote().handBack(leases);

      assertThat(waiting.get(30, TimeUnit.SECONDS)).hasSize(1);
    }
  }

  @Test
  void a_claim_of_small_tasks_returns_as_many_as_requested() {
    engine.submitAll(Collections.nCopies(70, NewTask.of("job", 1)));

    assertThat(claim(60)).hasSize(60);
    assertThat(claim(60)).hasSize(10);
  }

  static Stream<NewTask> large() {
    String text = "x".repeat(1_000_000);
    return Stream.of(NewTask.of("job", text), NewTask.of("job", 1).actions("[\"" + text + "\"]"));
  }

  @ParameterizedTest
  @MethodSource("large")
  void a_claim_of_large_tasks_returns_fewer_than_requested(NewTask large) {
    engine.submitAll(Collections.nCopies(40, large));

    assertThat(claim(40)).hasSize(25);
    assertThat(engine.statistics().byState()).containsEntry(TaskState.PENDING, 15L);
    assertThat(claim(40)).hasSize(15);
  }

  /** Claims leave connections free for the renewal of leases. */
  @Test
  void at_most_two_claims_use_the_store_at_once() throws Exception {
    engine.submitAll(Collections.nCopies(6, NewTask.of("job", 1)));
    AtomicInteger claiming = new AtomicInteger();
    CountDownLatch mayClaim = new CountDownLatch(1);
    beforeCall =
        name -> {
          if (name.equals("claim")) {
            claiming.incrementAndGet();
            awaitQuietly(mayClaim);
          }
        };
    List<Future<?>> claims =
        Stream.<Future<?>>generate(() -> inBackground(() -> claim(1))).limit(6).toList();

    assertThat(claiming).hasValue(2);
    mayClaim.countDown();
    for (Future<?> claim : claims) {
      claim.get();
    }
    assertThat(claiming).hasValue(6);
  }

  @Test
  void a_claim_returns_its_tasks_if_the_store_fails_midway() {
    engine.submitAll(Collections.nCopies(40, NewTask.of("job", 1)));
    AtomicInteger claims = new AtomicInteger();
    beforeCall =
        name -> {
          if (name.equals("claim") && claims.incrementAndGet() == 2) {
            throw new StoreException("store is down", null, StoreException.ErrorKind.UNAVAILABLE);
          }
        };

    assertThat(claim(40)).hasSize(25);
    assertThat(claim(40)).hasSize(15);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\u0000b"})
  void an_invalid_kind_is_refused_with_its_index(String kind) {
    assertThatThrownBy(
            () ->
                new RemoteClaim(
                    "ada", List.of("job", kind), 1, Duration.ofSeconds(60), Duration.ZERO))
        .hasMessageStartingWith("kinds[1]: must ");
  }

  @Test
  void thousands_of_reports_about_one_task_need_few_writes() {
    Task task = claimed();
    long reports = 5_000;
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < reports; i++) {
        many.execute(() -> remote.addProgress(task.id(), FIRST, 1, 2));
      }
    }

    assertThat(engine.find(task.id()).orElseThrow().progress().success()).isEqualTo(reports);
    assertThat(engine.find(task.id()).orElseThrow().progress().failures()).isEqualTo(2 * reports);
    assertThat(additions.get()).isLessThan(250);
  }

  @Test
  void concurrent_reports_are_counted_until_the_counter_is_full() {
    Task task = claimed();
    AtomicInteger refused = new AtomicInteger();
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 10; i++) {
        many.execute(
            () -> {
              try {
                remote.addProgress(task.id(), FIRST, Long.MAX_VALUE / 3, 0);
              } catch (CounterOverflowException full) {
                refused.incrementAndGet();
              }
            });
      }
    }

    assertThat(refused).hasValue(7);
    assertThat(engine.find(task.id()).orElseThrow().progress().success())
        .isEqualTo(Long.MAX_VALUE / 3 * 3);
    remote.addProgress(task.id(), FIRST, 0, 1);
  }

  @ParameterizedTest
  @EnumSource(StoreException.ErrorKind.class)
  void an_error_for_one_task_does_not_count_another_twice(StoreException.ErrorKind errorKind)
      throws Exception {
    Task full = claimed();
    Task other = claimed();
    remote.addProgress(full.id(), FIRST, Long.MAX_VALUE, 0);
    CountDownLatch mayWrite = new CountDownLatch(1);
    beforeCall = name -> awaitBeforeAdd(name, mayWrite);
    Thread first = Thread.startVirtualThread(() -> remote.addProgress(full.id(), FIRST, 0, 0));
    awaitWaiting(first);
    // These two share one write. The first overflows, and the store fails when the engine looks for
    // the reason.
    Future<?> doesNotFit = inBackground(() -> remote.addProgress(full.id(), FIRST, 1, 0));
    Future<?> fits = inBackground(() -> remote.addProgress(other.id(), FIRST, 1, 0));
    beforeCall =
        name -> {
          if (name.equals("find")) {
            throw new StoreException("store failed", null, errorKind);
          }
        };
    mayWrite.countDown();

    assertThatThrownBy(doesNotFit::get).hasCauseInstanceOf(StoreException.class);
    fits.get();
    beforeCall = name -> {};
    assertThat(engine.find(other.id()).orElseThrow().progress().success()).isOne();
  }

  private static void awaitBeforeAdd(String name, CountDownLatch latch) {
    if (name.equals("add")) {
      awaitQuietly(latch);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  private static Future<?> inBackground(Runnable work) {
    FutureTask<?> task = new FutureTask<>(work, null);
    awaitWaiting(Thread.startVirtualThread(task));
    return task;
  }

  @Test
  void a_lease_is_valid_only_for_its_own_attempt() {
    Task task = claimed();
    UUID id = task.id();
    assertThat(remote.settle(id, FIRST, FAILED).state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(remote.settle(id, FIRST, FAILED).state()).isEqualTo(TaskState.RETRY_PENDING);
    claim();

    assertThat(remote.settle(id, FIRST, FAILED).state()).isEqualTo(TaskState.RUNNING);
    assertThatThrownBy(() -> remote.settle(id, FIRST, DONE))
        .isInstanceOf(StaleAttemptException.class)
        .hasMessageContaining("ended differently: failure (explicit)");
    assertThatThrownBy(() -> remote.addProgress(id, FIRST, 1, 0))
        .isInstanceOf(StaleAttemptException.class);
    assertThatThrownBy(() -> remote.heartbeat(id, FIRST, Duration.ofSeconds(60)))
        .isInstanceOf(StaleAttemptException.class);
    assertThatThrownBy(() -> remote.update(id, FIRST, 1, null, null))
        .isInstanceOf(StaleAttemptException.class);
    assertThat(remote.settle(id, AttemptCredential.ofLease(2), DONE).lastResult().result())
        .isEqualTo("1");
    assertThat(remote.settle(id, AttemptCredential.ofLease(2), DONE).state())
        .isEqualTo(TaskState.SUCCESS);
    assertThat(remote.settle(id, FIRST, FAILED).state()).isEqualTo(TaskState.SUCCESS);
    assertThatThrownBy(() -> remote.settle(id, AttemptCredential.ofLease(9), DONE))
        .isInstanceOf(StaleAttemptException.class);
    assertThat(engine.attempts(id)).hasSize(2);
  }

  @Test
  void repeating_an_end_counts_its_counters_once() {
    UUID id = claimed().id();
    beforeCall =
        name -> {
          if (name.equals("apply")) {
            beforeCall = later -> {};
            throw new StoreException("store is down", null, StoreException.ErrorKind.UNAVAILABLE);
          }
        };
    CounterDelta delta = new CounterDelta(3, 1);
    assertThatThrownBy(() -> remote.settle(id, FIRST, DONE, delta))
        .isInstanceOf(StoreException.class);
    remote.settle(id, FIRST, DONE, delta);
    remote.settle(id, FIRST, DONE, delta);

    assertThat(engine.find(id).orElseThrow().progress()).isEqualTo(new Progress(3, 1, null));
  }

  @Test
  void an_end_whose_counters_overflow_is_refused() {
    UUID id = claimed().id();
    remote.addProgress(id, FIRST, 1, 0);

    assertThatThrownBy(() -> remote.settle(id, FIRST, DONE, new CounterDelta(Long.MAX_VALUE, 0)))
        .isInstanceOf(CounterOverflowException.class);
    assertThat(engine.find(id).orElseThrow().state()).isEqualTo(TaskState.RUNNING);
  }

  @Test
  void a_lost_lease_is_stale_even_if_the_next_worker_reports_the_same_end() {
    UUID id = claimed().id();
    for (int i = 0; i < 13; i++) {
      node.renew();
      clock.advance(Duration.ofSeconds(5));
    }
    node.renew();
    node.reap();
    assertThat(engine.find(id).orElseThrow().state()).isEqualTo(TaskState.PENDING);
    clock.advance(Duration.ofSeconds(2));
    claim();
    remote.settle(id, AttemptCredential.ofLease(2), DONE);

    assertThatThrownBy(() -> remote.settle(id, FIRST, DONE))
        .isInstanceOf(StaleAttemptException.class);
  }

  @Test
  void an_operator_can_settle_and_report_for_any_running_attempt() {
    UUID id = engine.submit(NewTask.of("job", 1));
    AttemptCredential operator = AttemptCredential.ofOperator();
    assertThatThrownBy(() -> remote.settle(id, operator, DONE))
        .isInstanceOf(StaleAttemptException.class)
        .hasMessageContaining("no attempt is running");
    remote.update(id, operator, 5, 10L, "{}");
    claim();
    remote.addProgress(id, operator, 1, 1);
    assertThat(remote.settle(id, operator, DONE).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(remote.settle(id, operator, DONE).state()).isEqualTo(TaskState.SUCCESS);
    assertThatThrownBy(() -> remote.settle(id, operator, FAILED))
        .isInstanceOf(StaleAttemptException.class);
    assertThatThrownBy(() -> remote.update(id, operator, 6, null, null))
        .isInstanceOf(StaleAttemptException.class);
  }

  @Test
  void an_unknown_task_is_not_found() {
    UUID unknown = new UUID(1, 0);
    assertThatThrownBy(() -> remote.settle(unknown, FIRST, DONE))
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> remote.addProgress(unknown, FIRST, 1, 0))
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> remote.update(unknown, FIRST, 1, null, null))
        .isInstanceOf(NoSuchElementException.class);
  }
}
