// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A filter matches the same tasks in every sort order, within a batch, and in a count. There are
 * two batches with six kinds each: a and b are pending retries, c, d and e have ended, f is
 * pending. A filter by anything but state or time leaves out a retry, an ended task and a task of
 * each batch.
 */
abstract class FilterContract extends StoreContract {

  private static final TaskFilter ALL = TaskFilter.all();
  private static final Duration LATEST = Duration.ofHours(3);
  private static final Duration APART = Duration.ofSeconds(10);
  private static final Map<TaskSort, String> KINDS =
      Map.of(
          TaskSort.NEWEST, "abcdef",
          TaskSort.OLDEST, "abcdef",
          TaskSort.NEXT_RETRY, "ab",
          TaskSort.LAST_ENDED, "cde");

  private final List<UUID> batches = new ArrayList<>();

  FilterContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @BeforeEach
  void submit_two_batches() {
    fill();
    clock.advance(APART);
    fill();
  }

  private void fill() {
    int shard = nextShard();
    UUID batch = ids.next(shard);
    batches.add(batch);
    UUID a = ids.next(shard);
    UUID b = ids.next(shard);
    UUID c = ids.next(shard);
    UUID d = ids.next(shard);
    store.submit(
        new Submission(
            batch,
            List.of(
                row(a, "a", "first bill", 1),
                row(b, "b", "other", 2),
                row(c, "c", "second bill", 1),
                new NewTaskRow(d, definition("d", null, 2), DueTime.in(LATEST)),
                row(ids.next(shard), "e", "other", 2),
                row(ids.next(shard), "f", "other", 2))));
    settle(running("a"), FAILED);
    settle(running("b"), new Outcome.Failed(Failure.http(503), null));
    write(lifecycle.reschedule(find(b), DueTime.in(Duration.ofHours(2))));
    write(lifecycle.pause(find(b)));
    settle(running("c"), SUCCEEDED);
    write(lifecycle.cancel(find(d)));
    Failure last = Failure.http(400).withPermanent(true).withMessage("no bill");
    settle(running("e"), new Outcome.Failed(last, null));
  }

  private static NewTaskRow row(UUID id, String kind, String name, int number) {
    return new NewTaskRow(id, definition(kind, name, number), DueTime.now());
  }

  private static TaskDefinition definition(String kind, @Nullable String name, int number) {
    TaskDefinition retried = TestTask.retrying(kind).definition();
    return new TaskDefinition(
        kind,
        name,
        "{}",
        "{\"n\": " + number + "}",
        retried.policy(),
        null,
        number == 1 ? "fixed" : "linear",
        timeout(number),
        null,
        0,
        null,
        null,
        null,
        null,
        null);
  }

  private static Duration timeout(int number) {
    return Duration.ofSeconds(10L * number);
  }

  /** Asserts the matching kinds, which are the same in both batches. */
  private void assertMatches(TaskFilter filter, String kinds) {
    assertMatches(filter, kinds, kinds);
  }

  private void assertMatches(TaskFilter filter, String inFirst, String inSecond) {
    List<String> kinds = List.of(inFirst, inSecond);
    KINDS.forEach(
        (sort, listed) ->
            assertThat(list(filter, sort))
                .as("%s", sort)
                .containsExactlyInAnyOrderElementsOf(
                    Stream.of(0, 1).flatMap(i -> named(kinds.get(i), listed, i)).toList()));
    assertThat(store.reader().count(filter, 100)).isEqualTo(inFirst.length() + inSecond.length());
    for (int i = 0; i < 2; i++) {
      TaskFilter within = filter.withBatch(batches.get(i));
      List<String> expected = named(kinds.get(i), "abcdef", i).toList();
      for (TaskSort sort : List.of(TaskSort.NEWEST, TaskSort.OLDEST)) {
        assertThat(list(within, sort)).containsExactlyInAnyOrderElementsOf(expected);
      }
      assertThat(store.reader().count(within, 100)).isEqualTo(expected.size());
    }
  }

  /** Asserts how many pending retries the filter matches. */
  private void assertMatchesRetries(TaskFilter filter, int retries) {
    TaskFilter waiting = filter.withStates(Set.of(TaskState.RETRY_PENDING));
    assertThat(store.reader().count(waiting, 100)).isEqualTo(retries);
  }

  private static Stream<String> named(String kinds, String listed, int batch) {
    return kinds
        .chars()
        .filter(kind -> listed.indexOf(kind) >= 0)
        .mapToObj(kind -> (char) kind + " of " + batch);
  }

  private List<String> list(TaskFilter filter, TaskSort sort) {
    return store.reader().list(filter, sort, PageRequest.first(100)).tasks().stream()
        .map(task -> task.header().kind() + " of " + batches.indexOf(task.batch()))
        .toList();
  }

  @Test
  void an_empty_filter_matches_all() {
    assertMatches(ALL, "abcdef");
    assertMatchesRetries(ALL, 4);
    assertThat(store.reader().count(TaskFilter.in(TaskState.RETRY_PENDING), 3)).isEqualTo(3);
  }

  @Test
  void by_state_and_status() {
    assertMatches(TaskFilter.in(TaskState.PENDING), "f");
    assertMatches(TaskFilter.in(TaskState.RETRY_PENDING), "ab");
    assertMatches(TaskFilter.in(TaskState.CANCELED, TaskState.SUCCESS), "cd");
    assertMatches(TaskFilter.in(DisplayStatus.PAUSED), "b");
    assertMatchesRetries(TaskFilter.in(DisplayStatus.PAUSED), 2);
    assertMatches(TaskFilter.in(DisplayStatus.RETRY_PENDING), "a");
    assertMatchesRetries(TaskFilter.in(DisplayStatus.RETRY_PENDING), 2);
    assertMatches(TaskFilter.in(DisplayStatus.PENDING, DisplayStatus.PAUSED), "bf");
  }

  /** Every status, alone and with every other one, finds exactly the tasks that show it. */
  @Test
  void the_filter_agrees_with_the_status_that_is_shown() {
    for (DisplayStatus first : DisplayStatus.values()) {
      for (DisplayStatus second : DisplayStatus.values()) {
        TaskFilter filter = TaskFilter.in(first, second);
        List<TaskRow> shown =
            store.reader().list(ALL, PageRequest.first(100)).tasks().stream()
                .filter(task -> task.status() == first || task.status() == second)
                .toList();
        assertThat(store.reader().list(filter, PageRequest.first(100)).tasks())
            .as("%s, %s", first, second)
            .containsExactlyElementsOf(shown);
        assertThat(store.reader().list(filter, TaskSort.OLDEST, PageRequest.first(100)).tasks())
            .containsExactlyElementsOf(shown.reversed());
        assertThat(store.reader().count(filter, 100)).isEqualTo(shown.size());
      }
    }
  }

  @Test
  void by_kind_name_text_metadata_and_strategy() {
    assertMatches(ALL.withKind("a"), "a");
    assertMatchesRetries(ALL.withKind("a"), 2);
    assertMatches(ALL.withNameContains("Bill"), "ac");
    assertMatchesRetries(ALL.withNameContains("Bill"), 2);
    assertMatches(ALL.withText("Bill"), "ace");
    assertMatchesRetries(ALL.withText("Bill"), 2);
    assertMatches(ALL.withMetadata(Map.of("n", 1)), "ac");
    assertMatchesRetries(ALL.withMetadata(Map.of("n", 1)), 2);
    assertMatches(ALL.withStrategy("fixed"), "ac");
    assertMatchesRetries(ALL.withStrategy("fixed"), 2);
  }

  @Test
  void by_a_part_of_the_kind_an_exact_name_and_the_timeout() {
    assertMatches(ALL.withKindContains("A"), "a");
    assertMatchesRetries(ALL.withKindContains("A"), 2);
    assertMatches(ALL.withKindContains("ab"), "");
    assertMatches(ALL.withName("first bill"), "a");
    assertMatchesRetries(ALL.withName("first bill"), 2);
    assertMatches(ALL.withName("First bill"), "");
    assertMatches(ALL.withName("bill"), "");
    assertMatches(ALL.withTimeout(timeout(1)), "ac");
    assertMatchesRetries(ALL.withTimeout(timeout(1)), 2);
    assertMatches(ALL.withTimeout(timeout(1).plus(MILLI)), "");
  }

  @Test
  void by_failure_kind_and_give_up_reason() {
    assertMatches(ALL.withFailureKind("http"), "be");
    assertMatchesRetries(ALL.withFailureKind("http"), 2);
    assertMatches(ALL.withGiveUpReason(TaskGiveUpReason.NOT_RETRYABLE), "e");
    assertMatchesRetries(ALL.withGiveUpReason(TaskGiveUpReason.NOT_RETRYABLE), 0);
  }

  @Test
  void time_filters_are_exact_to_the_millisecond() {
    Instant second = clock.instant();
    Instant first = second.minus(APART);

    assertMatches(ALL.withCreatedAfter(first), "", "abcdef");
    assertMatchesRetries(ALL.withCreatedAfter(first), 2);
    assertMatches(ALL.withCreatedBefore(second), "abcdef", "");
    assertMatchesRetries(ALL.withCreatedBefore(second), 2);
    assertMatches(ALL.withDueWithin(TestTask.DELAY), "acef");
    assertMatchesRetries(ALL.withDueWithin(TestTask.DELAY), 2);
    assertMatches(ALL.withDueWithin(LATEST.minus(MILLI)), "abcdef", "abcef");
    assertMatches(ALL.withDueWithin(LATEST), "abcdef");
  }
}
