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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Submissions that come together, on the database. */
final class SubmitTogetherTest {

  private final Scene scene = new Scene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void all_are_there_and_each_but_once() throws Exception {
    List<Submission> many = Stream.generate(() -> Scene.submission(1)).limit(200).toList();
    List<Future<?>> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newCachedThreadPool()) {
      for (Submission submission : many) {
        answers.add(callers.submit(() -> scene.store.submit(submission)));
        answers.add(callers.submit(() -> scene.store.submit(submission)));
      }
    }
    for (Future<?> answer : answers) {
      answer.get();
    }
    for (Submission submission : many) {
      UUID id = submission.tasks().getFirst().id();
      assertThat(scene.store.reader().find(id)).isPresent();
    }
    assertThat(count("perdure_task")).isEqualTo(200);
    assertThat(count("perdure_batch")).isEqualTo(200);
  }

  @Test
  void what_was_stored_is_stored_once_and_what_does_not_fit_is_refused() throws SQLException {
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
