// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists and counts that stop after looking at a limited number of tasks. */
abstract class ScanLimitContract extends StoreContract {

  private static final TaskFilter ALL = TaskFilter.all();
  private static final TaskFilter RARE = ALL.withKind("rare");
  private static final TaskFilter NO_MATCH = ALL.withKind("nothing");
  private static final int TASKS = 40;

  /** More pages than any list here has; a cursor that does not advance would need more. */
  private static final int MAX_PAGES = 200;

  ScanLimitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static TestTask task(int number) {
    return TestTask.retrying(number % 9 == 4 ? "rare" : "common");
  }

  /** Submits tasks of which few are rare. Some of them have equal times. */
  private List<UUID> submitTasks() {
    List<UUID> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(submit(task(i)));
      advanceSometimes(i);
    }
    return tasks;
  }

  private void advanceSometimes(int number) {
    if (number % 3 == 0) {
      clock.advance(MILLI);
    }
  }

  /** Submits tasks that all wait for their first retry. */
  private List<UUID> submitRetries() {
    List<UUID> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(submit(task(i)));
      settle(running(task(i).kind()), FAILED);
      advanceSometimes(i);
    }
    return tasks;
  }

  private void cancel(List<UUID> tasks) {
    for (int i = 0; i < tasks.size(); i++) {
      write(lifecycle.cancel(find(tasks.get(i))));
      advanceSometimes(i);
    }
  }

  private TaskPage page(TaskFilter filter, TaskSort sort, int size, int limit) {
    return store
        .reader()
        .list(filter, sort, PageRequest.first(size).withScanLimit(ScanLimit.of(limit)));
  }

  /** Reads all pages and checks what each one says about the limit. */
  private List<UUID> pages(TaskFilter filter, TaskSort sort, int size, int limit) {
    List<UUID> seen = new ArrayList<>();
    String after = null;
    for (int i = 0; i < MAX_PAGES; i++) {
      TaskPage page =
          store.reader().list(filter, sort, new PageRequest(size, after, ScanLimit.of(limit)));
      assertThat(page.tasks()).hasSizeLessThanOrEqualTo(size);
      page.tasks().forEach(task -> seen.add(task.id()));
      after = page.nextCursor();
      boolean stopped = after != null && page.tasks().size() < size;
      assertThat(page.lookedAt()).isEqualTo(stopped ? limit : null);
      assertThat(page.reached() != null).isEqualTo(stopped);
      if (after == null) {
        return seen;
      }
    }
    throw new AssertionError("the list does not end");
  }

  private void assertSameWithinAnyLimit(TaskFilter filter, TaskSort sort, int expected) {
    List<UUID> all =
        page(filter, sort, PageRequest.MAX_SIZE, Integer.MAX_VALUE).tasks().stream()
            .map(task -> task.id())
            .toList();
    assertThat(all).hasSize(expected);
    for (int limit : new int[] {1, 3, 10, TASKS}) {
      for (int size : new int[] {1, 100}) {
        assertThat(pages(filter, sort, size, limit))
            .as("%s, pages of %d, looking at %d", sort, size, limit)
            .isEqualTo(all);
      }
    }
  }

  @Test
  void tasks_by_submission_are_all_found() {
    submitTasks();

    for (TaskSort sort : List.of(TaskSort.NEWEST, TaskSort.OLDEST)) {
      assertSameWithinAnyLimit(RARE, sort, 4);
      assertSameWithinAnyLimit(NO_MATCH, sort, 0);
      assertSameWithinAnyLimit(ALL, sort, TASKS);
    }
  }

  @Test
  void retries_are_all_found() {
    submitRetries();

    assertSameWithinAnyLimit(RARE, TaskSort.NEXT_RETRY, 4);
    assertSameWithinAnyLimit(NO_MATCH, TaskSort.NEXT_RETRY, 0);
    assertSameWithinAnyLimit(ALL, TaskSort.NEXT_RETRY, TASKS);
  }

  @Test
  void ended_tasks_are_all_found() {
    cancel(submitTasks());
    submitTasks();

    assertSameWithinAnyLimit(RARE, TaskSort.LAST_ENDED, 4);
    assertSameWithinAnyLimit(NO_MATCH, TaskSort.LAST_ENDED, 0);
    assertSameWithinAnyLimit(ALL, TaskSort.LAST_ENDED, TASKS);
  }

  @Test
  void tasks_of_a_batch_are_all_found() {
    List<TestTask> tasks = IntStream.range(0, TASKS).mapToObj(ScanLimitContract::task).toList();
    List<UUID> batch = submit(0, tasks, DueTime.now());
    submitTasks();
    TaskFilter inBatch = RARE.withBatch(find(batch.getFirst()).batch());

    assertSameWithinAnyLimit(inBatch, TaskSort.NEWEST, 4);
    assertSameWithinAnyLimit(inBatch, TaskSort.OLDEST, 4);
  }

  @Test
  void paused_tasks_are_all_found() {
    submitTasks().forEach(id -> write(lifecycle.pause(find(id))));
    submitTasks();
    TaskFilter paused = TaskFilter.in(DisplayStatus.PAUSED).withKind("rare");

    assertSameWithinAnyLimit(paused, TaskSort.NEWEST, 4);
    assertSameWithinAnyLimit(paused, TaskSort.OLDEST, 4);
  }

  @Test
  void a_page_that_ends_at_the_limit_says_how_far_it_looked() {
    submitTasks();
    TaskPage page = page(NO_MATCH, TaskSort.NEWEST, 50, 10);

    assertThat(page.tasks()).isEmpty();
    assertThat(page.lookedAt()).isEqualTo(10);
    UUID last = UUID.fromString(requireNonNull(page.nextCursor()));
    assertThat(page.reached()).isEqualTo(find(last).times().createdAt());
  }

  @Test
  void the_instant_reached_is_the_one_that_the_list_is_sorted_by() {
    List<UUID> retries = submitRetries();
    assertReachedIsInCursor(TaskSort.NEXT_RETRY);
    cancel(retries);
    assertReachedIsInCursor(TaskSort.LAST_ENDED);
  }

  private void assertReachedIsInCursor(TaskSort sort) {
    TaskPage page = page(NO_MATCH, sort, 50, 10);
    assertThat(page.nextCursor()).startsWith(page.reached() + "_");
  }

  @Test
  void a_text_search_has_its_own_limit() {
    submitTasks();
    PageRequest page = PageRequest.first(50).withScanLimit(new ScanLimit(1_000, 10));

    assertThat(store.reader().list(NO_MATCH, page).lookedAt()).isNull();
    assertThat(store.reader().list(ALL.withText("nothing"), page).lookedAt()).isEqualTo(10);
    assertThat(store.reader().count(NO_MATCH, 100, page.scanLimit()).exact()).isTrue();
    assertThat(store.reader().count(ALL.withText("nothing"), 100, page.scanLimit()).exact())
        .isFalse();
  }

  @Test
  void a_count_is_exact_unless_it_stops_early() {
    submitTasks();

    assertThat(count(ALL, TASKS + 1, TASKS)).isEqualTo(new TaskCount(TASKS, true));
    assertThat(count(RARE, 100, TASKS)).isEqualTo(new TaskCount(4, true));
    assertThat(count(ALL, TASKS - 1, TASKS)).isEqualTo(new TaskCount(TASKS - 1, false));
    assertThat(count(NO_MATCH, 100, 8)).isEqualTo(new TaskCount(0, false));
    TaskCount some = count(ALL, 100, 8);
    assertThat(some).isEqualTo(new TaskCount(8, false));
  }

  private TaskCount count(TaskFilter filter, int limit, int look) {
    return store.reader().count(filter, limit, ScanLimit.of(look));
  }

  @Test
  void every_kind_of_count_stops_at_the_limit() {
    List<UUID> batch =
        submit(
            0, IntStream.range(0, TASKS).mapToObj(ScanLimitContract::task).toList(), DueTime.now());
    TaskFilter inBatch = ALL.withBatch(find(batch.getFirst()).batch());
    assertStopsAtLimit(inBatch, 8);
    cancel(batch);

    List<UUID> tasks = submitRetries();
    assertStopsAtLimit(TaskFilter.in(DisplayStatus.RETRY_PENDING), 8);
    assertStopsAtLimit(TaskFilter.in(DisplayStatus.RETRY_PENDING, DisplayStatus.RUNNING), 8);
    tasks.forEach(id -> write(lifecycle.pause(find(id))));
    assertStopsAtLimit(TaskFilter.in(DisplayStatus.PAUSED), 8);
  }

  private void assertStopsAtLimit(TaskFilter filter, int limit) {
    assertThat(count(filter, 100, limit)).isEqualTo(new TaskCount(limit, false));
    assertThat(count(filter, 100, 1_000)).isEqualTo(new TaskCount(TASKS, true));
  }
}
