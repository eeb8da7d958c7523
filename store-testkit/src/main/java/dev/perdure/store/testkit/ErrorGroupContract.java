// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.ErrorGroup;
import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How failed tasks are grouped by their errors. */
abstract class ErrorGroupContract extends StoreContract {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);

  ErrorGroupContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private Task fail(TestTask task, String message) {
    submit(task);
    return settle(
        running(task.kind()),
        new Outcome.Failed(Failure.explicit("no").withMessage(message), "at a"));
  }

  private UUID fail(String kind, String message) {
    return fail(TestTask.withoutRetry(kind), message).id();
  }

  private List<ErrorGroup> groups(ErrorQuery query) {
    ErrorGroups found = store.reader().errors(query);
    assertThat(found.complete()).isTrue();
    return found.groups();
  }

  @Test
  void tasks_with_the_same_error_are_one_group() {
    Instant first = clock.instant();
    fail("a", "order 1 is gone");
    clock.advance(HOUR);
    fail("b", "order 2 is gone");
    clock.advance(HOUR);
    UUID newest = fail("a", "order 3 is gone");
    Instant last = clock.instant();
    clock.advance(HOUR);
    fail("a", "no money");

    List<ErrorGroup> groups = groups(ErrorQuery.of(DAY));
    assertThat(groups)
        .extracting(ErrorGroup::title)
        .containsExactly("no money", "order ‹n› is gone");
    ErrorGroup gone = groups.get(1);
    assertThat(gone.error()).isEqualTo(error("explicit", "no", "order 1 is gone"));
    assertThat(gone.kinds()).isEqualTo(Map.of("a", 2L, "b", 1L));
    assertThat(gone.giveUpReasons()).isEqualTo(Map.of("no_policy", 3L));
    assertThat(gone.count()).isEqualTo(3);
    assertThat(gone.capped()).isFalse();
    assertThat(gone.firstAt()).isEqualTo(first);
    assertThat(gone.lastAt()).isEqualTo(last);
    assertThat(gone.sample()).isEqualTo(newest);
    Attempt sample = requireNonNull(gone.sampleAttempt());
    assertThat(sample.details().message()).isEqualTo("order 3 is gone");
    assertThat(sample.details().stack()).isNull();
  }

  @Test
  void the_spark_says_when_they_failed() {
    fail("a", "gone");
    clock.advance(HOUR.multipliedBy(2));
    fail("a", "gone");
    fail("a", "gone");
    clock.advance(MILLI);

    List<Long> spark = groups(ErrorQuery.of(DAY)).getFirst().spark();
    assertThat(spark).hasSize(ErrorQuery.BUCKETS);
    assertThat(spark.subList(21, 24)).containsExactly(1L, 0L, 2L);
    assertThat(spark.stream().mapToLong(count -> count).sum()).isEqualTo(3);
  }

  @Test
  void tasks_that_failed_before_the_time_do_not_count() {
    fail("a", "gone");
    clock.advance(HOUR.plus(MILLI));
    assertThat(groups(ErrorQuery.of(HOUR))).isEmpty();
    fail("b", "gone");
    assertThat(groups(ErrorQuery.of(HOUR)))
        .singleElement()
        .satisfies(group -> assertThat(group.kinds()).isEqualTo(Map.of("b", 1L)));
    assertThat(groups(ErrorQuery.of(DAY)).getFirst().count()).isEqualTo(2);
  }

  @Test
  void one_kind_and_groups_by_kind() {
    fail("a", "gone");
    fail("a", "no money");
    fail("b", "gone");

    assertThat(groups(ErrorQuery.of(DAY).withKind("b")))
        .singleElement()
        .satisfies(group -> assertThat(group.kinds()).isEqualTo(Map.of("b", 1L)));
    assertThat(groups(ErrorQuery.of(DAY).withByKind(true)))
        .extracting(ErrorGroup::kinds)
        .containsExactlyInAnyOrder(Map.of("a", 2L), Map.of("b", 1L));
  }

  @Test
  void waiting_retries_are_grouped_apart_from_failed_tasks() {
    fail(TestTask.retrying("a"), "order 1 is gone");
    Task waiting = fail(TestTask.retrying("a"), "order 2 is gone");
    fail("a", "no money");

    assertThat(groups(ErrorQuery.of(DAY).withRetries(true)))
        .singleElement()
        .satisfies(
            group -> {
              assertThat(group.error()).isEqualTo(waiting.lastResult().error());
              assertThat(group.count()).isEqualTo(2);
              assertThat(group.title()).isEqualTo("order ‹n› is gone");
              assertThat(group.giveUpReasons()).isEmpty();
            });
    clock.advance(HOUR.plus(MILLI));
    assertThat(groups(ErrorQuery.of(HOUR).withRetries(true))).isEmpty();
  }

  @Test
  void a_task_without_a_failed_attempt_is_grouped_by_its_reason() {
    UUID id = submit(TestTask.retrying("a").withDeadline(clock.instant().plus(MILLI)));
    clock.advance(MILLI);
    write(lifecycle.expire(find(id)));

    ErrorGroup group = groups(ErrorQuery.of(DAY)).getFirst();
    assertThat(group.title()).isEqualTo("the deadline passed");
    assertThat(group.giveUpReasons()).isEqualTo(Map.of(TaskGiveUpReason.EXPIRED.text(), 1L));
    assertThat(group.sampleAttempt()).isNull();
  }

  @Test
  void a_revived_task_is_in_no_group() {
    UUID id = fail("a", "gone");
    write(lifecycle.revive(find(id)));
    assertThat(groups(ErrorQuery.of(DAY))).isEmpty();
    assertThat(groups(ErrorQuery.of(DAY).withRetries(true))).isEmpty();
  }

  @Test
  void of_many_errors_the_newest_are_shown() {
    for (char letter = 'A'; letter <= 'Z'; letter++) {
      for (String more : List.of("w", "x", "y", "z")) {
        fail("a", letter + more);
        clock.advance(MILLI);
      }
    }
    ErrorGroups found = store.reader().errors(ErrorQuery.of(DAY));
    assertThat(found.complete()).isFalse();
    assertThat(found.groups()).hasSize(ErrorQuery.MAX_GROUPS);
    assertThat(found.groups().getFirst().title()).isEqualTo("Zz");
    assertThat(found.groups().getLast().title()).isEqualTo("Bw");
  }
}
