// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.Submission.SubmissionKeyDigest;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks that depend on others when they are submitted. */
abstract class DependencySubmitContract extends GraphContract {

  private static final Duration LATER = Duration.ofHours(1);

  DependencySubmitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_task_with_unmet_dependencies_waits_and_is_not_claimed() {
    List<UUID> ids = graph("0>1 0~2 1>3 2>3");
    Task child = find(ids.get(1));
    clock.advance(LATER);

    assertStates(ids, "pending waiting waiting waiting");
    assertThat(counts(ids.get(3))).isEqualTo(new DependencyCounts(2, 0));
    assertThat(claim(10, child.definition().kind()).leases()).isEmpty();
    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
  }

  /** The order of the dependencies in a submission has no meaning. */
  @Test
  void dependencies_may_come_in_any_order() {
    List<UUID> ids = graph("2>3 0>1 1>2 0>3");

    succeed(ids.getFirst());
    propagate();

    assertStates(ids, "success pending waiting waiting");
    assertThat(counts(ids.get(3))).isEqualTo(new DependencyCounts(1, 0));
  }

  @Test
  void stored_parents_count_as_what_they_are() {
    UUID live = submit(unique());
    UUID shard = live;
    UUID good = after(DueTime.now(), false, shard);
    UUID bad = after(DueTime.now(), false, shard);
    UUID stopped = after(DueTime.now(), false, shard);
    succeed(live);
    propagate();
    succeed(good);
    fail(bad);
    cancel(stopped);
    UUID waiting = after(DueTime.in(LATER), true, good);
    UUID later = after(waiting);

    List<UUID> children =
        List.of(
            after(good),
            afterEvenIfFailed(good, bad, stopped),
            after(good, bad),
            after(good, stopped),
            after(good, waiting),
            after(good, later));
    assertStates(children, "pending pending waiting waiting waiting waiting");
    propagate();
    assertStates(children, "pending pending failure failure waiting waiting");
  }

  /** Its failure is certain although it has not been written. */
  @Test
  void a_stored_parent_that_is_about_to_fail_counts_as_failed() {
    List<UUID> ids = graph("0>1");
    fail(ids.getFirst());
    store.dependencies().propagate(LIMIT);
    assertThat(counts(ids.getLast())).isEqualTo(new DependencyCounts(1, 1));

    UUID child = after(ids.getLast());
    UUID patient = afterEvenIfFailed(ids.getLast());
    assertThat(counts(child)).isEqualTo(new DependencyCounts(1, 1));
    assertThat(counts(patient)).isEqualTo(new DependencyCounts(1, 0));
    propagate();
    assertStates(List.of(ids.get(1), child, patient), "failure failure pending");
  }

  @Test
  void a_task_that_waits_for_a_failed_one_dooms_the_children_of_its_own_submission() {
    UUID bad = submit(unique());
    fail(bad);
    int shard = Shards.of(bad);
    List<NewTaskRow> rows =
        IntStream.range(0, 3)
            .mapToObj(i -> new NewTaskRow(ids.next(shard), unique().definition(), DueTime.now()))
            .toList();
    List<UUID> tasks = rows.stream().map(NewTaskRow::id).toList();
    store.submit(
        new Submission(
            ids.next(shard),
            BatchDefinition.NONE,
            rows,
            List.of(
                new Dependency(bad, tasks.get(0), true),
                new Dependency(tasks.get(0), tasks.get(1), true),
                new Dependency(tasks.get(1), tasks.get(2), true)),
            null));
    propagate();

    assertStates(tasks, "failure failure failure");
  }

  @Test
  void nothing_is_stored_when_a_parent_does_not_exist() {
    UUID known = submit(unique());
    int shard = Shards.of(known);
    UUID unknown = ids.next(shard);
    Submission without = childOf(DueTime.now(), true, known, unknown);
    SubmissionKeyDigest key = new SubmissionKeyDigest("0000000a".repeat(8), "x");
    Submission withKey =
        new Submission(
            without.batch(), without.definition(), without.tasks(), without.dependencies(), key);

    for (Submission submission : List.of(without, withKey)) {
      assertThat(store.submit(submission))
          .isEqualTo(
              new SubmissionReceipt(
                  submission.batch(), List.of(unknown), SubmissionStatus.UNKNOWN_PARENT));
    }
    assertThat(store.isSubmitted(key)).isFalse();
    assertThat(store.reader().count(TaskFilter.all(), 10)).isEqualTo(1);
    assertThat(store.batches().find(without.batch())).isEmpty();
    assertThat(store.batches().definition(without.batch())).isEmpty();
    cancel(known);
    assertThat(propagateOnce().dependencies()).isZero();
  }

  @Test
  void a_parent_in_another_shard_is_refused() {
    UUID elsewhere = ids.next(1);
    UUID child = ids.next(0);
    List<NewTaskRow> rows = List.of(new NewTaskRow(child, unique().definition(), DueTime.now()));
    Submission submission =
        new Submission(
            ids.next(0),
            BatchDefinition.NONE,
            rows,
            List.of(new Dependency(elsewhere, child, true)),
            null);

    assertThatThrownBy(() -> store.submit(submission))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is in shard 1, but");
  }

  @Test
  void the_same_submission_again_changes_nothing() {
    UUID parent = submit(unique());
    Submission submission = childOf(DueTime.now(), true, parent);
    store.submit(submission);
    succeed(parent);
    propagate();
    UUID child = submission.tasks().getFirst().id();
    Snapshot before = snapshot(child);

    assertThat(store.submit(submission)).isEqualTo(submission.stored());
    assertThat(snapshot(child)).isEqualTo(before);
    assertCounted(child);
    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
  }

  @Test
  void a_transaction_of_the_caller_stores_tasks_with_their_dependencies() {
    UUID parent = submit(unique());
    Submission discarded = childOf(DueTime.now(), true, parent);
    Submission kept = childOf(DueTime.now(), true, parent);
    try (StoreFixture.OpenTransaction open = fixture.begin()) {
      assertThat(open.transaction().submit(discarded)).isEqualTo(discarded.stored());
    }
    try (StoreFixture.OpenTransaction open = fixture.begin()) {
      assertThat(open.transaction().submit(kept)).isEqualTo(kept.stored());
      Submission unknown = childOf(DueTime.now(), true, parent, ids.next(Shards.of(parent)));
      assertThat(open.transaction().submit(unknown).status())
          .isEqualTo(SubmissionStatus.UNKNOWN_PARENT);
      open.commit();
    }
    succeed(parent);
    propagate();

    assertStates(List.of(kept.tasks().getFirst().id()), "pending");
    assertThat(store.reader().count(TaskFilter.all(), 10)).isEqualTo(2);
  }
}
