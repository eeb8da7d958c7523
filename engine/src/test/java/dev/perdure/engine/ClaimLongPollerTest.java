// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimLongPollerTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int MAX_WAITING = 30;
  private static final List<String> KINDS = List.of("job");
  private static final ClaimResult NOTHING = new ClaimResult(List.of(), Instant.EPOCH, null);

  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger available = new AtomicInteger();
  private final long origin = System.nanoTime();
  private final ClaimLongPoller poller =
      new ClaimLongPoller(
          () -> Duration.ofNanos(System.nanoTime() - origin), Duration.ofHours(1), MAX_WAITING);

  private static boolean neverGone() {
    return false;
  }

  private ClaimResult claim() {
    boolean found = available.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    claims.incrementAndGet();
    return found
        ? new ClaimResult(List.of(new Lease(task(), null, false)), Instant.EPOCH, null)
        : NOTHING;
  }

  private static Task task() {
    Instant then = Instant.EPOCH;
    return new Task(
        new UUID(0, 1),
        new UUID(0, 2),
        0,
        TaskDefinition.of("job", "{}"),
        TaskState.RUNNING,
        Set.of(),
        1,
        "ada",
        null,
        null,
        RetryCounters.INITIAL,
        new TaskTimes(then, then, then, then, null, then),
        Progress.NONE,
        LastResult.NONE,
        DependencyCounts.NONE);
  }

  private CompletableFuture<ClaimResult> waitFor(List<String> kinds) {
    return CompletableFuture.supplyAsync(
        () -> poller.claim(kinds, LONG, ClaimLongPollerTest::neverGone, this::claim),
        work -> Thread.ofVirtual().start(work));
  }

  private List<CompletableFuture<ClaimResult>> waitingWorkers(int count) {
    List<CompletableFuture<ClaimResult>> workers =
        Stream.generate(() -> waitFor(KINDS)).limit(count).toList();
    await(() -> poller.waiting() == count);
    return workers;
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition is not met in time").isLessThan(end);
      LockSupport.parkNanos(100_000);
    }
  }

  private static ClaimResult result(CompletableFuture<ClaimResult> worker) {
    return worker.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void only_the_first_of_the_workers_with_the_same_kinds_asks_the_store() {
    waitingWorkers(20);
    await(() -> claims.get() == 1);
    poller.wake();
    await(() -> claims.get() == 2);
    poller.wake();
    await(() -> claims.get() == 3);
    poller.stop();
  }

  @Test
  void a_worker_that_got_a_task_hands_its_turn_to_the_next() {
    List<CompletableFuture<ClaimResult>> workers = waitingWorkers(20);
    await(() -> claims.get() == 1);
    available.set(20);
    poller.wake();

    assertThat(workers).allSatisfy(worker -> assertThat(result(worker).leases()).hasSize(1));
    assertThat(claims).hasValue(21);
    assertThat(poller.waiting()).isZero();
  }

  @Test
  void workers_with_other_kinds_ask_the_store_on_their_own() {
    waitingWorkers(5);
    CompletableFuture<ClaimResult> other = waitFor(List.of("another"));
    await(() -> claims.get() == 2);
    poller.stop();
    assertThat(result(other).leases()).isEmpty();
  }

  @Test
  void a_worker_asks_the_store_again_when_the_next_task_is_due() {
    ClaimResult soon = new ClaimResult(List.of(), Instant.EPOCH, Duration.ofMillis(5));
    ClaimResult first =
        poller.claim(
            KINDS,
            LONG,
            ClaimLongPollerTest::neverGone,
            () -> claims.incrementAndGet() < 3 ? soon : claimWithOne());
    assertThat(first.leases()).hasSize(1);
  }

  private ClaimResult claimWithOne() {
    available.set(1);
    return claim();
  }

  @Test
  void a_worker_waits_no_longer_than_it_asked_for() {
    assertThat(
            poller
                .claim(KINDS, Duration.ofMillis(20), ClaimLongPollerTest::neverGone, this::claim)
                .leases())
        .isEmpty();
    assertThat(
            poller
                .claim(KINDS, Duration.ZERO, ClaimLongPollerTest::neverGone, this::claim)
                .leases())
        .isEmpty();
  }

  @Test
  void a_stop_answers_all_waiting_workers_and_later_claims_do_not_wait() {
    List<CompletableFuture<ClaimResult>> workers = waitingWorkers(5);
    poller.stop();

    assertThat(workers).allSatisfy(worker -> assertThat(result(worker).leases()).isEmpty());
    assertThat(poller.claim(KINDS, LONG, ClaimLongPollerTest::neverGone, this::claim).leases())
        .isEmpty();
  }

  @Test
  void a_worker_beyond_the_limit_gets_a_due_task_or_is_refused_as_busy() {
    waitingWorkers(MAX_WAITING);

    assertThatThrownBy(() -> poller.claim(KINDS, LONG, ClaimLongPollerTest::neverGone, this::claim))
        .isInstanceOf(BusyException.class)
        .hasMessage("30 workers already wait for tasks, which is the limit; try again later");
    available.set(1);
    assertThat(poller.claim(KINDS, LONG, ClaimLongPollerTest::neverGone, this::claim).leases())
        .hasSize(1);
    assertThat(
            poller
                .claim(KINDS, Duration.ZERO, ClaimLongPollerTest::neverGone, this::claim)
                .leases())
        .isEmpty();
    assertThat(poller.waiting()).isEqualTo(MAX_WAITING);
    poller.stop();
  }

  @Test
  void nothing_is_claimed_for_a_worker_that_has_gone_and_the_next_gets_the_task() {
    AtomicBoolean gone = new AtomicBoolean();
    CompletableFuture<ClaimResult> first =
        CompletableFuture.supplyAsync(
            () -> poller.claim(KINDS, LONG, gone::get, this::claim),
            work -> Thread.ofVirtual().start(work));
    await(() -> claims.get() == 1);
    CompletableFuture<ClaimResult> second = waitFor(KINDS);
    await(() -> poller.waiting() == 2);
    available.set(1);
    gone.set(true);
    poller.wake();

    assertThat(result(first).leases()).isEmpty();
    assertThat(result(second).leases()).hasSize(1);
    assertThat(claims).hasValue(2);
  }
}
