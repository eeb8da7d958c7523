// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import dev.perdure.engine.task.TaskDefinition;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Concurrent submissions on a real database. */
final class ConcurrentSubmitTest {

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void every_submission_is_stored_exactly_once() throws Exception {
    List<Submission> many =
        Stream.generate(() -> PostgresScenario.submission(1)).limit(200).toList();
    List<Future<?>> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newCachedThreadPool()) {
      for (Submission submission : many) {
        answers.add(callers.submit(() -> scenario.store.submit(submission)));
        answers.add(callers.submit(() -> scenario.store.submit(submission)));
      }
    }
    for (Future<?> answer : answers) {
      answer.get();
    }
    for (Submission submission : many) {
      UUID id = submission.tasks().getFirst().id();
      assertThat(scenario.store.reader().find(id)).isPresent();
    }
    assertThat(count("perdure_task")).isEqualTo(200);
    assertThat(count("perdure_batch")).isEqualTo(200);
  }

  @Test
  void repeated_submissions_are_stored_once_and_faulty_ones_are_refused() throws SQLException {
    Submission first = PostgresScenario.submission(1);
    NewTaskRow taken = first.tasks().getFirst();
    Submission clash =
        new Submission(
            PostgresScenario.id(),
            List.of(new NewTaskRow(taken.id(), TaskDefinition.of("a", "{}"), DueTime.now())));
    scenario.store.submit(first);

    assertThatThrownBy(() -> scenario.store.submit(clash))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.REFUSED));
    Submission later = PostgresScenario.submission(3);
    scenario.store.submit(later);
    scenario.store.submit(later);
    assertThat(count("perdure_task")).isEqualTo(4);
  }

  private int count(String table) throws SQLException {
    try (var connection = scenario.database.connect();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }
}
