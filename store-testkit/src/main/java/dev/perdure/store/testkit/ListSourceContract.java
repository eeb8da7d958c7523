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
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Lists and counts find their tasks behind many newer ones of other states. */
abstract class ListSourceContract extends StoreContract {

  private static final int FEW = 4;
  private static final int OTHERS_PER_SHARD = 30;

  private final int others = OTHERS_PER_SHARD * shards;
  private final ScanLimit limit = ScanLimit.of(10 * shards);

  ListSourceContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private List<UUID> submitFew() {
    List<UUID> tasks = new ArrayList<>();
    for (int i = 0; i < FEW; i++) {
      tasks.add(submit(TestTask.retrying("few")));
      clock.advance(MILLI);
    }
    return tasks;
  }

  private List<UUID> submitFailed() {
    List<UUID> tasks = new ArrayList<>();
    for (int i = 0; i < FEW; i++) {
      tasks.add(submit(TestTask.withoutRetry("failing")));
      settle(running("failing"), FAILED);
      clock.advance(MILLI);
    }
    return tasks;
  }

  private void submitCanceledOthers() {
    for (int i = 0; i < others; i++) {
      write(lifecycle.cancel(find(submit(TestTask.retrying("other")))));
    }
    clock.advance(MILLI);
  }

  private List<UUID> submitRetries() {
    List<UUID> tasks = submitFew();
    tasks.forEach(id -> settle(running("few"), FAILED));
    return tasks;
  }

  private void assertFound(TaskFilter filter, List<UUID> oldestFirst) {
    assertThat(ids(filter, TaskSort.NEWEST)).isEqualTo(oldestFirst.reversed());
    assertThat(ids(filter, TaskSort.OLDEST)).isEqualTo(oldestFirst);
    assertThat(store.reader().count(filter, 100, limit))
        .isEqualTo(new TaskCount(oldestFirst.size(), true));
  }

  /** Page by page; the first page must not be empty. */
  private List<UUID> ids(TaskFilter filter, TaskSort sort) {
    List<UUID> ids = new ArrayList<>();
    String after = null;
    do {
      TaskPage page = store.reader().list(filter, sort, new PageRequest(3, after, limit));
      assertThat(page.tasks()).as("%s %s", sort, filter).isNotEmpty();
      page.tasks().forEach(task -> ids.add(task.id()));
      after = page.nextCursor();
    } while (after != null);
    return ids;
  }

  @Test
  void leased_tasks_are_found_behind_newer_ones() {
    List<UUID> tasks = submitFew();
    tasks.forEach(id -> running("few"));
    submitCanceledOthers();

    assertFound(TaskFilter.in(DisplayStatus.RUNNING), tasks);
    assertFound(TaskFilter.in(TaskState.CLAIMED, TaskState.RUNNING), tasks);
    String worker = requireNonNull(find(tasks.getFirst()).worker());
    assertThat(ids(TaskFilter.all().withWorker(worker), TaskSort.OLDEST)).isNotEmpty();
  }

  @Test
  void pending_tasks_are_found_behind_newer_ones() {
    List<UUID> tasks = submitFew();
    submitCanceledOthers();

    assertFound(TaskFilter.in(DisplayStatus.PENDING), tasks);
    assertFound(TaskFilter.in(DisplayStatus.PENDING, DisplayStatus.RUNNING), tasks);
  }

  @Test
  void retries_are_found_behind_newer_tasks() {
    List<UUID> tasks = submitRetries();
    String error = find(tasks.getFirst()).lastResult().error();
    submitCanceledOthers();

    assertFound(TaskFilter.in(DisplayStatus.RETRY_PENDING), tasks);
    assertFound(TaskFilter.all().withError(error), tasks);
    assertFound(TaskFilter.in(DisplayStatus.RETRY_PENDING).withError(error), tasks);
    assertFound(TaskFilter.in(DisplayStatus.FAILURE, DisplayStatus.RETRY_PENDING), tasks);
  }

  @Test
  void failed_tasks_and_retries_are_found_together() {
    List<UUID> tasks = new ArrayList<>(submitFailed());
    tasks.addAll(submitRetries());
    String error = find(tasks.getFirst()).lastResult().error();
    submitCanceledOthers();

    assertFound(TaskFilter.in(DisplayStatus.FAILURE, DisplayStatus.RETRY_PENDING), tasks);
    assertFound(TaskFilter.all().withError(error), tasks);
  }

  @Test
  void the_count_of_more_failed_tasks_than_it_looks_at_is_not_exact_without_retries() {
    for (int i = 0; i < FEW; i++) {
      submitFailed();
    }
    TaskFilter filter = TaskFilter.in(DisplayStatus.FAILURE, DisplayStatus.RETRY_PENDING);

    assertThat(store.reader().count(filter, 100, ScanLimit.of(shards)).exact()).isFalse();
    assertThat(store.reader().count(filter, 100, ScanLimit.of(100 * shards)))
        .isEqualTo(new TaskCount(FEW * FEW, true));
  }

  @Test
  void failed_tasks_with_an_error_are_found_behind_those_with_another() {
    List<UUID> tasks = submitFailed();
    String error = find(tasks.getFirst()).lastResult().error();
    for (int i = 0; i < others; i++) {
      submit(TestTask.withoutRetry("failing"));
      settle(running("failing"), new Outcome.Failed(Failure.explicit("otherwise"), null));
    }
    submitCanceledOthers();
    TaskFilter failed = TaskFilter.in(DisplayStatus.FAILURE).withError(error);

    assertFound(failed, tasks);
    assertThat(ids(failed, TaskSort.LAST_ENDED)).isEqualTo(tasks.reversed());
  }

  @Test
  void failed_tasks_by_end_are_found_behind_others_that_ended_later() {
    List<UUID> tasks = submitFailed();
    submitCanceledOthers();

    assertThat(ids(TaskFilter.in(DisplayStatus.FAILURE), TaskSort.LAST_ENDED))
        .isEqualTo(tasks.reversed());
  }

  @Test
  void more_tasks_than_can_be_sorted_are_still_listed_in_order() {
    List<UUID> tasks = new ArrayList<>();
    for (int i = 0; i < OTHERS_PER_SHARD * 2; i++) {
      tasks.add(submit(TestTask.retrying("few")));
    }
    tasks.subList(0, OTHERS_PER_SHARD).forEach(id -> settle(running("few"), FAILED));
    List<UUID> retrying =
        tasks.stream().filter(id -> find(id).state() == TaskState.RETRY_PENDING).toList();
    TaskFilter filter = TaskFilter.in(DisplayStatus.RETRY_PENDING);
    List<UUID> found = new ArrayList<>();
    String after = null;
    do {
      TaskPage page =
          store.reader().list(filter, TaskSort.OLDEST, new PageRequest(7, after, ScanLimit.of(3)));
      page.tasks().forEach(task -> found.add(task.id()));
      after = page.nextCursor();
    } while (after != null);

    assertThat(found).isEqualTo(retrying);
  }
}
