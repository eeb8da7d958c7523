// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.StoreException.Sort;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Submissions that come together are written together, and each gets its own answer. */
final class SubmitLineTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final List<List<Submission>> written = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  @Nested
  final class WithAWriterThatIsStepped {

    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void one_that_comes_alone_is_written_by_its_caller() {
      SubmitLine line = new SubmitLine(written::add, PATIENCE);
      Submission alone = Scene.submission(1);
      line.submit(alone);
      assertThat(written).containsExactly(List.of(alone));
    }

    @Test
    void what_comes_while_others_are_written_is_the_next_group() throws Exception {
      SubmitLine line = new SubmitLine(this::writeAfterTheGate, PATIENCE);
      List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
      List<Submission> later = singles(20);
      List<Future<?>> others = submitAll(line, later, Thread.State.TIMED_WAITING);
      gate.countDown();

      await(first);
      await(others);
      List<List<Submission>> groups = written.stream().filter(later::containsAll).toList();
      assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(later);
      assertThat(groups).as("each place may take some").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void a_group_has_a_limit_of_tasks_and_one_of_characters() throws Exception {
      SubmitLine line = new SubmitLine(this::writeAfterTheGate, PATIENCE);
      List<Future<?>> all = new ArrayList<>(submitAll(line, singles(2), Thread.State.WAITING));
      List<Submission> hundreds =
          IntStream.range(0, 7).mapToObj(i -> Scene.submission(100)).toList();
      all.addAll(submitAll(line, hundreds, Thread.State.TIMED_WAITING));
      List<Submission> large =
          IntStream.range(0, 4).mapToObj(i -> Scene.submission(1, definition(400_000))).toList();
      all.addAll(submitAll(line, large, Thread.State.TIMED_WAITING));
      gate.countDown();

      await(all);
      assertThat(written).allSatisfy(group -> assertThat(tasks(group)).isLessThanOrEqualTo(599));
      assertThat(written)
          .allSatisfy(
              group -> assertThat(group.stream().filter(large::contains)).hasSizeLessThan(4));
      assertThat(written.stream().mapToInt(List::size).sum()).isEqualTo(13);
    }

    @Test
    void of_a_group_that_is_refused_only_the_one_at_fault_fails() throws Exception {
      Submission spoiled = Scene.submission(1);
      SubmitLine line =
          new SubmitLine(
              group -> {
                writeAfterTheGate(group);
                if (group.contains(spoiled)) {
                  throw new StoreException("does not fit", null, Sort.REFUSED);
                }
              },
              PATIENCE);
      List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
      List<Future<?>> good = submitAll(line, singles(5), Thread.State.TIMED_WAITING);
      List<Future<?>> bad = submitAll(line, List.of(spoiled), Thread.State.TIMED_WAITING);
      gate.countDown();

      await(first);
      await(good);
      assertThatThrownBy(() -> await(bad))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(StoreException.class)
          .hasMessage("does not fit");
    }

    @Test
    void trouble_with_the_database_is_told_to_all_of_the_group() throws Exception {
      AtomicBoolean down = new AtomicBoolean();
      SubmitLine line =
          new SubmitLine(
              group -> {
                writeAfterTheGate(group);
                if (down.get()) {
                  throw new StoreException("away", null, Sort.UNAVAILABLE);
                }
              },
              PATIENCE);
      List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
      List<Future<?>> others = submitAll(line, singles(3), Thread.State.TIMED_WAITING);
      down.set(true);
      gate.countDown();

      for (Future<?> each : first) {
        assertThatThrownBy(each::get).cause().hasMessage("away");
      }
      for (Future<?> each : others) {
        assertThatThrownBy(each::get).cause().hasMessage("away");
      }
      down.set(false);
      line.submit(Scene.submission(1));
    }

    @Test
    void an_error_of_the_one_who_writes_leaves_nobody_waiting() throws Exception {
      SubmitLine line =
          new SubmitLine(
              group -> {
                writeAfterTheGate(group);
                throw new StackOverflowError("deep");
              },
              PATIENCE);
      List<Future<?>> all = new ArrayList<>(submitAll(line, singles(2), Thread.State.WAITING));
      all.addAll(submitAll(line, singles(3), Thread.State.TIMED_WAITING));
      gate.countDown();

      for (Future<?> each : all) {
        assertThatThrownBy(each::get).cause().hasRootCauseInstanceOf(StackOverflowError.class);
      }
    }

    @Test
    void an_interrupted_caller_is_answered_and_stays_interrupted() throws Exception {
      SubmitLine line = new SubmitLine(written::add, PATIENCE);
      Future<Boolean> interrupted =
          callers.submit(
              () -> {
                Thread.currentThread().interrupt();
                line.submit(Scene.submission(1));
                return Thread.interrupted();
              });
      assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(written).hasSize(1);
    }

    @Test
    void an_interrupt_of_the_one_who_writes_is_not_felt_by_the_others() throws Exception {
      AtomicBoolean once = new AtomicBoolean(true);
      SubmitLine line =
          new SubmitLine(
              group -> {
                writeAfterTheGate(group);
                if (group.size() > 1 && once.getAndSet(false)) {
                  Thread.currentThread().interrupt();
                  throw new StoreException("broken off", null, Sort.UNKNOWN);
                }
              },
              PATIENCE);
      List<Future<?>> all = new ArrayList<>(submitAll(line, singles(2), Thread.State.WAITING));
      all.addAll(submitAll(line, singles(5), Thread.State.TIMED_WAITING));
      gate.countDown();

      await(all);
      assertThat(once).isFalse();
    }

    @Test
    void nobody_waits_for_longer_than_the_line_has_patience() throws Exception {
      SubmitLine line = new SubmitLine(this::writeAfterTheGate, Duration.ofMillis(50));
      List<Future<?>> first = submitAll(line, singles(2), Thread.State.WAITING);
      Submission late = Scene.submission(1);

      assertThatThrownBy(() -> line.submit(late))
          .isInstanceOf(StoreException.class)
          .hasMessage("submit failed: nothing was written for PT0.05S");
      gate.countDown();
      await(first);
      assertThat(written).noneMatch(group -> group.contains(late));
    }

    private void writeAfterTheGate(List<Submission> group) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      written.add(group);
    }

    /** Returns when all of them wait in that manner. */
    private List<Future<?>> submitAll(
        SubmitLine line, List<Submission> submissions, Thread.State waiting) {
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
  }

  @Nested
  final class OnTheDatabase {

    private final Scene scene = new Scene();

    @AfterEach
    void close() {
      scene.close();
    }

    @Test
    void all_are_there_and_each_but_once() throws Exception {
      List<Submission> many = singles(200);
      List<Future<?>> answers = new ArrayList<>();
      for (Submission submission : many) {
        answers.add(callers.submit(() -> scene.store.submit(submission)));
        answers.add(callers.submit(() -> scene.store.submit(submission)));
      }
      await(answers);
      for (Submission submission : many) {
        UUID id = submission.tasks().getFirst().id();
        assertThat(scene.store.reader().find(id)).isPresent();
      }
      assertThat(count("perdure_task")).isEqualTo(200);
      assertThat(count("perdure_batch")).isEqualTo(200);
    }

    @Test
    void a_group_in_which_one_is_twice_or_one_does_not_fit_is_written_for_the_others()
        throws SQLException {
      Submission first = Scene.submission(1);
      NewRow taken = first.tasks().getFirst();
      Submission clash =
          new Submission(
              Scene.id(), List.of(new NewRow(taken.id(), Definition.of("a", "{}"), Due.now())));
      scene.store.submit(first);

      assertThatThrownBy(() -> scene.store.submit(clash))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.sort()).isEqualTo(Sort.REFUSED));
      Submission later = Scene.submission(3);
      scene.store.submit(later);
      scene.store.submit(later);
      assertThat(count("perdure_task")).isEqualTo(4);
    }

    private int count(String table) throws SQLException {
      try (var connection = scene.database.connect();
          var statement = connection.createStatement();
          var row = statement.executeQuery("SELECT count(*) FROM " + table)) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static List<Submission> singles(int count) {
    return IntStream.range(0, count).mapToObj(i -> Scene.submission(1)).toList();
  }

  private static Definition definition(int characters) {
    return Definition.of("a", "\"" + "x".repeat(characters) + "\"");
  }

  private static int tasks(List<Submission> group) {
    return group.stream().mapToInt(submission -> submission.tasks().size()).sum();
  }

  private static void await(List<Future<?>> answers) throws Exception {
    for (Future<?> answer : answers) {
      answer.get(30, TimeUnit.SECONDS);
    }
  }

  private static void until(BooleanSupplier fact) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!fact.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
