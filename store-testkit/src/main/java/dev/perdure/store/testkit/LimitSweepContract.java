// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The check of limits: unused ones are deleted, and correct ones stay as they are. */
abstract class LimitSweepContract extends LimitContract {

  private static final Duration TWO_DAYS = Duration.ofDays(2);
  private static final Outcome SUCCEEDED = new Outcome.Succeeded(null);

  LimitSweepContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private LimitSweep sweep() {
    return store.maintenance().sweepLimits("", 100);
  }

  private List<String> keys() {
    return store.limits().list("", 100).stream().map(LimitUsage::key).toList();
  }

  private void useOnce(TestTask task) {
    add(task);
    settle(running("a"), SUCCEEDED);
    claimAll("a");
  }

  @Test
  void a_limit_that_no_task_has_used_for_a_day_is_deleted() {
    useOnce(limited(Limit.concurrency(1)));
    assertThat(sweep().deleted()).as("used just now").isZero();
    clock.advance(TWO_DAYS);

    assertThat(sweep()).isEqualTo(new LimitSweep(null, 0, 1));
    assertThat(keys()).isEmpty();
    add(2, limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).as("the limit holds again").hasSize(1);
  }

  @Test
  void a_limit_is_kept_while_a_task_runs_or_waits() {
    add(2, limited(Limit.concurrency(1)));
    Task running = running("a");
    clock.advance(TWO_DAYS);
    assertThat(sweep()).isEqualTo(new LimitSweep(null, 0, 0));

    settle(running, SUCCEEDED);
    clock.advance(TWO_DAYS);
    assertThat(sweep().deleted()).as("a task waits").isZero();
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_limit_is_kept_for_a_task_that_is_due_later() {
    useOnce(limited(Limit.concurrency(1)));
    add(limited(Limit.concurrency(1)), DueTime.in(Duration.ofDays(30)));
    claimAll("a");
    clock.advance(TWO_DAYS);

    assertThat(sweep().deleted()).isZero();
    clock.advance(Duration.ofDays(30));
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_rate_is_kept_while_it_would_make_a_task_wait() {
    useOnce(limited(Limit.rate(1, Duration.ofDays(30))));
    clock.advance(TWO_DAYS);
    assertThat(sweep().deleted()).isZero();
    add(limited(Limit.rate(1, Duration.ofDays(30))));
    assertThat(claimAll("a")).as("the last start was two days ago").isEmpty();
  }

  @Test
  void a_paused_task_is_claimed_although_its_limit_was_deleted_meanwhile() {
    Task task = find(add(limited(Limit.concurrency(1))));
    apply(lifecycle.pause(task));
    claimAll("a");
    clock.advance(TWO_DAYS);
    assertThat(sweep().deleted()).isOne();
    assertThat(keys()).isEmpty();

    apply(lifecycle.resume(find(task.id())));
    assertThat(claimAll("a")).containsExactly(task.id());
    assertThat(keys()).hasSize(1);
  }

  @Test
  void events_that_no_claim_has_applied_are_counted() {
    add(3, limited(Limit.concurrency(2)));
    settle(find(claimAll("a").getFirst()), SUCCEEDED);

    assertThat(sweep()).as("one runs, one place is free").isEqualTo(new LimitSweep(null, 0, 0));
    assertThat(store.limits().list("", 1).getFirst().used()).isOne();
    assertThat(claimAll("a")).hasSize(1);
  }

  /** No claim takes it, so a claim that finds only this task need not look again. */
  @Test
  void a_task_past_its_deadline_does_not_make_a_limit_wrong() {
    Instant deadline = clock.instant().plusSeconds(10);
    add(limited(Limit.concurrency(1)).withDeadline(deadline));
    clock.set(deadline);
    assertThat(claimAll("a")).isEmpty();

    assertThat(sweep()).isEqualTo(new LimitSweep(null, 0, 0));
  }

  @Test
  void limits_are_checked_in_parts() {
    IntStream.range(0, 5).forEach(i -> useOnce(ofTenant("tenant" + i, Limit.concurrency(1))));
    clock.advance(TWO_DAYS);
    LimitSweep first = store.maintenance().sweepLimits("", 2);
    assertThat(first).isEqualTo(new LimitSweep("concurrency:a[tenant=\"tenant1\"]", 0, 2));
    assertThat(store.maintenance().sweepLimits(String.valueOf(first.last()), 10))
        .isEqualTo(new LimitSweep(null, 0, 3));
  }

  /** It waits for the first of its limits only, so nothing keeps the other one. */
  @Test
  void a_task_is_claimed_although_another_of_its_limits_was_deleted_meanwhile() {
    Limit[] limits = {Limit.concurrency(10), Limit.concurrency(1).per("tenant")};
    TestTask task = limited(limits).withMetadata(tenant("north"));
    UUID later = add(task, DueTime.in(Duration.ofDays(3)));
    claimAll("a");
    clock.advance(TWO_DAYS);
    assertThat(sweep().deleted()).isOne();
    clock.advance(TWO_DAYS);

    assertThat(claimAll("a")).containsExactly(later);
    add(task);
    assertThat(claimAll("a")).as("one per tenant").isEmpty();
  }

  @Test
  void a_task_with_other_metadata_is_claimed_although_its_limit_was_deleted_meanwhile() {
    Task task = find(add(ofTenant("north", Limit.concurrency(1))));
    apply(lifecycle.pause(task));
    claimAll("a");
    store.update(new TaskUpdate(task.id(), null, null, null, tenant("south")));
    clock.advance(TWO_DAYS);
    assertThat(sweep().deleted()).isOne();

    apply(lifecycle.resume(find(task.id())));
    assertThat(claimAll("a")).containsExactly(task.id());
  }

  /** Otherwise every claim would read the event again. */
  @Test
  void events_of_a_canceled_task_whose_limit_was_deleted_are_forgotten() {
    Task task = find(add(limited(Limit.concurrency(1))));
    apply(lifecycle.pause(task));
    claimAll("a");
    clock.advance(TWO_DAYS);
    assertThat(sweep().deleted()).isOne();

    apply(lifecycle.resume(find(task.id())));
    apply(lifecycle.cancel(find(task.id())));
    claimAll("a");
    assertThat(claim(10, "a").nextDue()).as("there is nothing to look at").isNull();
  }

  /** Otherwise a claim would create the limit that the event describes. */
  @Test
  void old_events_of_a_kind_that_nobody_serves_are_deleted() {
    apply(lifecycle.cancel(find(add(ofTenant("north", Limit.concurrency(1))))));
    add(ofTenant("south", Limit.concurrency(1)), DueTime.in(Duration.ofDays(30)));
    sweep();
    clock.advance(TWO_DAYS);
    apply(lifecycle.cancel(find(add(ofTenant("west", Limit.concurrency(1))))));
    sweep();

    claimAll("a");
    assertThat(keys())
        .containsExactly("concurrency:a[tenant=\"south\"]", "concurrency:a[tenant=\"west\"]");
  }
}
