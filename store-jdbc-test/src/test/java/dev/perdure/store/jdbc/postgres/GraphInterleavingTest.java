// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.PropagationRound;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Submissions, ends, revives and propagation on the same tasks, one of them held open. */
final class GraphInterleavingTest {

  private static final TaskDefinition CHILD = TaskDefinition.of("child", "{}");

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void a_parent_that_ends_during_the_submission_of_its_child_releases_it() throws Exception {
    Task parent = scenario.running(1).getFirst();
    Submission submission = childOf(parent);
    try (Connection submitting = scenario.database.begin()) {
      inTransaction(submitting, submission);
      Future<List<WriteResult>> settled =
          scenario.blocked(() -> scenario.store.apply(List.of(scenario.success(parent))));
      submitting.commit();
      assertThat(settled.get()).containsExactly(WriteResult.writtenAndObserved());
    }
    assertThat(child(submission).state()).isEqualTo(TaskState.WAITING);
    assertThat(scenario.store.dependencies().propagate(10).released()).isOne();
    assertThat(child(submission).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_child_that_is_submitted_while_its_parent_ends_does_not_wait() throws Exception {
    Task parent = scenario.running(1).getFirst();
    Submission submission = childOf(parent);
    try (Connection settling = scenario.database.begin()) {
      scenario.apply(settling, scenario.success(parent));
      Future<SubmissionReceipt> submitted =
          scenario.blocked(() -> scenario.store.submit(submission));
      settling.commit();
      assertThat(submitted.get()).isEqualTo(submission.stored());
    }
    assertThat(child(submission).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_child_that_is_submitted_while_its_parent_fails_fails() throws Exception {
    Task parent = scenario.running(1).getFirst();
    Submission submission = childOf(parent);
    try (Connection settling = scenario.database.begin()) {
      scenario.apply(settling, failure(parent));
      Future<SubmissionReceipt> submitted =
          scenario.blocked(() -> scenario.store.submit(submission));
      settling.commit();
      submitted.get();
    }
    assertThat(child(submission).dependencies()).isEqualTo(new DependencyCounts(1, 1));
    assertThat(scenario.store.dependencies().propagate(10).undecided())
        .containsExactly(child(submission).id());
  }

  @Test
  void two_parents_that_end_at_once_release_their_child_once() throws Exception {
    List<Task> parents = scenario.running(2);
    Submission submission = childOf(parents.getFirst(), parents.getLast());
    scenario.store.submit(submission);
    try (Connection one = scenario.database.begin();
        Connection other = scenario.database.begin()) {
      scenario.apply(one, scenario.success(parents.getFirst()));
      scenario.apply(other, scenario.success(parents.getLast()));
      one.commit();
      assertThat(propagate(one).dependencies()).as("the first parent").isOne();
      other.commit();
      // The child is locked by the open round: the second one leaves the event for later.
      assertThat(propagate(other)).matches(done -> done.dependencies() == 0 && done.events() == 0);
      other.commit();
      one.commit();
    }
    assertThat(child(submission).dependencies()).isEqualTo(new DependencyCounts(1, 0));
    assertThat(scenario.store.dependencies().propagate(10).released()).isOne();
    assertThat(child(submission).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_revive_beside_the_end_of_the_last_parent_does_not_wait_for_ever() throws Exception {
    Task parent = scenario.running(1).getFirst();
    Submission submission = childOf(parent);
    scenario.store.submit(submission);
    scenario.store.apply(List.of(scenario.lifecycle.cancel(child(submission))));
    TaskChange revive = scenario.lifecycle.revive(child(submission));
    assertThat(revive.event()).isEqualTo(TaskEvent.REVIVE_WAITING);
    scenario.store.apply(List.of(scenario.success(parent)));
    try (Connection propagating = scenario.database.begin()) {
      assertThat(propagate(propagating).dependencies()).isOne();
      Future<List<WriteResult>> revived =
          scenario.blocked(() -> scenario.store.apply(List.of(revive)));
      propagating.commit();
      assertThat(revived.get()).containsExactly(WriteResult.refused(TaskState.CANCELED, 0));
    }
    TaskChange again = scenario.lifecycle.revive(child(submission));
    assertThat(again.event()).isEqualTo(TaskEvent.REVIVE);
    assertThat(scenario.store.apply(List.of(again))).containsExactly(WriteResult.written());
    assertThat(child(submission).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_parent_cannot_be_revived_while_its_children_are_told() throws Exception {
    Task parent = scenario.running(1).getFirst();
    Submission submission = childOf(parent);
    scenario.store.submit(submission);
    scenario.store.apply(List.of(failure(parent)));
    TaskChange revive = scenario.lifecycle.revive(scenario.find(parent));
    try (Connection propagating = scenario.database.begin()) {
      assertThat(propagate(propagating).dependencies()).isOne();
      Future<List<WriteResult>> revived =
          scenario.blocked(() -> scenario.store.apply(List.of(revive)));
      propagating.commit();
      assertThat(revived.get()).containsExactly(WriteResult.writtenAndObserved());
    }
    assertThat(child(submission).dependencies()).isEqualTo(new DependencyCounts(1, 1));
    scenario.store.dependencies().propagate(10);
    assertThat(child(submission).dependencies()).isEqualTo(new DependencyCounts(1, 0));
  }

  @Test
  void propagation_does_not_wait_for_a_caller_that_holds_a_parent() throws Exception {
    List<Task> parents = scenario.running(2);
    Submission submission = childOf(parents.getFirst());
    scenario.store.submit(submission);
    Submission other = childOf(parents.getLast());
    scenario.store.submit(other);
    parents.forEach(parent -> scenario.store.apply(List.of(scenario.success(parent))));
    try (Connection submitting = scenario.database.begin()) {
      inTransaction(submitting, childOf(parents.getFirst()));
      assertThat(scenario.store.dependencies().propagate(10).released()).isOne();
      assertThat(child(other).state()).isEqualTo(TaskState.PENDING);
      assertThat(child(submission).state()).isEqualTo(TaskState.WAITING);
      submitting.rollback();
    }
    assertThat(scenario.store.dependencies().propagate(10).released()).isOne();
    assertThat(child(submission).state()).isEqualTo(TaskState.PENDING);
  }

  private Propagation propagate(Connection connection) throws SQLException {
    return new PropagationRound<>(
            new PostgresPropagationTables(scenario.executor, connection, 0), 10)
        .run();
  }

  private void inTransaction(Connection connection, Submission submission) {
    assertThat(scenario.store.inTransaction(connection).submit(submission))
        .isEqualTo(submission.stored());
  }

  private TaskChange failure(Task task) {
    Failure failure = Failure.explicit("final").withPermanent(true);
    return scenario.lifecycle.settle(
        task, new Outcome.Failed(failure, null), scenario.clock.instant());
  }

  private static Submission childOf(Task... parents) {
    UUID child = PostgresScenario.id();
    return new Submission(
        PostgresScenario.id(),
        BatchDefinition.NONE,
        List.of(new NewTaskRow(child, CHILD, DueTime.now())),
        Stream.of(parents).map(parent -> new Dependency(parent.id(), child, true)).toList(),
        null);
  }

  private Task child(Submission submission) {
    return scenario.store.reader().find(submission.tasks().getFirst().id()).orElseThrow();
  }
}
