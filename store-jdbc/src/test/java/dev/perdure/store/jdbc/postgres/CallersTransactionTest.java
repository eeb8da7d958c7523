// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written on the caller's connection is true exactly when the caller commits. */
final class CallersTransactionTest {

  private final Scene scene = new Scene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void a_task_can_be_claimed_only_after_the_commit() throws Exception {
    try (Connection caller = scene.database.begin()) {
      scene.store.on(caller).submit(Scene.submission(1));
      assertThat(scene.store.claim(scene.request(1)).leases()).isEmpty();
      caller.commit();
      assertThat(scene.store.claim(scene.request(1)).leases()).hasSize(1);
    }
  }

  @Test
  void a_task_never_was_after_the_rollback() throws Exception {
    try (Connection caller = scene.database.begin()) {
      scene.store.on(caller).submit(Scene.submission(1));
      caller.rollback();
    }
    assertThat(scene.store.reader().count(TaskFilter.all(), 1)).isZero();
  }

  @Test
  void a_large_submission_is_undone_as_a_whole() throws Exception {
    Submission large = Scene.submission(Submitting.CHUNK + 1);
    try (Connection caller = scene.database.begin()) {
      scene.store.on(caller).submit(large);
      caller.rollback();
      assertThat(scene.store.reader().count(TaskFilter.all(), 1)).isZero();
      scene.store.on(caller).submit(large);
      caller.commit();
    }
    assertThat(scene.store.reader().count(TaskFilter.all(), 10_000))
        .isEqualTo(Submitting.CHUNK + 1);
  }

  @Test
  void an_attempt_ends_with_the_commit() throws Exception {
    Task task = scene.running(1).getFirst();
    try (Connection caller = scene.database.begin()) {
      assertThat(scene.store.on(caller).apply(List.of(scene.success(task))))
          .containsExactly(Verdict.done());
      assertThat(scene.find(task).state()).isEqualTo(TaskState.RUNNING);
      caller.commit();
    }
    assertThat(scene.find(task).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_failure_is_left_to_the_caller() throws Exception {
    try (Connection caller = scene.database.begin()) {
      Scene.number(caller, "SELECT 1");
      assertThatThrownBy(() -> Scene.number(caller, "SELECT 1 / 0")).hasMessageContaining("zero");
      assertThatThrownBy(() -> scene.store.on(caller).submit(Scene.submission(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("caller's transaction");
      caller.rollback();
      scene.store.on(caller).submit(Scene.submission(1));
      caller.commit();
    }
    assertThat(scene.store.reader().count(TaskFilter.all(), 10)).isEqualTo(1);
  }
}
