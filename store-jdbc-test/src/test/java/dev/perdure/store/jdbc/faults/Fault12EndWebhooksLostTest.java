// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.store.testkit.StoreFixture;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: the process died after the end of a task was committed and before its webhooks were
 * called, and they were never called.
 */
class Fault12EndWebhooksLostTest {

  private static final DeliveryOptions OPTIONS = DeliveryOptions.DEFAULT;

  /** A store that outlives its processes, and the calls that were made. */
  private static final class DeliveryScenario implements AutoCloseable {

    final FakeClock clock = new FakeClock();
    final List<Delivery> calls = new ArrayList<>();
    private final StoreFixture fixture;
    private TaskStore store;
    private int processes;

    DeliveryScenario(TestStore testStore) {
      fixture = testStore.fixture();
      store = fixture.create(clock, 1);
    }

    /** Starts a process. The one before it does nothing from then on. */
    SenderNode process(DeliverySender.SendOutcome sendOutcome) {
      if (processes++ > 0) {
        store.close();
        store = fixture.reopen();
      }
      return new SenderNode(this, sendOutcome);
    }

    SenderNode process() {
      return process(DeliverySender.accepted());
    }

    List<Delivery> deliveries() {
      return store.outbox().list(DeliveryFilter.all(), PageRequest.first(100)).deliveries();
    }

    TaskState state(UUID id) {
      return store.reader().find(id).orElseThrow().state();
    }

    @Override
    public void close() {
      fixture.close();
    }
  }

  /** A node that acts only when the test tells it to. */
  private static final class SenderNode {

    final ManualWorkers workers = new ManualWorkers();
    final ManualEngine loops;

    SenderNode(DeliveryScenario scenario, DeliverySender.SendOutcome sendOutcome) {
      EngineEnvironment engineEnvironment =
          new EngineEnvironment(
              scenario.clock,
              () -> Duration.between(FakeClock.START, scenario.clock.instant()),
              new SplittableRandom(scenario.processes),
              workers);
      loops =
          Engine.builder(scenario.store)
              .deliveryPlanner(
                  (before, change) ->
                      List.of(
                          new DeliveryMessage("on_" + change.to().text(), "first"),
                          new DeliveryMessage("on_" + change.to().text(), "second")))
              .deliverySender(
                  delivery -> {
                    scenario.calls.add(delivery);
                    return sendOutcome;
                  },
                  OPTIONS)
              .environment(engineEnvironment)
              .buildManual();
      loops.engine().register("work", String.class, (payload, context) -> {});
      loops.renew();
    }

    /** Completes a task durably and stops before any webhook is called. */
    UUID completeOne() {
      UUID id = loops.engine().submit(NewTask.of("work", "x"));
      loops.claim();
      workers.runAll();
      assertThat(loops.settle()).isEqualTo(1);
      return id;
    }

    void deliver() {
      loops.deliver();
      workers.runAll();
      loops.deliver();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_next_process_calls_what_the_dead_one_did_not(TestStore testStore) {
    try (DeliveryScenario scenario = new DeliveryScenario(testStore)) {
      UUID id = scenario.process().completeOne();

      SenderNode next = scenario.process();
      assertThat(scenario.state(id)).isEqualTo(TaskState.SUCCESS);
      assertThat(scenario.calls).isEmpty();
      next.deliver();

      assertThat(scenario.calls)
          .extracting(call -> call.message())
          .containsExactlyInAnyOrder(
              new DeliveryMessage("on_success", "first"),
              new DeliveryMessage("on_success", "second"));
      assertThat(scenario.deliveries())
          .allMatch(delivery -> delivery.state() == DeliveryState.SENT);
      next.deliver();
      assertThat(scenario.calls).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_delivery_that_was_claimed_but_not_sent_is_due_after_its_lease(TestStore testStore) {
    try (DeliveryScenario scenario = new DeliveryScenario(testStore)) {
      SenderNode dies = scenario.process();
      dies.completeOne();
      assertThat(dies.loops.deliver()).isEqualTo(2);

      SenderNode next = scenario.process();
      scenario.clock.advance(OPTIONS.lease().minusMillis(1));
      next.deliver();
      assertThat(scenario.calls).isEmpty();
      scenario.clock.advance(Duration.ofMillis(1));
      next.deliver();

      assertThat(scenario.calls).hasSize(2);
      assertThat(scenario.deliveries())
          .allMatch(delivery -> delivery.state() == DeliveryState.SENT && delivery.attempt() == 0);
    }
  }

  /** It is sent again before the node is marked dead, because its lease is shorter. */
  @ParameterizedTest
  @EnumSource
  void a_delivery_in_progress_is_sent_again_soon_after_its_node_died(TestStore testStore) {
    try (DeliveryScenario scenario = new DeliveryScenario(testStore)) {
      SenderNode dies = scenario.process();
      SenderNode other = new SenderNode(scenario, DeliverySender.accepted());
      dies.completeOne();
      assertThat(dies.loops.deliver()).isEqualTo(2);
      for (int seconds = 0; seconds < 60; seconds += 5) {
        scenario.clock.advance(Duration.ofSeconds(5));
        other.deliver();
        dies.loops.deliver();
      }
      assertThat(scenario.calls).as("while the node is alive").isEmpty();

      scenario.clock.advance(OPTIONS.lease());
      other.deliver();
      assertThat(scenario.calls).hasSize(2);
      assertThat(OPTIONS.lease()).isLessThanOrEqualTo(NodeLeaseOptions.DEFAULT.validity());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_delivery_that_was_sent_but_not_settled_is_sent_again_with_the_same_id(
      TestStore testStore) {
    try (DeliveryScenario scenario = new DeliveryScenario(testStore)) {
      SenderNode dies = scenario.process();
      dies.completeOne();
      dies.loops.deliver();
      dies.workers.runAll();
      assertThat(scenario.calls).hasSize(2);

      SenderNode next = scenario.process();
      scenario.clock.advance(OPTIONS.lease());
      next.deliver();

      assertThat(scenario.calls).hasSize(4);
      assertThat(scenario.calls.subList(2, 4))
          .extracting(Delivery::id)
          .containsExactlyInAnyOrderElementsOf(
              scenario.calls.subList(0, 2).stream().map(Delivery::id).toList());
      assertThat(scenario.deliveries())
          .allMatch(delivery -> delivery.state() == DeliveryState.SENT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_unavailable_callee_is_retried_for_days(TestStore testStore) {
    try (DeliveryScenario scenario = new DeliveryScenario(testStore)) {
      SenderNode process = scenario.process(DeliverySender.failed(Failure.http(503)));
      process.completeOne();
      for (int hours = 0; hours < 24 * 7; hours++) {
        process.deliver();
        scenario.clock.advance(Duration.ofHours(1));
      }

      assertThat(scenario.deliveries())
          .hasSize(2)
          .allMatch(delivery -> delivery.state() == DeliveryState.DEAD && delivery.attempt() == 7);
      assertThat(scenario.calls).hasSize(2 * 8);
      SenderNode next = scenario.process();
      scenario.deliveries().forEach(dead -> next.loops.engine().redeliver(dead.id()));
      next.deliver();
      assertThat(scenario.deliveries())
          .allMatch(delivery -> delivery.state() == DeliveryState.SENT);
    }
  }
}
