// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Lists in every sort order, page by page. */
abstract class SortContract extends StoreContract {

  private static final TaskFilter ALL = TaskFilter.all();

  SortContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Reads all pages of this size. */
  private List<UUID> pages(TaskFilter filter, TaskSort sort, int size) {
    List<UUID> seen = new ArrayList<>();
    String after = null;
    do {
      TaskPage taskPage = store.reader().list(filter, sort, new PageRequest(size, after));
      assertThat(taskPage.tasks()).hasSizeLessThanOrEqualTo(size);
      taskPage.tasks().forEach(task -> seen.add(task.id()));
      assertThat(seen).as("pages repeat tasks").doesNotHaveDuplicates();
      after = taskPage.nextCursor();
    } while (after != null);
    return seen;
  }

  private void assertPages(TaskFilter filter, TaskSort sort, List<UUID> expected) {
    for (int size : new int[] {1, 2, 3, 100}) {
      assertThat(pages(filter, sort, size)).as("%s by %d", sort, size).isEqualTo(expected);
    }
  }

  @Test
  void by_submission_oldest_or_newest_first() {
    List<UUID> oldestFirst = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      oldestFirst.addAll(submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b")));
      clock.advance(MILLI);
    }

    assertPages(ALL, TaskSort.OLDEST, oldestFirst);
    assertPages(ALL, TaskSort.NEWEST, oldestFirst.reversed());
  }

  @Test
  void within_a_batch() {
    List<UUID> together =
        submit(0, Collections.nCopies(7, TestTask.withoutRetry("a")), DueTime.now());
    submit(0, Collections.nCopies(3, TestTask.withoutRetry("a")), DueTime.now());
    TaskFilter batch = ALL.withBatch(find(together.getFirst()).batch());

    assertPages(batch, TaskSort.OLDEST, together);
    assertPages(batch, TaskSort.NEWEST, together.reversed());
  }

  /** Submits and fails tasks together, so that their retries are due at the same instant. */
  private List<UUID> failed(int tasks) {
    List<UUID> all =
        submit(nextShard(), Collections.nCopies(tasks, TestTask.retrying("r")), DueTime.now());
    for (int i = 0; i < tasks; i++) {
      settle(running("r"), FAILED);
    }
    return all;
  }

  @Test
  void retries_by_due_time() {
    List<UUID> first = failed(5);
    clock.advance(Duration.ofSeconds(1));
    List<UUID> later = failed(3);
    UUID last = later.getFirst();
    write(lifecycle.reschedule(find(last), DueTime.in(Duration.ofHours(2))));
    UUID now = first.get(2);
    write(lifecycle.reschedule(find(now), DueTime.now()));
    submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofSeconds(1)));

    List<UUID> expected = new ArrayList<>(List.of(now));
    first.stream().filter(id -> !id.equals(now)).forEach(expected::add);
    expected.addAll(later.subList(1, 3));
    expected.add(last);
    assertPages(ALL, TaskSort.NEXT_RETRY, expected);
    assertPages(
        ALL.withDueWithin(Duration.ofHours(1)), TaskSort.NEXT_RETRY, expected.subList(0, 7));
    assertPages(ALL.withKind("x"), TaskSort.NEXT_RETRY, List.of());
  }

  @Test
  void retries_of_all_shards_by_due_time() {
    List<UUID> expected = new ArrayList<>();
    for (int i = 0; i < 2 * shards; i++) {
      expected.addAll(failed(1));
      clock.advance(MILLI);
    }

    assertPages(ALL, TaskSort.NEXT_RETRY, expected);
    assertThat(store.reader().count(TaskFilter.in(TaskState.RETRY_PENDING), 100))
        .isEqualTo(expected.size());
  }

  @Test
  void ended_tasks_latest_first() {
    List<UUID> canceled =
        submit(0, Collections.nCopies(5, TestTask.withoutRetry("a")), DueTime.now());
    UUID live = submit(TestTask.withoutRetry("b"));
    store.apply(canceled.stream().map(this::find).map(lifecycle::cancel).toList());
    clock.advance(Duration.ofSeconds(1));
    UUID failed = submit(TestTask.withoutRetry("c"));
    settle(running("c"), FAILED);
    clock.advance(Duration.ofSeconds(1));
    Task succeeded = settle(running("b"), SUCCEEDED);

    List<UUID> expected = new ArrayList<>(List.of(live, failed));
    expected.addAll(canceled.reversed());
    submit(TestTask.withoutRetry("a"));
    assertThat(succeeded.id()).isEqualTo(live);
    assertPages(ALL, TaskSort.LAST_ENDED, expected);
    assertPages(ALL.withKind("c"), TaskSort.LAST_ENDED, List.of(failed));
  }

  @Test
  void a_batch_cannot_be_sorted_by_retry_or_end() {
    TaskFilter batch = ALL.withBatch(ids.next(0));

    for (TaskSort sort : List.of(TaskSort.NEXT_RETRY, TaskSort.LAST_ENDED)) {
      assertThatThrownBy(() -> store.reader().list(batch, sort, PageRequest.first(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("within a batch");
    }
  }

  @Test
  void a_cursor_is_valid_only_for_its_sort_order() {
    failed(2);
    String byId = requireNonNull(store.reader().list(ALL, PageRequest.first(1)).nextCursor());
    String byRetry =
        requireNonNull(
            store.reader().list(ALL, TaskSort.NEXT_RETRY, PageRequest.first(1)).nextCursor());

    assertRefused(TaskSort.NEXT_RETRY, byId);
    assertRefused(TaskSort.OLDEST, byRetry);
    assertRefused(TaskSort.NEWEST, "nothing");
    assertRefused(TaskSort.LAST_ENDED, "nothing_nothing");
  }

  private void assertRefused(TaskSort sort, String after) {
    assertThatThrownBy(() -> store.reader().list(ALL, sort, new PageRequest(1, after)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("after: must be the 'next' of an earlier page");
  }
}
