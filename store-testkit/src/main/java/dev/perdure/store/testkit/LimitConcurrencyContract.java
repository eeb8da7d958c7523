// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits on tasks that run at the same time, and which tasks share one. */
abstract class LimitConcurrencyContract extends LimitContract {

  LimitConcurrencyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void one_claim_returns_no_more_than_the_limit() {
    add(5, limited(Limit.concurrency(2)));

    assertThat(claimOnce(10, "a")).hasSize(2);
  }

  @Test
  void several_claims_together_return_no_more_than_the_limit() {
    add(6, limited(Limit.concurrency(3)));

    assertThat(claimOnce(1, "a")).hasSize(1);
    assertThat(claimOnce(1, "a")).hasSize(1);
    assertThat(claimOnce(10, "a")).hasSize(1);
    assertThat(claimAll("a")).isEmpty();
  }

  @Test
  void several_nodes_together_get_no_more_than_the_limit() {
    UUID other = ids.next(0);
    store.nodes().join(new RegisteredNode(other, "second", List.of("a")), FOR_EVER);
    add(6, limited(Limit.concurrency(3)));

    assertThat(claimOnce(2, "a")).hasSize(2);
    assertThat(claimFor(new LeaseOwner.NodeOwner(other))).hasSize(1);
    assertThat(claimFor(new LeaseOwner.RemoteOwner("elsewhere", FOR_EVER))).isEmpty();
    assertThat(claimAll("a")).isEmpty();
  }

  private List<UUID> claimFor(LeaseOwner owner) {
    return claimedIds(store.claim(new ClaimRequest(owner, capacities(10, "a"), 10, true)));
  }

  @Test
  @Timeout(120)
  void claims_at_the_same_time_never_exceed_the_limit_and_miss_nothing() throws Exception {
    int total = 200;
    int max = 3;
    for (int i = 0; i < total / 20; i++) {
      add(20, limited(Limit.concurrency(max)));
    }
    AtomicInteger running = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    ConcurrentLinkedQueue<Integer> seen = new ConcurrentLinkedQueue<>();
    Runnable worker =
        () -> {
          while (done.get() < total) {
            List<UUID> claimed = claimOnce(2, "a");
            seen.add(running.addAndGet(claimed.size()));
            for (UUID id : claimed) {
              running.decrementAndGet(); // Before the end, so that it is not counted too long.
              succeedRunning(id);
              done.incrementAndGet();
            }
          }
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      List<Future<?>> workers =
          IntStream.range(0, 4).<Future<?>>mapToObj(i -> executor.submit(worker)).toList();
      for (Future<?> one : workers) {
        one.get();
      }
    }

    assertThat(done).hasValue(total);
    assertThat(seen).allMatch(count -> count <= max);
  }

  @Test
  void a_claimed_task_counts_before_it_starts() {
    add(2, limited(Limit.concurrency(1)));
    Task claimed = claimed("a");

    assertThat(claimAll("a")).isEmpty();
    Task started = write(lifecycle.start(claimed));
    assertThat(claimAll("a")).isEmpty();
    settle(started, SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void equal_values_share_a_limit_and_different_ones_do_not() {
    UUID first = add(ofTenant("north", Limit.concurrency(1)));
    add(ofTenant("north", Limit.concurrency(1)));
    UUID other = add(ofTenant("south", Limit.concurrency(1)));

    assertThat(claimAll("a")).containsExactlyInAnyOrder(first, other);
  }

  @Test
  void fields_that_the_limit_does_not_name_do_not_count() {
    TestTask task = limited(Limit.concurrency(1).per("tenant"));
    add(task.withMetadata("{\"tenant\": \"north\", \"month\": 1}"));
    add(task.withMetadata("{\"month\": 2, \"tenant\": \"north\"}"));

    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void all_fields_must_be_equal_to_share_a_limit() {
    TestTask task = limited(Limit.concurrency(1).per("tenant", "month"));
    add(task.withMetadata("{\"tenant\": \"north\", \"month\": 1}"));
    add(task.withMetadata("{\"tenant\": \"north\", \"month\": 2}"));
    add(task.withMetadata("{\"month\": 1, \"tenant\": \"north\"}"));

    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void a_limit_without_fields_includes_tasks_without_metadata() {
    add(limited(Limit.concurrency(2)));
    add(limited(Limit.concurrency(2)).withMetadata("{}"));
    add(limited(Limit.concurrency(2)).withMetadata(tenant("north")));

    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void a_missing_field_is_a_value_of_its_own() {
    TestTask task = limited(Limit.concurrency(1).per("tenant"));
    UUID withoutMetadata = add(task);
    add(task.withMetadata("{\"other\": 1}"));
    UUID isNull = add(task.withMetadata("{\"tenant\": null}"));
    UUID isText = add(task.withMetadata("{\"tenant\": \"null\"}"));

    assertThat(claimAll("a")).containsExactlyInAnyOrder(withoutMetadata, isNull, isText);
  }

  @Test
  void numbers_are_equal_by_value_and_differ_from_text() {
    TestTask task = limited(Limit.concurrency(1).per("n"));
    UUID number = add(task.withMetadata("{\"n\": 1}"));
    add(task.withMetadata("{\"n\": 1.0}"));
    add(task.withMetadata("{\"n\": 10e-1}"));
    UUID text = add(task.withMetadata("{\"n\": \"1\"}"));

    assertThat(claimAll("a")).containsExactlyInAnyOrder(number, text);
  }

  @Test
  void objects_are_equal_whatever_the_order_of_their_fields() {
    TestTask task = limited(Limit.concurrency(1).per("o"));
    UUID first = add(task.withMetadata("{\"o\": {\"x\": 1, \"y\": [1, 2]}}"));
    add(task.withMetadata("{\"o\": {\"y\": [1, 2], \"x\": 1}}"));
    UUID other = add(task.withMetadata("{\"o\": {\"x\": 1, \"y\": [2, 1]}}"));

    assertThat(claimAll("a")).containsExactlyInAnyOrder(first, other);
  }

  @Test
  void long_values_and_odd_characters_keep_tasks_apart() {
    String odd = "läuft\\nnicht, \\\"💶\\\" = [-] \\u0001'%";
    TestTask task = limited(Limit.concurrency(1).per("tenant"));
    UUID first = add(task.withMetadata("{\"tenant\": \"" + odd + "\"}"));
    UUID longer = add(task.withMetadata("{\"tenant\": \"" + odd + "💶".repeat(300) + "\"}"));
    UUID longest = add(task.withMetadata("{\"tenant\": \"" + odd + "💶".repeat(301) + "\"}"));
    add(task.withMetadata("{\"tenant\": \"" + odd + "💶".repeat(301) + "\"}"));

    assertThat(claimAll("a")).containsExactlyInAnyOrder(first, longer, longest);
    succeedRunning(longest);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void kinds_do_not_share_limits() {
    add(2, limited(Limit.concurrency(1)));
    add(2, TestTask.retrying("b").withLimits(Limit.concurrency(1)));

    assertThat(
            claimAll("a", "b").stream()
                .map(id -> find(id).definition().kind())
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(claimAll("a", "b")).isEmpty();
  }

  @Test
  void limits_with_different_fields_are_different_limits() {
    UUID perTenant = add(ofTenant("north", Limit.concurrency(1)));
    UUID perKind = add(limited(Limit.concurrency(1)).withMetadata(tenant("north")));

    assertThat(claimAll("a")).containsExactlyInAnyOrder(perTenant, perKind);
  }

  @Test
  void tasks_without_the_limit_do_not_count() {
    add(3, TestTask.withoutRetry("a"));
    add(2, limited(Limit.concurrency(1)));

    assertThat(claimAll("a")).hasSize(4);
  }

  @Test
  void shards_do_not_share_limits() {
    for (int other = 0; other < shards; other++) {
      submit(other, List.of(limited(Limit.concurrency(1))), DueTime.now());
      submit(other, List.of(limited(Limit.concurrency(1))), DueTime.now());
    }

    assertThat(claimAll("a")).hasSize(shards);
  }

  @Test
  void a_kind_shares_its_limit_with_the_tasks_that_it_has_in_queues() {
    UUID inQueue = add(limited(Limit.concurrency(1)).withQueue(QUEUE));
    assertThat(claimAll(QUEUE)).containsExactly(inQueue);
    UUID withoutQueue = add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a", QUEUE)).isEmpty();
    succeedRunning(inQueue);

    assertThat(claimAll("a", QUEUE)).containsExactly(withoutQueue);
    add(limited(Limit.concurrency(1)).withQueue(QUEUE));
    assertThat(claimAll(QUEUE)).isEmpty();
  }

  @Test
  void a_place_that_a_queue_leaves_is_free_for_others_after_a_second() {
    UUID inQueue = add(limited(Limit.concurrency(1)).withQueue(QUEUE));
    assertThat(claimAll(QUEUE)).containsExactly(inQueue);
    UUID withoutQueue = add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(inQueue);
    assertThat(claim(10, "a").nextDue()).isLessThanOrEqualTo(SECOND);
    clock.advance(SECOND);

    assertThat(claimAll("a")).containsExactly(withoutQueue);
  }

  @Test
  void a_shared_limit_that_nobody_waits_for_is_not_looked_at() {
    add(limited(Limit.concurrency(2)).withQueue(QUEUE));
    add(limited(Limit.concurrency(2)));
    assertThat(claimAll("a", QUEUE)).hasSize(2);

    assertThat(claim(10, "a").nextDue()).isNull();
    assertThat(claim(10, QUEUE).nextDue()).isNull();
  }

  @Test
  void a_shared_limit_is_not_looked_at_before_a_task_is_due() {
    TestTask task = limited(Limit.concurrency(5));
    add(2, task.withQueue(QUEUE));
    add(task);
    assertThat(claimAll("a", QUEUE)).hasSize(3);
    UUID inQueue = add(task.withQueue(QUEUE), DueTime.at(clock.instant().plusSeconds(20_000)));
    UUID withoutQueue = add(task, DueTime.at(clock.instant().plusSeconds(30_000)));
    claimAll("a", QUEUE);

    assertThat(claim(10, QUEUE).nextDue()).isEqualTo(untilDue(inQueue));
    assertThat(claim(10, "a").nextDue()).isBetween(untilDue(inQueue), untilDue(withoutQueue));
    clock.set(find(inQueue).times().dueAt());
    assertThat(claim(10, "a").nextDue()).as("of the kind").isEqualTo(untilDue(withoutQueue));
    assertThat(claimAll(QUEUE)).containsExactly(inQueue);
    assertThat(claim(10, "a").nextDue()).isEqualTo(untilDue(withoutQueue));
    clock.set(find(withoutQueue).times().dueAt());
    assertThat(claimAll("a")).containsExactly(withoutQueue);
  }

  private Duration untilDue(UUID task) {
    return Duration.between(clock.instant(), find(task).times().dueAt());
  }

  @Test
  void tasks_are_claimed_only_for_the_queues_that_are_served() {
    TestTask task = limited(Limit.concurrency(5));
    UUID withoutQueue = add(task);
    UUID inQueue = add(task.withQueue(QUEUE));

    assertThat(claimAll("a")).containsExactly(withoutQueue);
    assertThat(claimAll("b")).isEmpty();
    assertThat(claimAll(QUEUE)).containsExactly(inQueue);
  }

  @Test
  void a_task_keeps_its_limit_when_its_metadata_changes() {
    add(ofTenant("north", Limit.concurrency(1)));
    UUID changed = add(ofTenant("north", Limit.concurrency(1)));
    UUID running = claimAll("a").getFirst();
    TaskUpdate update = new TaskUpdate(changed, null, 7, null, tenant("south"));
    assertThat(store.update(update)).isEqualTo(WriteResult.written());

    assertThat(claimAll("a")).isEmpty();
    succeedRunning(running);
    assertThat(claimAll("a")).containsExactly(changed);
    succeedRunning(changed);
    add(2, ofTenant("north", Limit.concurrency(1)));
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_limited_task_looks_like_any_other() {
    UUID id = add(limited(Limit.concurrency(1)));
    Task pending = find(id);
    assertThat(pending.hold()).containsExactly(HoldReason.LIMITED);
    assertThat(pending.status()).isEqualTo(DisplayStatus.PENDING);
    assertThat(pending.definition()).isEqualTo(limited(Limit.concurrency(1)).definition());

    Task running = running("a");
    assertThat(running).isEqualTo(find(id));
    assertThat(running.hold()).containsExactly(HoldReason.LIMITED);
    assertThat(running.status()).isEqualTo(DisplayStatus.RUNNING);
    assertThat(running.epoch()).isOne();
    assertThat(settle(running, SUCCEEDED).status()).isEqualTo(DisplayStatus.SUCCESS);
  }

  @Test
  void a_task_is_not_claimed_before_it_is_due_and_the_claim_says_when_that_is() {
    UUID later = add(limited(Limit.concurrency(1)), DueTime.in(Duration.ofSeconds(10)));

    assertNextDue(Duration.ofSeconds(10));
    clock.advance(Duration.ofMillis(9_999));
    assertNextDue(MILLI);
    clock.advance(MILLI);
    assertThat(claimAll("a")).containsExactly(later);
  }

  @Test
  void a_task_with_a_priority_is_claimed_on_time_and_the_hint_is_never_too_late() {
    UUID urgent =
        add(limited(Limit.concurrency(2)).withPriority(100), DueTime.in(Duration.ofSeconds(10)));
    Instant due = clock.instant().plusSeconds(10);
    add(limited(Limit.concurrency(2)).withPriority(-100), DueTime.in(Duration.ofSeconds(11)));

    assertThat(claim(10, "a").nextDue())
        .satisfiesAnyOf(
            hint -> assertThat(hint).isNull(),
            hint -> assertThat(hint).isBetween(MILLI, Duration.ofSeconds(10)));
    clock.set(due.minus(MILLI));
    assertThat(claimAll("a")).isEmpty();
    clock.advance(MILLI);
    assertThat(claimAll("a")).containsExactly(urgent);
  }

  @Test
  void a_task_past_its_deadline_is_not_claimed_and_is_not_in_the_way() {
    Instant deadline = clock.instant().plusSeconds(10);
    List<UUID> late = add(2, limited(Limit.concurrency(1)).withDeadline(deadline));
    UUID behind = add(limited(Limit.concurrency(1)));
    clock.set(deadline);

    assertThat(claimAll("a")).containsExactly(behind);
    assertThat(store.maintenance().pastDeadline(10).tasks())
        .extracting(Task::id)
        .containsExactlyInAnyOrderElementsOf(late);
    late.forEach(id -> write(lifecycle.expire(find(id))));
    succeedRunning(behind);
    assertThat(claimAll("a")).isEmpty();
  }
}
