// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Finding, filtering, counting and paging tasks. */
abstract class ReadContract extends AttemptPageContract {

  private static final TaskFilter ALL = TaskFilter.all();

  ReadContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Asserts that the list and the count agree. */
  private void assertFinds(TaskFilter filter, UUID... expected) {
    List<UUID> found =
        store.reader().list(filter, PageRequest.first(100)).tasks().stream()
            .map(TaskRow::id)
            .toList();
    assertThat(found).containsExactlyInAnyOrder(expected);
    assertThat(store.reader().count(filter, 100)).isEqualTo(expected.length);
  }

  private static TaskFilter named(String part) {
    return ALL.withNameContains(part);
  }

  private static TaskFilter ended(@Nullable String failureKind, @Nullable TaskGiveUpReason reason) {
    return ALL.withFailureKind(failureKind).withGiveUpReason(reason);
  }

  private static TaskFilter created(@Nullable Instant after, @Nullable Instant before) {
    return ALL.withCreatedAfter(after).withCreatedBefore(before);
  }

  @Test
  void now_uses_the_same_clock_as_the_times_of_tasks() {
    Instant before = store.now();
    clock.advance(Duration.ofSeconds(90));
    UUID id = submit(TestTask.withoutRetry("a"));

    assertThat(store.now()).isEqualTo(before.plusSeconds(90)).isEqualTo(clock.instant());
    assertThat(find(id).times().createdAt()).isEqualTo(store.now());
  }

  @Test
  void finds_several_tasks_at_once() {
    UUID done = submit(TestTask.withoutRetry("a"));
    settle(running("a"), SUCCEEDED);
    UUID pending = submit(TestTask.withoutRetry("a"));
    UUID running = submit(TestTask.withoutRetry("b"));
    running("b");
    UUID unknown = new UUID(7, 7);

    assertThat(store.reader().findAll(List.of(running, done, unknown, pending)))
        .containsExactlyInAnyOrder(find(done), find(pending), find(running));
    assertThat(store.reader().findAll(List.of())).isEmpty();
  }

  @Test
  void by_state() {
    UUID done = submit(TestTask.withoutRetry("a"));
    settle(running("a"), SUCCEEDED);
    UUID pending = submit(TestTask.withoutRetry("a"));
    UUID canceled = submit(TestTask.withoutRetry("b"));
    write(lifecycle.cancel(find(canceled)));

    assertFinds(TaskFilter.in(TaskState.SUCCESS), done);
    assertFinds(TaskFilter.in(TaskState.PENDING, TaskState.CANCELED), pending, canceled);
    assertFinds(TaskFilter.in(TaskState.WAITING));
    assertFinds(ALL, done, pending, canceled);
  }

  @Test
  void by_status() {
    UUID paused = submit(TestTask.withoutRetry("a"));
    write(lifecycle.pause(find(paused)));
    UUID parked = submit(TestTask.withoutRetry("b"));
    settle(running("b"), new Outcome.Parked("why"));
    UUID both = submit(TestTask.withoutRetry("c"));
    write(lifecycle.pause(settle(running("c"), new Outcome.Parked("why"))));
    UUID running = submit(TestTask.withoutRetry("d"));
    write(lifecycle.pause(running("d")));
    UUID canceled = submit(TestTask.withoutRetry("e"));
    write(lifecycle.cancel(write(lifecycle.pause(find(canceled)))));
    UUID pending = submit(TestTask.withoutRetry("f"));

    assertFinds(TaskFilter.in(DisplayStatus.PAUSED), paused, both);
    assertFinds(TaskFilter.in(DisplayStatus.PARKED), parked);
    assertFinds(TaskFilter.in(DisplayStatus.PAUSED, DisplayStatus.PARKED), paused, parked, both);
    assertFinds(TaskFilter.in(DisplayStatus.PENDING), pending);
    assertFinds(TaskFilter.in(DisplayStatus.RUNNING, DisplayStatus.PARKED), running, parked);
    assertFinds(TaskFilter.in(DisplayStatus.CANCELED, DisplayStatus.PENDING), canceled, pending);
    assertFinds(TaskFilter.in(DisplayStatus.WAITING));
    assertFinds(TaskFilter.in(TaskState.PENDING), paused, parked, both, pending);
  }

  @Test
  void by_kind() {
    UUID expected = submit(TestTask.withoutRetry("größe"));
    submit(TestTask.withoutRetry("größer"));

    assertFinds(ALL.withKind("größe"), expected);
    assertFinds(ALL.withKind("GRÖSSE"));
  }

  @Test
  void by_part_of_the_name_ignoring_case() {
    UUID bill = submit(TestTask.withoutRetry("a").withName("Monthly Bill 100%_done"));
    submit(TestTask.withoutRetry("a").withName("monthly report"));
    submit(TestTask.withoutRetry("a"));

    assertFinds(named("bill"), bill);
    assertFinds(named("LY BI"), bill);
    assertFinds(named("0%_d"), bill);
    assertFinds(named("%"), bill);
    assertFinds(named("m_n"));
  }

  @Test
  void by_batch() {
    List<UUID> together = submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    submit(TestTask.withoutRetry("a"));

    assertFinds(ALL.withBatch(find(together.getFirst()).batch()), together.get(0), together.get(1));
    assertFinds(ALL.withBatch(ids.next(0)));
  }

  @Test
  void a_batch_can_be_filtered_counted_and_paged() {
    List<UUID> together =
        submit(nextShard(), Collections.nCopies(5, TestTask.withoutRetry("a")), DueTime.now());
    submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("a"));
    TaskFilter batch = ALL.withBatch(find(together.getFirst()).batch());
    write(lifecycle.cancel(find(together.get(2))));

    assertFinds(batch.withStates(Set.of(TaskState.CANCELED)), together.get(2));
    assertFinds(batch.withKind("b"));
    assertThat(store.reader().count(batch, 3)).isEqualTo(3);
    TaskPage first = store.reader().list(batch, PageRequest.first(3));
    TaskPage second = store.reader().list(batch, new PageRequest(3, first.nextCursor()));
    assertThat(first.tasks()).extracting(TaskRow::id).isEqualTo(together.reversed().subList(0, 3));
    assertThat(second.tasks()).extracting(TaskRow::id).isEqualTo(together.reversed().subList(3, 5));
    assertThat(second.nextCursor()).isNull();
  }

  @Test
  void by_failure_kind_and_by_give_up_reason() {
    UUID retrying = submit(TestTask.retrying("a"));
    settle(running("a"), FAILED);
    UUID failed = submit(TestTask.retrying("b"));
    settle(running("b"), new Outcome.Failed(Failure.http(400).withPermanent(true), null));
    submit(TestTask.withoutRetry("c"));

    assertFinds(ended("explicit", null), retrying);
    assertFinds(ended("http", null), failed);
    assertFinds(ended(null, TaskGiveUpReason.NOT_RETRYABLE), failed);
    assertFinds(ended("explicit", TaskGiveUpReason.NOT_RETRYABLE));
  }

  @Test
  void by_creation_time() {
    Instant start = clock.instant();
    UUID first = submit(TestTask.withoutRetry("a"));
    clock.advance(Duration.ofSeconds(10));
    UUID second = submit(TestTask.withoutRetry("a"));

    assertFinds(created(start.plusSeconds(5), null), second);
    assertFinds(created(null, start.plusSeconds(5)), first);
    assertFinds(created(start.minusSeconds(1), start.plusSeconds(11)), first, second);
    assertFinds(created(start.plusSeconds(11), null));
  }

  @Test
  void by_due_time() {
    UUID soon = submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofHours(1)));
    UUID later = submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofHours(3)));

    assertFinds(ALL.withDueWithin(Duration.ofMinutes(59)));
    assertFinds(ALL.withDueWithin(Duration.ofHours(1)), soon);
    assertFinds(ALL.withDueWithin(Duration.ofDays(1)), soon, later);
  }

  @Test
  void all_conditions_must_match() {
    UUID both = submit(TestTask.withoutRetry("a"));
    settle(running("a"), SUCCEEDED);
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));
    settle(running("b"), SUCCEEDED);

    assertFinds(TaskFilter.in(TaskState.SUCCESS).withKind("a"), both);
  }

  @Test
  void a_count_stops_at_its_limit() {
    submit(0, Collections.nCopies(30, TestTask.withoutRetry("a")), DueTime.now());

    assertThat(store.reader().count(ALL, 10)).isEqualTo(10);
    assertThat(store.reader().count(ALL, 30)).isEqualTo(30);
    assertThat(store.reader().count(ALL, 31)).isEqualTo(30);
  }

  @Test
  void a_list_returns_each_task_newest_first() {
    List<TaskRow> newestFirst = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      newestFirst.addFirst(find(submit(TestTask.retrying("a").withName("task " + i))).row());
      clock.advance(MILLI);
    }
    TaskPage taskPage = store.reader().list(ALL, PageRequest.first(20));

    assertThat(taskPage.tasks()).containsExactlyElementsOf(newestFirst);
    assertThat(taskPage.nextCursor()).isNull();
  }

  @Test
  void pages_have_no_gaps_or_duplicates_while_tasks_are_added() {
    List<UUID> newestFirst = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"), TestTask.withoutRetry("a"))
          .forEach(newestFirst::addFirst);
      clock.advance(MILLI);
    }

    List<UUID> seen = new ArrayList<>();
    TaskPage taskPage = store.reader().list(ALL, PageRequest.first(4));
    while (taskPage.nextCursor() != null) {
      assertThat(taskPage.tasks()).hasSize(4);
      taskPage.tasks().forEach(task -> seen.add(task.id()));
      assertThat(seen).as("pages repeat tasks").doesNotHaveDuplicates();
      submit(TestTask.withoutRetry("a"));
      taskPage = store.reader().list(ALL, new PageRequest(4, taskPage.nextCursor()));
    }
    taskPage.tasks().forEach(task -> seen.add(task.id()));

    assertThat(seen).containsExactlyElementsOf(newestFirst);
  }

  @Test
  void a_filter_applies_to_every_page() {
    List<UUID> expected = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      expected.addFirst(submit(TestTask.withoutRetry("a")));
      submit(TestTask.withoutRetry("b"));
      clock.advance(MILLI);
    }
    TaskPage first = store.reader().list(ALL.withKind("a"), PageRequest.first(4));
    TaskPage second =
        store.reader().list(ALL.withKind("a"), new PageRequest(4, first.nextCursor()));

    assertThat(first.tasks()).extracting(TaskRow::id).isEqualTo(expected.subList(0, 4));
    assertThat(second.tasks()).extracting(TaskRow::id).isEqualTo(expected.subList(4, 7));
    assertThat(second.nextCursor()).isNull();
  }
}
