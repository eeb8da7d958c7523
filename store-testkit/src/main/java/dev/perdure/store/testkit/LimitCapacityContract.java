// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Limits on the items that running tasks still have to do. */
abstract class LimitCapacityContract extends LimitContract {

  private static final Duration MAX_PASSED = Duration.ofSeconds(60);
  private static final TestTask TASK = limited(Limit.capacity(100));

  LimitCapacityContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void the_items_of_running_tasks_and_of_the_next_one_stay_within_the_limit() {
    UUID first = addWithItems(TASK, 40);
    UUID second = addWithItems(TASK, 60);
    addWithItems(TASK, 1);

    assertThat(claimAll("a")).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void a_task_that_does_not_fit_waits_until_another_has_ended() {
    UUID first = addWithItems(TASK, 60);
    UUID second = addWithItems(TASK, 50);
    assertThat(claimAll("a")).containsExactly(first);
    succeedRunning(first);

    assertThat(claimAll("a")).containsExactly(second);
  }

  @Test
  void what_is_in_use_is_shown_in_items() {
    UUID first = addWithItems(TASK, 60);
    UUID second = addWithItems(TASK, 50);
    assertThat(claimAll("a")).containsExactly(first);
    progress(first, 4, 1);

    assertThat(store.limits().list("", 10))
        .extracting(LimitReader.LimitUsage::used)
        .containsExactly(55L);
    assertThat(store.limits().waitOf(second).orElseThrow().limit().used()).isEqualTo(55);
  }

  @Test
  void a_task_that_is_larger_than_the_limit_runs_alone() {
    UUID small = addWithItems(TASK, 1);
    UUID large = addWithItems(TASK, 101);
    assertThat(claimAll("a")).containsExactly(small);
    succeedRunning(small);
    assertThat(claimAll("a")).containsExactly(large);

    addWithItems(TASK, 1);
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(large);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_smaller_task_passes_a_larger_one_that_does_not_fit() {
    addWithItems(TASK, 60);
    assertThat(claimAll("a")).hasSize(1);
    addWithItems(TASK, 50);
    UUID smaller = addWithItems(TASK, 40);

    assertThat(claimAll("a")).containsExactly(smaller);
  }

  @Test
  void smaller_tasks_pass_a_larger_one_also_when_slots_are_scarce() {
    addWithItems(TASK, 60);
    assertThat(claimAll("a")).hasSize(1);
    addWithItems(TASK, 50);
    UUID one = addWithItems(TASK, 10);
    UUID two = addWithItems(TASK, 10);

    assertThat(claimOnce(1, "a")).containsExactly(one);
    assertThat(claimOnce(1, "a")).containsExactly(two);
  }

  @Test
  void a_larger_task_is_passed_for_a_minute_at_most() {
    UUID running = addWithItems(TASK, 60);
    assertThat(claimAll("a")).hasSize(1);
    UUID large = addWithItems(TASK, 100);
    clock.advance(MAX_PASSED.minusMillis(2));
    UUID passing = addWithItems(TASK, 10); // A millisecond later.
    assertThat(claimAll("a")).containsExactly(passing);
    addWithItems(TASK, 10);
    clock.advance(SECOND);
    assertThat(claimAll("a")).isEmpty();

    succeedRunning(running);
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(passing);
    assertThat(claimAll("a")).containsExactly(large);
  }

  @Test
  void progress_makes_room_within_a_second() {
    UUID running = addWithItems(TASK, 100);
    UUID waiting = addWithItems(TASK, 30);
    assertThat(claimAll("a")).containsExactly(running);
    progress(running, 20, 9);
    clock.advance(SECOND);
    assertThat(claimAll("a")).as("71 + 30 items").isEmpty();

    progress(running, 0, 1);
    ClaimResult next = claim(10, "a");
    if (next.leases().isEmpty()) {
      assertThat(next.nextDue()).isBetween(Duration.ZERO, SECOND);
      clock.advance(SECOND);
      next = claim(10, "a");
    }
    assertThat(claimedIds(next)).containsExactly(waiting);
  }

  @Test
  void progress_in_a_heartbeat_makes_room_too() {
    addWithItems(TASK, 100);
    Task running = running("a");
    UUID waiting = addWithItems(TASK, 30);
    assertThat(claimAll("a")).isEmpty();
    store.heartbeat(List.of(new Heartbeat(running.lease(), 70L, null, null)));
    clock.advance(SECOND);

    assertThat(claimAll("a")).containsExactly(waiting);
  }

  @Test
  void more_progress_than_was_expected_makes_no_more_room_than_there_is() {
    UUID running = addWithItems(TASK, 10);
    assertThat(claimAll("a")).containsExactly(running);
    progress(running, 500, 500);
    addWithItems(TASK, 60);
    addWithItems(TASK, 60);

    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void after_a_retry_the_items_count_from_the_start_of_the_attempt() {
    UUID retried = addWithItems(TASK, 80);
    assertThat(claimAll("a")).containsExactly(retried);
    progress(retried, 50, 20);
    settle(find(retried), FAILED);
    clock.advance(TestTask.DELAY);
    assertThat(claimAll("a")).containsExactly(retried);
    UUID other = addWithItems(TASK, 30);
    assertThat(claimAll("a")).as("80 + 30 items").isEmpty();

    progress(retried, 5, 5);
    clock.advance(SECOND);
    assertThat(claimAll("a")).containsExactly(other);
  }

  @Test
  void a_retry_whose_handler_reports_what_it_has_done_counts_only_that() {
    addWithItems(TASK, 100);
    Task first = running("a");
    report(first, 60, 100);
    settle(first, FAILED);
    clock.advance(TestTask.DELAY);
    Task retry = running("a");
    assertUsed(100);

    report(retry, 10, 100);
    assertUsed(90);
    progress(retry.id(), 0, 5);
    assertUsed(85);
    report(retry, 100, 100);
    assertUsed(0);
    UUID other = addWithItems(TASK, 100);
    assertThat(claimAll("a")).containsExactly(other);
  }

  @Test
  void a_handler_that_begins_anew_after_a_snooze_has_the_rest_of_its_own_report_to_do() {
    addWithItems(TASK, 100);
    Task first = running("a");
    report(first, 60, 100);
    settle(first, new Outcome.Snoozed(SECOND));
    clock.advance(SECOND);

    report(running("a"), 10, 100);
    assertUsed(90);
  }

  @Test
  void counters_near_the_largest_number_do_not_overflow() {
    addWithItems(TASK, 1);
    Task first = running("a");
    report(first, 0, Long.MAX_VALUE);
    progress(first.id(), Long.MAX_VALUE, Long.MAX_VALUE);
    assertUsed(0);
    settle(first, FAILED);
    clock.advance(TestTask.DELAY);
    Task retry = running("a");
    assertThat(used()).isGreaterThan(LimitRule.MAX);

    report(retry, 1, Long.MAX_VALUE);
    assertThat(used()).isGreaterThan(LimitRule.MAX);
    UUID other = addWithItems(TASK, 1);
    assertThat(claimAll("a")).isEmpty();
    report(retry, Long.MAX_VALUE, Long.MAX_VALUE);
    clock.advance(SECOND);
    assertThat(claimAll("a")).containsExactly(other);
  }

  /** Reports what the handler has done so far, as {@code context.progress} does. */
  private void report(Task running, long done, long total) {
    assertThat(store.heartbeat(List.of(new Heartbeat(running.lease(), done, total, null))))
        .containsExactly(WriteResult.written());
  }

  private void assertUsed(long items) {
    assertThat(used()).isEqualTo(items);
  }

  private long used() {
    return store.limits().list("", 10).getFirst().used();
  }

  @Test
  void the_items_of_a_retry_must_fit_before_it_starts() {
    UUID retried = addWithItems(TASK, 80);
    assertThat(claimAll("a")).containsExactly(retried);
    progress(retried, 70, 0);
    settle(find(retried), FAILED);
    UUID other = addWithItems(TASK, 30);
    assertThat(claimAll("a")).containsExactly(other);
    clock.advance(TestTask.DELAY);

    assertThat(claimAll("a")).isEmpty();
    succeedRunning(other);
    assertThat(claimAll("a")).containsExactly(retried);
  }

  @Test
  void an_attempt_that_continues_has_only_the_rest_to_do() {
    UUID snoozed = addWithItems(TASK, 80);
    assertThat(claimAll("a")).containsExactly(snoozed);
    progress(snoozed, 70, 0);
    settle(find(snoozed), new Outcome.Snoozed(SECOND));
    UUID other = addWithItems(TASK, 90);
    assertThat(claimAll("a")).containsExactly(other);
    clock.advance(SECOND);

    assertThat(claimAll("a")).containsExactly(snoozed);
  }

  @Test
  void a_task_without_an_expected_count_has_no_items() {
    addWithItems(TASK, 100);
    UUID unknown = add(TASK);

    assertThat(claimAll("a")).hasSize(2).contains(unknown);
  }

  @Test
  void each_value_has_its_own_capacity() {
    addWithItems(ofTenant("north", Limit.capacity(10)), 10);
    addWithItems(ofTenant("south", Limit.capacity(10)), 10);
    addWithItems(ofTenant("south", Limit.capacity(10)), 10);

    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void each_shard_has_its_own_capacity() {
    for (int i = 0; i < 2 * shards; i++) {
      int other = i % shards;
      NewTaskRow row = new NewTaskRow(ids.next(other), TASK.definition(), DueTime.now(), null, 50L);
      store.submit(new Submission(ids.next(other), List.of(row)));
      assertThat(claimAll("a")).hasSize(1);
    }
    addWithItems(TASK, 1);

    assertThat(claimAll("a")).isEmpty();
  }

  @Test
  void a_new_number_holds_for_tasks_that_wait() {
    addWithItems(TASK, 100);
    UUID waiting = addWithItems(TASK, 60);
    assertThat(claimAll("a")).hasSize(1);
    UUID more = addWithItems(limited(Limit.capacity(200)), 40);

    assertThat(claimAll("a")).containsExactlyInAnyOrder(waiting, more);
  }
}
