// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.ClaimResult;
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

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger there = new AtomicInteger();
  private final long origin = System.nanoTime();
  private final ClaimLongPoller lines =
      new ClaimLongPoller(
          () -> Duration.ofNanos(System.nanoTime() - origin), Duration.ofHours(1), MAX_WAITING);

  private static boolean isGone() {
    return false;
  }

  private ClaimResult claim() {
    boolean some = there.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    asked.incrementAndGet();
    return some ? new ClaimResult(List.of(new Lease(task(), null)), Instant.EPOCH, null) : NOTHING;
  }

  private static Task task() {
    Instant then = Instant.EPOCH;
    return new Task(
        new UUID(0, 1),
        new UUID(0, 2),
        0,
        TaskDefinition.of("job", "{}"),
        TaskState.RUNNING,
        0,
        1,
        "ada",
        null,
        null,
        RetryCounters.INITIAL,
        new TaskTimes(then, then, then, then, null, then),
        Progress.NONE,
        LastResult.NONE);
  }

  private CompletableFuture<ClaimResult> waiting(List<String> kinds) {
    return CompletableFuture.supplyAsync(
        () -> lines.claim(kinds, LONG, ClaimLongPollerTest::isGone, this::claim),
        work -> Thread.ofVirtual().start(work));
  }

  private List<CompletableFuture<ClaimResult>> line(int length) {
    List<CompletableFuture<ClaimResult>> line =
        Stream.generate(() -> waiting(KINDS)).limit(length).toList();
    await(() -> lines.waiting() == length);
    return line;
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it does not come").isLessThan(end);
      LockSupport.parkNanos(100_000);
    }
  }

  private static ClaimResult got(CompletableFuture<ClaimResult> one) {
    return one.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void only_the_first_of_a_line_asks_the_store() {
    line(20);
    await(() -> asked.get() == 1);
    lines.wake();
    await(() -> asked.get() == 2);
    lines.wake();
    await(() -> asked.get() == 3);
    lines.stop();
  }

  @Test
  void who_got_something_leaves_the_place_to_the_next() {
    List<CompletableFuture<ClaimResult>> line = line(20);
    await(() -> asked.get() == 1);
    there.set(20);
    lines.wake();

    assertThat(line).allSatisfy(one -> assertThat(got(one).leases()).hasSize(1));
    assertThat(asked).hasValue(21);
    assertThat(lines.waiting()).isZero();
  }

  @Test
  void other_kinds_are_another_line() {
    line(5);
    CompletableFuture<ClaimResult> other = waiting(List.of("another"));
    await(() -> asked.get() == 2);
    lines.stop();
    assertThat(got(other).leases()).isEmpty();
  }

  @Test
  void what_is_due_soon_is_asked_for_then() {
    ClaimResult soon = new ClaimResult(List.of(), Instant.EPOCH, Duration.ofMillis(5));
    ClaimResult first =
        lines.claim(
            KINDS,
            LONG,
            ClaimLongPollerTest::isGone,
            () -> asked.incrementAndGet() < 3 ? soon : claimWithOne());
    assertThat(first.leases()).hasSize(1);
  }

  private ClaimResult claimWithOne() {
    there.set(1);
    return claim();
  }

  @Test
  void nobody_waits_longer_than_asked() {
    assertThat(
            lines
                .claim(KINDS, Duration.ofMillis(20), ClaimLongPollerTest::isGone, this::claim)
                .leases())
        .isEmpty();
    assertThat(lines.claim(KINDS, Duration.ZERO, ClaimLongPollerTest::isGone, this::claim).leases())
        .isEmpty();
  }

  @Test
  void a_stop_answers_everybody_and_lets_nobody_wait_again() {
    List<CompletableFuture<ClaimResult>> line = line(5);
    lines.stop();

    assertThat(line).allSatisfy(one -> assertThat(got(one).leases()).isEmpty());
    assertThat(lines.claim(KINDS, LONG, ClaimLongPollerTest::isGone, this::claim).leases())
        .isEmpty();
  }

  @Test
  void when_too_many_wait_the_next_is_given_what_there_is_or_told_to_come_again() {
    line(MAX_WAITING);

    assertThatThrownBy(() -> lines.claim(KINDS, LONG, ClaimLongPollerTest::isGone, this::claim))
        .isInstanceOf(BusyException.class)
        .hasMessage("30 workers already wait for tasks, which is the limit; try again later");
    there.set(1);
    assertThat(lines.claim(KINDS, LONG, ClaimLongPollerTest::isGone, this::claim).leases())
        .hasSize(1);
    assertThat(lines.claim(KINDS, Duration.ZERO, ClaimLongPollerTest::isGone, this::claim).leases())
        .isEmpty();
    assertThat(lines.waiting()).isEqualTo(MAX_WAITING);
    lines.stop();
  }

  @Test
  void nothing_is_claimed_for_who_has_gone_and_the_next_in_line_gets_it() {
    AtomicBoolean gone = new AtomicBoolean();
    CompletableFuture<ClaimResult> first =
        CompletableFuture.supplyAsync(
            () -> lines.claim(KINDS, LONG, gone::get, this::claim),
            work -> Thread.ofVirtual().start(work));
    await(() -> asked.get() == 1);
    CompletableFuture<ClaimResult> second = waiting(KINDS);
    await(() -> lines.waiting() == 2);
    there.set(1);
    gone.set(true);
    lines.wake();

    assertThat(got(first).leases()).isEmpty();
    assertThat(got(second).leases()).hasSize(1);
    assertThat(asked).hasValue(2);
  }
}
