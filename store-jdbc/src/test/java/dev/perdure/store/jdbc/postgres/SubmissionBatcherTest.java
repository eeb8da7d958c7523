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

/** Submissions that come together are written together, and each gets its own answer. */
final class SubmissionBatcherTest {

  /** Longer than any test waits: nobody goes on because of it. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final Semaphore gate = new Semaphore(0);
  private final List<List<Submission>> written = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  @Test
  void one_that_comes_alone_is_written_by_its_caller() {
    SubmissionBatcher line = new SubmissionBatcher(written::add, PATIENCE);
    Submission alone = PostgresScenario.submission(1);
    line.submit(alone);
    assertThat(written).containsExactly(List.of(alone));
  }

  @Test
  void who_writes_himself_is_not_woken_when_he_waits_for_something_else() throws Exception {
    SubmissionBatcher line = new SubmissionBatcher(written::add, PATIENCE);
    AtomicLong waited = new AtomicLong();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  line.submit(PostgresScenario.submission(1));
                  long begin = System.nanoTime();
                  LockSupport.parkNanos(200_000_000);
                  waited.set(System.nanoTime() - begin);
                });

    assertThat(caller.join(LIMIT)).isTrue();
    assertThat(waited).hasValueGreaterThan(100_000_000);
  }

  @Test
  void what_comes_while_others_are_written_is_the_next_group() throws Exception {
    SubmissionBatcher line = new SubmissionBatcher(this::writeAfterTheGate, PATIENCE);
    List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
    List<Submission> later = singles(20);
    List<Future<?>> others = submitAll(line, later, Thread.State.TIMED_WAITING);
    oneOfTheFirstHandsOver();
    open();

    await(first);
    await(others);
    assertThat(written).hasSize(3);
    assertThat(written)
        .anySatisfy(group -> assertThat(group).containsExactlyInAnyOrderElementsOf(later));
  }

  @Test
  void whoever_has_been_written_leaves_the_rest_to_one_who_waits() throws Exception {
    Submission own = PostgresScenario.submission(1);
    Submission next = PostgresScenario.submission(1);
    List<Future<?>> others = new ArrayList<>();
    Map<Submission, Thread> writers = new ConcurrentHashMap<>();
    AtomicReference<SubmissionBatcher> line = new AtomicReference<>();
    line.set(
        new SubmissionBatcher(
            group -> {
              group.forEach(each -> writers.put(each, Thread.currentThread()));
              if (group.contains(own)) {
                others.addAll(submitAll(line.get(), List.of(next), Thread.State.TIMED_WAITING));
              } else if (!group.contains(next)) {
                writeAfterTheGate(group);
              }
            },
            PATIENCE));
    others.addAll(submitAll(line.get(), singles(1), Thread.State.WAITING));
    line.get().submit(own);
    until(() -> writers.containsKey(next));
    open();

    await(others);
    assertThat(writers.get(own)).isSameAs(Thread.currentThread());
    assertThat(writers.get(next)).isNotSameAs(Thread.currentThread());
  }

  @Test
  void a_group_has_a_limit_of_tasks_and_one_of_characters() throws Exception {
    SubmissionBatcher line = new SubmissionBatcher(this::writeAfterTheGate, PATIENCE);
    List<Future<?>> all = new ArrayList<>(submitAll(line, singles(2), Thread.State.WAITING));
    List<Submission> hundreds =
        IntStream.range(0, 7).mapToObj(i -> PostgresScenario.submission(100)).toList();
    all.addAll(submitAll(line, hundreds, Thread.State.TIMED_WAITING));
    List<Submission> large =
        IntStream.range(0, 4)
            .mapToObj(i -> PostgresScenario.submission(1, definition(400_000)))
            .toList();
    all.addAll(submitAll(line, large, Thread.State.TIMED_WAITING));
    open();

    await(all);
    assertThat(written).allSatisfy(group -> assertThat(tasks(group)).isLessThanOrEqualTo(599));
    assertThat(written)
        .allSatisfy(group -> assertThat(group.stream().filter(large::contains)).hasSizeLessThan(4));
    assertThat(written.stream().mapToInt(List::size).sum()).isEqualTo(13);
  }

  @Test
  void of_a_group_that_is_refused_only_the_one_at_fault_fails() throws Exception {
    Submission spoiled = PostgresScenario.submission(1);
    SubmissionBatcher line =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              if (group.contains(spoiled)) {
                throw new StoreException("does not fit", null, ErrorKind.REFUSED);
              }
            },
            PATIENCE);
    List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
    List<Future<?>> good = submitAll(line, singles(5), Thread.State.TIMED_WAITING);
    List<Future<?>> bad = submitAll(line, List.of(spoiled), Thread.State.TIMED_WAITING);
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
  void trouble_with_the_database_is_told_to_all_of_the_group() throws Exception {
    AtomicBoolean down = new AtomicBoolean();
    SubmissionBatcher line =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              if (down.get()) {
                throw new StoreException("away", null, ErrorKind.UNAVAILABLE);
              }
            },
            PATIENCE);
    List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
    List<Future<?>> others = submitAll(line, singles(3), Thread.State.TIMED_WAITING);
    down.set(true);
    oneOfTheFirstHandsOver();
    open();

    List<Throwable> failures = new ArrayList<>();
    for (Future<?> each : others) {
      assertThatThrownBy(() -> await(each))
          .cause()
          .hasMessage("away")
          .satisfies(failures::add)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }
    assertThat(failures).as("each has its own").doesNotHaveDuplicates();
    first.forEach(each -> assertThatThrownBy(() -> await(each)).cause().hasMessage("away"));
    assertThat(written).as("nothing is tried one by one").hasSize(3);
    down.set(false);
    line.submit(PostgresScenario.submission(1));
  }

  @Test
  void an_error_of_the_one_who_writes_leaves_nobody_waiting() throws Exception {
    SubmissionBatcher line =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              throw new StackOverflowError("deep");
            },
            PATIENCE);
    List<Future<?>> all = new ArrayList<>(submitAll(line, singles(2), Thread.State.WAITING));
    all.addAll(submitAll(line, singles(3), Thread.State.TIMED_WAITING));
    open();

    for (Future<?> each : all) {
      assertThatThrownBy(() -> await(each))
          .cause()
          .hasRootCauseInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void an_interrupted_caller_writes_undisturbed_and_stays_interrupted() throws Exception {
    SubmissionBatcher line =
        new SubmissionBatcher(
            group -> {
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              written.add(group);
            },
            PATIENCE);
    Future<Boolean> interrupted =
        callers.submit(
            () -> {
              Thread.currentThread().interrupt();
              line.submit(PostgresScenario.submission(1));
              return Thread.interrupted();
            });
    assertThat(interrupted.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(written).hasSize(1);
  }

  @Test
  void a_caller_interrupted_while_it_waits_waits_on_and_stays_interrupted() throws Exception {
    SubmissionBatcher line = new SubmissionBatcher(this::writeAfterTheGate, PATIENCE);
    List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  line.submit(PostgresScenario.submission(1));
                  interrupted.set(Thread.currentThread().isInterrupted());
                });
    until(() -> caller.getState() == Thread.State.TIMED_WAITING);
    caller.interrupt();
    until(() -> !caller.isInterrupted() && caller.getState() == Thread.State.TIMED_WAITING);
    open();

    await(first);
    assertThat(caller.join(LIMIT)).isTrue();
    assertThat(interrupted).isTrue();
    assertThat(written).hasSize(3);
  }

  @Test
  void an_interrupt_of_the_one_who_writes_is_not_felt_by_the_others() throws Exception {
    AtomicBoolean once = new AtomicBoolean(true);
    SubmissionBatcher line =
        new SubmissionBatcher(
            group -> {
              writeAfterTheGate(group);
              if (group.size() > 1 && once.getAndSet(false)) {
                Thread.currentThread().interrupt();
                throw new StoreException("broken off", null, ErrorKind.UNKNOWN);
              }
            },
            PATIENCE);
    List<Future<?>> all = new ArrayList<>(submitAll(line, singles(2), Thread.State.WAITING));
    all.addAll(submitAll(line, singles(5), Thread.State.TIMED_WAITING));
    oneOfTheFirstHandsOver();
    open();

    await(all);
    assertThat(once).isFalse();
  }

  @Test
  void nobody_waits_for_longer_than_the_line_has_patience() throws Exception {
    SubmissionBatcher line = new SubmissionBatcher(this::writeAfterTheGate, Duration.ofMillis(50));
    List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
    Submission late = PostgresScenario.submission(1);

    assertThatThrownBy(() -> line.submit(late))
        .isInstanceOf(StoreException.class)
        .hasMessage("submit failed: nothing was written for PT0.05S");
    open();
    await(first);
    line.submit(PostgresScenario.submission(1));
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

  /** The other holds its place until all that wait are in one group, and about to be written. */
  private void oneOfTheFirstHandsOver() {
    gate.release();
    until(() -> written.size() == 1 && gate.getQueueLength() == 2);
  }

  /** Returns when all of them wait in that manner. */
  private List<Future<?>> submitAll(
      SubmissionBatcher line, List<Submission> submissions, Thread.State waiting) {
    List<Future<?>> answers = new ArrayList<>();
    for (Submission submission : submissions) {
      List<Thread> caller = Collections.synchronizedList(new ArrayList<>());
      answers.add(
          callers.submit(
              () -> {
                caller.add(Thread.currentThread());
                line.submit(submission);
              }));
      until(() -> !caller.isEmpty() && caller.getFirst().getState() == waiting);
    }
    return answers;
  }

  private static List<Submission> singles(int count) {
    return IntStream.range(0, count).mapToObj(i -> PostgresScenario.submission(1)).toList();
  }

  private static TaskDefinition definition(int characters) {
    return TaskDefinition.of("a", "\"" + "x".repeat(characters) + "\"");
  }

  private static int tasks(List<Submission> group) {
    return group.stream().mapToInt(submission -> submission.tasks().size()).sum();
  }

  private static void await(List<Future<?>> answers) throws Exception {
    for (Future<?> answer : answers) {
      await(answer);
    }
  }

  private static void await(Future<?> answer) throws Exception {
    answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private static void until(BooleanSupplier fact) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!fact.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
