// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.KindLimit.Source;
import dev.perdure.engine.task.Limit;
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

/** Limits of a kind that engines set, or that their handlers declare. */
abstract class EngineKindLimitContract extends StoreContract {

  private static final String KEY = "concurrency:kind:sync[]";

  /** Handlers that have started and run when the test says so. */
  private final Deque<Runnable> handlers = new ArrayDeque<>();

  private final EngineExecutor later =
      (name, work) -> {
        handlers.add(work);
        return () -> {};
      };

  EngineKindLimitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private ManualEngine node(String name, Limit... limits) {
    clock.advance(MILLI); // So that no two nodes have the same id.
    ManualEngine node = ManualEngines.on(store, clock, later).name(name).buildManual();
    HandlerOptions options = HandlerOptions.defaults().withLimits(limits);
    node.engine().register("sync", String.class, (payload, context) -> {}, options);
    node.renew();
    return node;
  }

  private static List<UUID> submit(ManualEngine node, int count) {
    return node.engine()
        .submit(Batch.of(IntStream.range(0, count).mapToObj(i -> NewTask.of("sync", "x")).toList()))
        .ids();
  }

  @Test
  void all_nodes_together_run_no_more_than_the_options_of_a_handler_allow() {
    ManualEngine north = node("north", Limit.concurrency(3));
    ManualEngine south = node("south", Limit.concurrency(3));
    List<UUID> ids = submit(north, 10);
    for (int rounds = 0; rounds < 3 * ids.size(); rounds++) {
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
    assertThat(north.engine().limits().find("sync").orElseThrow().source()).isEqualTo(Source.CODE);
  }

  @Test
  void a_later_start_declares_other_limits_or_none() {
    node("old", Limit.concurrency(3)).claim();
    ManualEngine node = node("new", Limit.concurrency(5));
    node.claim();
    assertThat(max(node)).isEqualTo(5);
    node("newest").claim();

    assertThat(node.engine().limits().ofKinds()).isEmpty();
  }

  @Test
  void what_an_operator_has_set_stays_until_it_is_removed() {
    ManualEngine node = node("north", Limit.concurrency(3));
    node.engine().limits().set("sync", Limit.concurrency(7));
    node.claim();
    node.engine().limits().declare(Source.CONFIG, Map.of("sync", List.of(Limit.concurrency(1))));
    node("south").claim();
    assertThat(max(node)).isEqualTo(7);

    assertThat(node.engine().limits().remove("sync")).isTrue();
    assertThat(node.engine().limits().remove("sync")).isFalse();
    node("west", Limit.concurrency(3)).claim();
    assertThat(max(node)).isEqualTo(3);
  }

  private static long max(ManualEngine node) {
    KindLimit limit = node.engine().limits().find("sync").orElseThrow();
    return limit.limits().getFirst().rule().max();
  }

  @Test
  void a_declaration_does_not_remove_what_comes_from_elsewhere() {
    ManualEngine node = node("north");
    node.engine().limits().declare(Source.CONFIG, Map.of("sync", List.of(Limit.concurrency(4))));
    node.claim();

    assertThat(max(node)).isEqualTo(4);
    node.engine().limits().declare(Source.CONFIG, Map.of("sync", List.of()));
    assertThat(node.engine().limits().ofKinds()).isEmpty();
  }

  @Test
  void the_same_declaration_writes_nothing() {
    ManualEngine node = node("north", Limit.concurrency(3), Limit.rate(5, Duration.ofSeconds(1)));
    node.claim();
    KindLimit before = node.engine().limits().find("sync").orElseThrow();
    clock.advance(Duration.ofMinutes(1));
    node("south", Limit.concurrency(3), Limit.rate(5, Duration.ofSeconds(1))).claim();

    assertThat(node.engine().limits().find("sync").orElseThrow().updatedAt())
        .isEqualTo(before.updatedAt());
  }

  @Test
  void a_limit_is_listed_before_a_task_uses_it_and_not_after_it_was_removed() {
    ManualEngine node = node("north");
    node.engine().limits().set("sync", Limit.concurrency(2), Limit.rate(9, Duration.ofHours(1)));
    assertThat(node.engine().limits().list("", 10))
        .extracting(LimitUsage::key)
        .containsExactly(KEY, "rate:kind:sync[]");
    assertThat(node.engine().limits().list("", 1)).extracting(LimitUsage::key).containsExactly(KEY);
    assertThat(node.engine().limits().list(KEY, 1))
        .extracting(LimitUsage::key)
        .containsExactly("rate:kind:sync[]");

    submit(node, 1);
    node.claim();
    node.claim();
    assertThat(node.engine().limits().list("", 10))
        .filteredOn(limit -> limit.key().equals(KEY))
        .extracting(LimitUsage::used)
        .containsExactly(1L);
    node.engine().limits().remove("sync");
    assertThat(node.engine().limits().list("", 10)).isEmpty();
    assertThat(node.engine().limits().list("", 1)).isEmpty();
  }

  @Test
  void refuses_what_cannot_be_a_limit_of_a_kind() {
    var limits = node("north").engine().limits();
    assertThatThrownBy(() -> limits.set("sync")).hasMessageStartingWith("limits: must have");
    assertThatThrownBy(() -> limits.set(" ", Limit.concurrency(1))).hasMessageStartingWith("kind:");
    assertThatThrownBy(() -> limits.set("sync", Limit.capacity(1)))
        .hasMessageContaining("not on capacity");
    assertThatThrownBy(
            () ->
                node("south")
                    .engine()
                    .registerQueue(
                        "perdure:queue",
                        context -> {},
                        HandlerOptions.defaults().withLimits(Limit.concurrency(1))))
        .hasMessageContaining("limits: a limit is about a kind");
    assertThat(limits.ofKinds()).isEmpty();
  }

  @Test
  void so_many_kinds_can_have_limits_and_no_more() {
    var limits = node("north").engine().limits();
    for (int i = 0; i < KindLimits.MAX_KINDS; i++) {
      store.limits().setKind("kind" + i, List.of(Limit.concurrency(1)), Source.CODE);
    }
    limits.set("kind1", Limit.concurrency(2));

    assertThatThrownBy(() -> limits.set("sync", Limit.concurrency(1)))
        .hasMessageContaining("200 kinds have limits");
  }
}
