// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Limits of tasks that engines submit and run, step by step. */
abstract class EngineLimitContract extends StoreContract {

  /** Handlers that have started and run when the test says so. */
  private final Deque<Runnable> handlers = new ArrayDeque<>();

  private final EngineExecutor later =
      (name, work) -> {
        handlers.add(work);
        return () -> {};
      };

  EngineLimitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private ManualEngine node(String name, EngineExecutor executor) {
    clock.advance(MILLI); // So that no two nodes have the same id.
    ManualEngine node = ManualEngines.on(store, clock, executor).name(name).buildManual();
    node.engine().register("sync", String.class, (payload, context) -> {});
    node.renew();
    return node;
  }

  private static List<UUID> submit(ManualEngine node, int count, NewTask task) {
    return node.engine()
        .submit(Batch.of(IntStream.range(0, count).mapToObj(i -> task).toList()))
        .ids();
  }

  @Test
  void all_nodes_together_run_no_more_than_the_limit() {
    ManualEngine north = node("north", later);
    ManualEngine south = node("south", later);
    List<UUID> ids = submit(north, 10, NewTask.of("sync", "x").limit(Limit.concurrency(3)));
    for (int rounds = 0; rounds < 2 * ids.size(); rounds++) {
      north.claim();
      south.claim();
      assertThat(handlers).hasSizeLessThanOrEqualTo(3);
      if (!handlers.isEmpty()) {
        handlers.remove().run();
      }
      north.settle();
      south.settle();
    }

    assertThat(store.reader().findAll(ids)).allMatch(task -> task.state() == TaskState.SUCCESS);
  }

  @Test
  void a_limit_counts_tasks_with_equal_metadata() {
    ManualEngine node = node("north", later);
    NewTask task = NewTask.of("sync", "x").limit(Limit.concurrency(1).per("tenant"));
    node.engine()
        .submit(
            Batch.of(
                task.metadata(Map.of("tenant", "acme")),
                task.metadata(Map.of("tenant", "acme")),
                task.metadata(Map.of("tenant", "other")),
                task,
                task));

    assertThat(node.claim()).isEqualTo(3);
    assertThat(node.claim()).isZero();
  }

  @Test
  void a_task_starts_when_all_its_limits_allow_it() {
    ManualEngine node = node("north", later);
    NewTask task =
        NewTask.of("sync", "x")
            .limit(Limit.concurrency(5))
            .limit(Limit.rate(2, Duration.ofSeconds(1)).burst(2));
    submit(node, 10, task);

    assertThat(node.claim()).isEqualTo(2);
    assertThat(node.claimAndReturnNextDue()).isBetween(MILLI, Duration.ofMillis(500));
    clock.advance(Duration.ofMillis(500));
    assertThat(node.claim()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1));
    assertThat(node.claim()).isEqualTo(2);
    clock.advance(Duration.ofSeconds(1));
    assertThat(node.claim()).as("five run").isZero();
  }

  @Test
  void a_limit_on_capacity_needs_an_expected_count() {
    ManualEngine node = node("north", later);
    NewTask task = NewTask.of("sync", "x").limit(Limit.capacity(10));

    assertThatThrownBy(() -> node.engine().submit(task))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs the expected count");
    submit(node, 3, task.expectedCount(5));
    assertThat(node.claim()).isEqualTo(2);
  }

  @Test
  void stored_tasks_without_an_expected_count_get_no_limit_on_capacity() {
    Engine engine = node("north", later).engine();
    SubmissionReceipt submitted =
        engine.submit(
            Batch.of(
                List.of(
                    NewTask.of("sync", "x").expectedCount(5),
                    NewTask.of("sync", "x"),
                    NewTask.of("mail", "x"))));
    UUID uncounted = submitted.ids().get(1);
    List<Limit> limits = List.of(Limit.concurrency(1), Limit.capacity(10));

    assertThatThrownBy(() -> engine.limits().change(submitted.batch(), "sync", limits, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limits: ")
        .hasMessageContaining("task " + uncounted + " has no expected count")
        .hasMessageContaining("set it first");
    assertThat(store.reader().findAll(submitted.ids()))
        .allMatch(task -> task.definition().rules() == null && task.hold().isEmpty());

    assertThat(engine.limits().change(submitted.batch(), "sync", limits.subList(0, 1), null))
        .isEqualTo(2);
    store.update(new TaskUpdate(uncounted, null, null, 7L, null));
    assertThat(engine.limits().change(submitted.batch(), "sync", limits, null)).isEqualTo(2);
  }

  @Test
  void ended_tasks_without_an_expected_count_are_no_obstacle() {
    Engine engine = node("north", later).engine();
    NewTask task = NewTask.of("sync", "x");
    SubmissionReceipt submitted = engine.submit(Batch.of(List.of(task, task.expectedCount(5))));
    engine.cancel(submitted.ids().getFirst());

    assertThat(engine.limits().change(submitted.batch(), "sync", List.of(Limit.capacity(10)), null))
        .isOne();
  }

  @Test
  void a_retry_waits_for_the_limit_like_any_other_task() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    node.engine()
        .register(
            "broken",
            String.class,
            (payload, context) -> {
              throw new IllegalStateException("broken");
            });
    NewTask task = NewTask.of("broken", "x").limit(Limit.concurrency(1));
    List<UUID> ids = submit(node, 3, task.retry(EngineOnStore.AT_ONCE));
    for (int attempts = 0; attempts < 3 * 4; attempts++) {
      assertThat(node.claim()).isOne();
      node.settle();
    }

    assertThat(store.reader().findAll(ids)).allMatch(one -> one.state() == TaskState.FAILURE);
  }

  @Test
  void a_task_that_settles_in_its_own_transaction_frees_its_place_with_the_commit() {
    ManualEngine node = node("north", later);
    ManualEngine other = node("south", later);
    node.engine()
        .register(
            "own",
            String.class,
            (payload, context) -> {
              try (StoreFixture.OpenTransaction open = fixture.begin()) {
                context.settleIn(open.transaction());
                open.commit();
              }
            });
    other.engine().register("own", String.class, (payload, context) -> {});
    submit(node, 2, NewTask.of("own", "x").limit(Limit.concurrency(1)));
    assertThat(node.claim()).isOne();
    assertThat(other.claim()).isZero();
    handlers.remove().run();

    assertThat(other.claim()).isOne();
  }

  @Test
  void a_dead_node_frees_its_places_when_its_tasks_are_taken_from_it() {
    ManualEngine living = node("north", later);
    ManualEngine dying = node("south", later);
    submit(living, 2, NewTask.of("sync", "x").limit(Limit.concurrency(1)));
    assertThat(dying.claim()).isOne();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(10));
      living.renew();
    }
    assertThat(living.claim()).isZero();

    assertThat(living.reap()).isOne();
    assertThat(living.claim()).isOne();
  }

  @Test
  void a_stopping_node_frees_the_places_of_what_it_hands_back() {
    ManualEngine stopping = node("north", later);
    ManualEngine other = node("south", later);
    submit(stopping, 3, NewTask.of("sync", "x").limit(Limit.concurrency(2)));
    assertThat(stopping.claim()).isEqualTo(2);
    stopping.stopClaiming();
    stopping.handBackRemaining();
    stopping.settle();

    assertThat(other.claim()).isEqualTo(2);
  }

  @Test
  void a_canceled_task_frees_its_place() {
    ManualEngine node = node("north", later);
    List<UUID> ids = submit(node, 2, NewTask.of("sync", "x").limit(Limit.concurrency(1)));
    assertThat(node.claim()).isOne();
    UUID running = ids.stream().filter(id -> find(id).state().isLeased()).findFirst().orElseThrow();
    node.engine().cancel(running);

    assertThat(node.claim()).isOne();
  }

  @Test
  void remote_workers_and_nodes_share_a_limit() {
    ManualEngine node = node("north", later);
    submit(node, 5, NewTask.of("sync", "x").limit(Limit.concurrency(2)));
    RemoteClaim claim =
        new RemoteClaim("elsewhere", List.of("sync"), 1, Duration.ofMinutes(1), Duration.ZERO);

    assertThat(node.engine().remote().claim(claim).leases()).hasSize(1);
    assertThat(node.claim()).isOne();
    assertThat(node.engine().remote().claim(claim).leases()).isEmpty();
  }
}
