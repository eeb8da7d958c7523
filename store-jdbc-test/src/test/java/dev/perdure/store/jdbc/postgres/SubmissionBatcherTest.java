// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import dev.perdure.engine.task.TaskDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Concurrent submissions are written together, and each caller gets its own result. */
final class SubmissionBatcherTest {

  /** Longer than any test waits, so that no test passes because of it. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final Semaphore gate = new Semaphore(0);
  private final List<List<Submission>> written = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  @Test
  void a_single_submission_is_written_by_its_caller() {
    SubmissionBatcher batcher = new SubmissionBatcher(written::add, TIMEOUT);
    Submission alone = PostgresScenario.submission(1);
    batcher.submit(alone);
    assertThat(written).containsExactly(List.of(alone));
  }

  @Test
  void the_writing_caller_gets_no_stray_unpark() throws Exception {
    SubmissionBatcher batcher = new SubmissionBatcher(written::add, TIMEOUT);
    AtomicLong waited = new AtomicLong();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  batcher.submit(PostgresScenario.submission(1));
                  long start = System.nanoTime();
                  LockSupport.parkNanos(200_000_000);
                  waited.set(System.nanoTime() - start);
                });

    assertThat(caller.join(LIMIT)).isTrue();
    assertThat(waited).hasValueGreaterThan(100_000_000);
  }

  @Test
  void submissions_that_arrive_during_a_write_form_the_next_group() throws Exception {
    SubmissionBatcher batcher = new SubmissionBatcher(this::writeAfterTheGate, TIMEOUT);
    List<Future<?>> first = submitAll(batcher, singleTasks(2), Thread.State.WAITING);
    List<Submission> later = singleTasks(20);
    List<Future<?>> others = submitAll(batcher, later, Thread.State.TIMED_WAITING);
    blockFirstWriter();
    open();

    await(first);
    await(others);
    assertThat(written).hasSize(3);
    assertThat(written)
        .anySatisfy(group -> assertThat(group).containsExactlyInAnyOrderElementsOf(later));
  }

  @Test
  void a_caller_stops_writing_when_its_own_submission_is_done() throws Exception {
    Submission own = PostgresScenario.submission(1);
    Submission next = PostgresScenario.submission(1);
    List<Future<?>> others = new ArrayList<>();
    Map<Submission, Thread> writers = new ConcurrentHashMap<>();
    AtomicReference<SubmissionBatcher> batcher = new AtomicReference<>();
    batcher.set(
        new SubmissionBatcher(
            group -> {
              group.forEach(item -> writers.put(item, Thread.currentThread()));
              if (group.contains(own)) {
                others.addAll(submitAll(batcher.get(), List.of(next), Thread.State.TIMED_WAITING));
              } else if (!group.contains(next)) {
                writeAfterTheGate(group);
              }
            },
            TIMEOUT));
    others.addAll(submitAll(batcher.get(), singleTasks(1), Thread.State.WAITING));
    batcher.get().submit(own);
    waitUntil(() -> writers.containsKey(next));
    open();

    await(others);
    assertThat(writers.get(own)).isSameAs(Thread.currentThread());
    assertThat(writers.get(next)).isNotSameAs(Thread.currentThread());
  }

  @Test
  void a_group_is_limited_in_tasks_and_characters() throws Exception {
    SubmissionBatcher batcher = new SubmissionBatcher(this::writeAfterTheGate, TIMEOUT);
    List<Future<?>> all = new ArrayList<>(submitAll(batcher, singleTasks(2), Thread.State.WAITING));
    List<Submission> hundreds =
        IntStream.range(0, 7).mapToObj(i -> PostgresScenario.submission(100)).toList();
    all.addAll(submitAll(batcher, hundreds, Thread.State.TIMED_WAITING));
    List<Submission> large =
        IntStream.range(0, 4)
            .mapToObj(i -> PostgresScenario.submission(1, definition(400_000)))
            .toList();
    all.addAll(submitAll(batcher, large, Thread.State.TIMED_WAITING));
    open();

    await(all);
    assertThat(written).allSatisfy(group -> assertThat(tasks(group)).isLessThanOrEqualTo(599));
    assertThat(written)
        .allSatisfy(group -> assertThat(group.stream().filter(large::contains)).hasSizeLessThan(4));
    assertThat(written.stream().mapToInt(List::size).sum()).isEqualTo(13);
  }

  @Test
  void only_the_faulty_submission_of_a_refused_group_fails() throws Exception {
    Submission faulty = PostgresScenario.submission(1);
    SubmissionBatcher batcher =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              if (group.contains(faulty)) {
                throw new StoreException("does not fit", null, ErrorKind.REFUSED);
              }
            },
            TIMEOUT);
    List<Future<?>> first = submitAll(batcher, singleTasks(2), Thread.State.WAITING);
    List<Future<?>> good = submitAll(batcher, singleTasks(5), Thread.State.TIMED_WAITING);
    List<Future<?>> bad = submitAll(batcher, List.of(faulty), Thread.State.TIMED_WAITING);
    open();

    await(first);
    await(good);
    assertThatThrownBy(() -> await(bad))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .hasMessage("does not fit")
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.REFUSED));
  }

  @Test
  void a_database_error_fails_the_whole_group() throws Exception {
    AtomicBoolean down = new AtomicBoolean();
    SubmissionBatcher batcher =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              if (down.get()) {
                throw new StoreException("unavailable", null, ErrorKind.UNAVAILABLE);
              }
            },
            TIMEOUT);
    List<Future<?>> first = submitAll(batcher, singleTasks(2), Thread.State.WAITING);
    List<Future<?>> others = submitAll(batcher, singleTasks(3), Thread.State.TIMED_WAITING);
    down.set(true);
    blockFirstWriter();
    open();

    List<Throwable> failures = new ArrayList<>();
    for (Future<?> item : others) {
      assertThatThrownBy(() -> await(item))
          .cause()
          .hasMessage("unavailable")
          .satisfies(failures::add)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }
    assertThat(failures).as("each caller gets its own exception").doesNotHaveDuplicates();
    first.forEach(item -> assertThatThrownBy(() -> await(item)).cause().hasMessage("unavailable"));
    assertThat(written).as("the group is not split").hasSize(3);
    down.set(false);
    batcher.submit(PostgresScenario.submission(1));
  }

  @Test
  void an_error_of_the_writing_caller_completes_all_submissions() throws Exception {
    SubmissionBatcher batcher =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              throw new StackOverflowError("deep");
            },
            TIMEOUT);
    List<Future<?>> all = new ArrayList<>(submitAll(batcher, singleTasks(2), Thread.State.WAITING));
    all.addAll(submitAll(batcher, singleTasks(3), Thread.State.TIMED_WAITING));
    open();

    for (Future<?> item : all) {
      assertThatThrownBy(() -> await(item))
          .cause()
          .hasRootCauseInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void an_interrupted_caller_still_writes_and_stays_interrupted() throws Exception {
    SubmissionBatcher batcher =
        new SubmissionBatcher(
            group -> {
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              written.add(group);
            },
            TIMEOUT);
    Future<Boolean> interrupted =
        callers.submit(
            () -> {
              Thread.currentThread().interrupt();
              batcher.submit(PostgresScenario.submission(1));
              return Thread.interrupted();
            });
    assertThat(interrupted.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(written).hasSize(1);
  }

  @Test
  void a_caller_interrupted_while_waiting_keeps_waiting_and_stays_interrupted() throws Exception {
    SubmissionBatcher batcher = new SubmissionBatcher(this::writeAfterTheGate, TIMEOUT);
    List<Future<?>> first = submitAll(batcher, singleTasks(2), Thread.State.WAITING);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  batcher.submit(PostgresScenario.submission(1));
                  interrupted.set(Thread.currentThread().isInterrupted());
                });
    waitUntil(() -> caller.getState() == Thread.State.TIMED_WAITING);
    caller.interrupt();
    waitUntil(() -> !caller.isInterrupted() && caller.getState() == Thread.State.TIMED_WAITING);
    open();

    await(first);
    assertThat(caller.join(LIMIT)).isTrue();
    assertThat(interrupted).isTrue();
    assertThat(written).hasSize(3);
  }

  @Test
  void an_interrupt_of_the_writing_caller_does_not_affect_the_others() throws Exception {
    AtomicBoolean once = new AtomicBoolean(true);
    SubmissionBatcher batcher =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              if (group.size() > 1 && once.getAndSet(false)) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted", null, ErrorKind.UNKNOWN);
              }
            },
            TIMEOUT);
    List<Future<?>> all = new ArrayList<>(submitAll(batcher, singleTasks(2), Thread.State.WAITING));
    all.addAll(submitAll(batcher, singleTasks(5), Thread.State.TIMED_WAITING));
    blockFirstWriter();
    open();

    await(all);
    assertThat(once).isFalse();
  }

  @Test
  void a_submission_fails_after_the_timeout() throws Exception {
    SubmissionBatcher batcher =
        new SubmissionBatcher(this::writeAfterTheGate, Duration.ofMillis(50));
    List<Future<?>> first = submitAll(batcher, singleTasks(2), Thread.State.WAITING);
    Submission late = PostgresScenario.submission(1);

    assertThatThrownBy(() -> batcher.submit(late))
        .isInstanceOf(StoreException.class)
        .hasMessage("submit failed: its write did not start within PT0.05S");
    open();
    await(first);
    batcher.submit(PostgresScenario.submission(1));
    assertThat(written).hasSize(3).noneMatch(group -> group.contains(late));
  }

  private void writeAfterTheGate(List<Submission> group) {
    try {
      gate.acquire();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    written.add(group);
  }

  private void open() {
    gate.release(1_000);
  }

  /**
   * Blocks one writer until all waiting submissions are in one group that is about to be written.
   */
  private void blockFirstWriter() {
    gate.release();
    waitUntil(() -> written.size() == 1 && gate.getQueueLength() == 2);
  }

  /** Returns when all callers are waiting. */
  private List<Future<?>> submitAll(
      SubmissionBatcher batcher, List<Submission> submissions, Thread.State waiting) {
    List<Future<?>> futures = new ArrayList<>();
    for (Submission submission : submissions) {
      List<Thread> caller = Collections.synchronizedList(new ArrayList<>());
      futures.add(
          callers.submit(
              () -> {
                caller.add(Thread.currentThread());
                batcher.submit(submission);
              }));
      waitUntil(() -> !caller.isEmpty() && caller.getFirst().getState() == waiting);
    }
    return futures;
  }

  private static List<Submission> singleTasks(int count) {
    return IntStream.range(0, count).mapToObj(i -> PostgresScenario.submission(1)).toList();
  }

  private static TaskDefinition definition(int characters) {
    return TaskDefinition.of("a", "\"" + "x".repeat(characters) + "\"");
  }

  private static int tasks(List<Submission> group) {
    return group.stream().mapToInt(submission -> submission.tasks().size()).sum();
  }

  private static void await(List<Future<?>> futures) throws Exception {
    for (Future<?> future : futures) {
      await(future);
    }
  }

  private static void await(Future<?> future) throws Exception {
    future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private static void waitUntil(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
