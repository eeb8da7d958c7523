// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Revives of tasks whose dedupe key a live task has. */
final class ReviveWriterTest {

  private static final WriteResult REFUSED = WriteResult.refused(TaskState.CANCELED, 0);

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  private UUID submit(String key) {
    TaskDefinition keyed =
        new TaskDefinition(
            "a", null, "{}", null, null, null, null, null, null, 0, null, null, null, null, null,
            null, key);
    Submission submission = PostgresScenario.submission(1, keyed);
    assertThat(scenario.store.submit(submission).stored()).isOne();
    return submission.tasks().getFirst().id();
  }

  private UUID canceled(String key) {
    UUID id = submit(key);
    assertThat(scenario.store.apply(List.of(cancel(id)))).containsExactly(WriteResult.written());
    return id;
  }

  private Task task(UUID id) {
    return scenario.store.reader().find(id).orElseThrow();
  }

  private TaskChange cancel(UUID id) {
    return scenario.lifecycle.cancel(task(id));
  }

  private TaskChange revive(UUID id) {
    return scenario.lifecycle.revive(task(id));
  }

  /** The last transaction that locked or tried to change the row, committed or not; 0 if none. */
  private long lastWriter(UUID id) throws SQLException {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(
          connection,
          "SELECT CAST(CAST(s.xmax AS text) AS bigint) FROM perdure_task_state s WHERE s.id = '%s'"
              .formatted(id));
    }
  }

  @Test
  void a_revive_whose_key_is_taken_writes_nothing() throws SQLException {
    UUID ended = canceled("taken");
    UUID holder = submit("taken");
    UUID free = canceled("free");
    UUID other = submit("other");

    assertThat(scenario.store.apply(List.of(revive(ended), revive(free), cancel(other))))
        .containsExactly(REFUSED, WriteResult.written(), WriteResult.written());
    assertThat(scenario.store.apply(List.of(revive(ended)))).containsExactly(REFUSED);

    assertThat(lastWriter(ended)).as("no try was rolled back").isZero();
    assertThat(task(free).state()).isEqualTo(TaskState.PENDING);
    assertThat(task(other).state()).isEqualTo(TaskState.CANCELED);
    assertThat(task(holder).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void of_two_revives_with_the_same_key_one_is_written() {
    UUID first = canceled("key");
    UUID second = canceled("key");

    assertThat(scenario.store.apply(List.of(revive(first), revive(second))))
        .containsExactly(WriteResult.written(), REFUSED);
  }

  @Test
  void a_task_that_has_its_own_key_is_reported_as_it_is() {
    UUID id = canceled("key");
    TaskChange revive = revive(id);

    assertThat(scenario.store.apply(List.of(revive))).containsExactly(WriteResult.written());
    assertThat(scenario.store.apply(List.of(revive)))
        .containsExactly(WriteResult.refused(TaskState.PENDING, 0));
  }
}
