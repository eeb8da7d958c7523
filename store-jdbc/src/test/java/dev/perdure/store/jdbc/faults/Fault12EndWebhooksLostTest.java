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
 * The process died when the end of the task was committed and its webhooks were not called: nobody
 * ever heard of it.
 */
class Fault12EndWebhooksLostTest {

  private static final DeliveryOptions OPTIONS = DeliveryOptions.DEFAULT;

  /** A store that outlives the processes on it, and the calls that reached the outside. */
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

    /** A process that begins; nobody drives the one before any more. */
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

  /** A node that does nothing unless it is told to. */
  private static final class SenderNode {

    final ManualWorkers desk = new ManualWorkers();
    final ManualEngine does;

    SenderNode(DeliveryScenario deliveryScenario, DeliverySender.SendOutcome sendOutcome) {
      EngineEnvironment engineEnvironment =
          new EngineEnvironment(
              deliveryScenario.clock,
              () -> Duration.between(FakeClock.START, deliveryScenario.clock.instant()),
              new SplittableRandom(deliveryScenario.processes),
              desk);
      does =
          Engine.builder(deliveryScenario.store)
              .deliveryPlanner(
                  (before, taskChange) ->
                      List.of(
                          new DeliveryMessage("on_" + taskChange.to().text(), "first"),
                          new DeliveryMessage("on_" + taskChange.to().text(), "second")))
              .deliverySender(
                  delivery -> {
                    deliveryScenario.calls.add(delivery);
                    return sendOutcome;
                  },
                  OPTIONS)
              .environment(engineEnvironment)
              .buildManual();
      does.engine().register("work", String.class, (payload, context) -> {});
      does.renew();
    }

    /** Does a task to its durable end, and dies before anybody is called. */
    UUID doesOne() {
      UUID id = does.engine().submit(NewTask.of("work", "x"));
      does.claim();
      desk.runAll();
      assertThat(does.settle()).isEqualTo(1);
      return id;
    }

    void delivers() {
      does.deliver();
      desk.runAll();
      does.deliver();
    }
  }

  @ParameterizedTest
  @EnumSource
  void who_died_after_the_commit_is_followed_by_who_calls(TestStore testStore) {
    try (DeliveryScenario deliveryScenario = new DeliveryScenario(testStore)) {
      UUID id = deliveryScenario.process().doesOne();

      SenderNode next = deliveryScenario.process();
      assertThat(deliveryScenario.state(id)).isEqualTo(TaskState.SUCCESS);
      assertThat(deliveryScenario.calls).isEmpty();
      next.delivers();

      assertThat(deliveryScenario.calls)
          .extracting(call -> call.message())
          .containsExactlyInAnyOrder(
              new DeliveryMessage("on_success", "first"),
              new DeliveryMessage("on_success", "second"));
      assertThat(deliveryScenario.deliveries()).allMatch(one -> one.state() == DeliveryState.SENT);
      next.delivers();
      assertThat(deliveryScenario.calls).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_taken_and_not_sent_comes_again_after_its_lease(TestStore testStore) {
    try (DeliveryScenario deliveryScenario = new DeliveryScenario(testStore)) {
      SenderNode dies = deliveryScenario.process();
      dies.doesOne();
      assertThat(dies.does.deliver()).isEqualTo(2);

      SenderNode next = deliveryScenario.process();
      deliveryScenario.clock.advance(OPTIONS.lease().minusMillis(1));
      next.delivers();
      assertThat(deliveryScenario.calls).isEmpty();
      deliveryScenario.clock.advance(Duration.ofMillis(1));
      next.delivers();

      assertThat(deliveryScenario.calls).hasSize(2);
      assertThat(deliveryScenario.deliveries())
          .allMatch(one -> one.state() == DeliveryState.SENT && one.attempt() == 0);
    }
  }

  /** Not only when it is called dead: by then the lease has run out. */
  @ParameterizedTest
  @EnumSource
  void what_a_courier_is_away_with_comes_again_soon_after_its_node_died(TestStore testStore) {
    try (DeliveryScenario deliveryScenario = new DeliveryScenario(testStore)) {
      SenderNode dies = deliveryScenario.process();
      SenderNode other = new SenderNode(deliveryScenario, DeliverySender.accepted());
      dies.doesOne();
      assertThat(dies.does.deliver()).isEqualTo(2);
      for (int seconds = 0; seconds < 60; seconds += 5) {
        deliveryScenario.clock.advance(Duration.ofSeconds(5));
        other.delivers();
        dies.does.deliver();
      }
      assertThat(deliveryScenario.calls).as("while the node lives").isEmpty();

      deliveryScenario.clock.advance(OPTIONS.lease());
      other.delivers();
      assertThat(deliveryScenario.calls).hasSize(2);
      assertThat(OPTIONS.lease()).isLessThanOrEqualTo(NodeLeaseOptions.DEFAULT.validity());
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_sent_and_not_noted_is_sent_again_as_the_same_delivery(TestStore testStore) {
    try (DeliveryScenario deliveryScenario = new DeliveryScenario(testStore)) {
      SenderNode dies = deliveryScenario.process();
      dies.doesOne();
      dies.does.deliver();
      dies.desk.runAll();
      assertThat(deliveryScenario.calls).hasSize(2);

      SenderNode next = deliveryScenario.process();
      deliveryScenario.clock.advance(OPTIONS.lease());
      next.delivers();

      assertThat(deliveryScenario.calls).hasSize(4);
      assertThat(deliveryScenario.calls.subList(2, 4))
          .extracting(Delivery::id)
          .containsExactlyInAnyOrderElementsOf(
              deliveryScenario.calls.subList(0, 2).stream().map(Delivery::id).toList());
      assertThat(deliveryScenario.deliveries()).allMatch(one -> one.state() == DeliveryState.SENT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_callee_that_was_away_is_called_for_days_before_it_is_given_up(TestStore testStore) {
    try (DeliveryScenario deliveryScenario = new DeliveryScenario(testStore)) {
      SenderNode process = deliveryScenario.process(DeliverySender.failed(Failure.http(503)));
      process.doesOne();
      for (int hours = 0; hours < 24 * 7; hours++) {
        process.delivers();
        deliveryScenario.clock.advance(Duration.ofHours(1));
      }

      assertThat(deliveryScenario.deliveries())
          .hasSize(2)
          .allMatch(one -> one.state() == DeliveryState.DEAD && one.attempt() == 7);
      assertThat(deliveryScenario.calls).hasSize(2 * 8);
      SenderNode next = deliveryScenario.process();
      deliveryScenario.deliveries().forEach(dead -> next.does.engine().redeliver(dead.id()));
      next.delivers();
      assertThat(deliveryScenario.deliveries()).allMatch(one -> one.state() == DeliveryState.SENT);
    }
  }
}
