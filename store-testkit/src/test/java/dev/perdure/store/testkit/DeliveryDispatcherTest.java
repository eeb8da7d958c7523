// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.StoreException;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Deliveries while the store fails or the node stops. */
class DeliveryDispatcherTest {

  private static final DeliveryOptions ONE_AT_ONCE = DeliveryOptions.DEFAULT.withConcurrency(1);

  private final FakeClock clock = new FakeClock();
  private volatile Consumer<String> beforeCall = call -> {};
  private final TaskStore store =
      InterceptedStore.wrap(new InMemoryStore(clock, 1), call -> beforeCall.accept(call));
  private final BlockingQueue<Delivery> sent = new LinkedBlockingQueue<>();

  private EngineBuilder builderWith(EngineBuilder builder, DeliveryOptions options) {
    return builder
        .deliveryPlanner((before, change) -> List.of(new DeliveryMessage("on_cancel", "{}")))
        .deliverySender(
            delivery -> {
              sent.add(delivery);
              return DeliverySender.accepted();
            },
            options);
  }

  private static void createDelivery(Engine engine) {
    engine.cancel(engine.submit(NewTask.of("job", 1)));
  }

  private List<DeliveryState> states() {
    return store.outbox().list(DeliveryFilter.all(), PageRequest.first(9)).deliveries().stream()
        .map(Delivery::state)
        .toList();
  }

  private void failSettle(RuntimeException failure) {
    beforeCall =
        call -> {
          if (call.equals("settle")) {
            throw failure;
          }
        };
  }

  @Test
  void a_result_that_cannot_be_written_frees_its_slot() {
    ManualEngine node =
        builderWith(ManualEngines.on(store, clock, ManualEngines.AT_ONCE), ONE_AT_ONCE)
            .buildManual();
    createDelivery(node.engine());
    createDelivery(node.engine());
    node.deliver();
    failSettle(new IllegalStateException("bug in the store"));
    node.deliver();
    beforeCall = call -> {};
    node.deliver();

    assertThat(sent).hasSize(2);
    assertThat(states()).containsExactlyInAnyOrder(DeliveryState.PENDING, DeliveryState.SENT);
  }

  @Test
  void a_result_is_written_when_the_store_is_available_again() {
    ManualEngine node =
        builderWith(ManualEngines.on(store, clock, ManualEngines.AT_ONCE), ONE_AT_ONCE)
            .buildManual();
    createDelivery(node.engine());
    node.deliver();
    failSettle(new StoreException("store is down", null, StoreException.ErrorKind.UNAVAILABLE));
    assertThatThrownBy(node::deliver).isInstanceOf(StoreException.class);
    beforeCall = call -> {};
    node.deliver();

    assertThat(sent).hasSize(1);
    assertThat(states()).containsExactly(DeliveryState.SENT);
  }

  /** An exception that cannot be classified, because reading its cause throws. */
  private static final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }
  }

  @Test
  void a_delivery_whose_failure_cannot_be_classified_frees_its_slot() {
    ManualEngine node =
        builderWith(ManualEngines.on(store, clock, ManualEngines.AT_ONCE), ONE_AT_ONCE)
            .deliverySender(
                delivery -> {
                  sent.add(delivery);
                  throw new UnreadableException();
                },
                ONE_AT_ONCE)
            .buildManual();
    createDelivery(node.engine());
    createDelivery(node.engine());
    node.deliver();
    node.deliver();
    node.deliver();

    assertThat(sent).hasSize(2);
    clock.advance(Duration.ofMinutes(1));
    node.deliver();
    assertThat(sent).hasSize(3).allMatch(delivery -> delivery.attempt() == 0);
  }

  @Test
  void reports_how_long_a_send_took() {
    List<Duration> sendTimes = new ArrayList<>();
    ManualEngine node =
        builderWith(ManualEngines.on(store, clock, ManualEngines.AT_ONCE), ONE_AT_ONCE)
            .deliverySender(
                delivery -> {
                  clock.advance(Duration.ofSeconds(3));
                  return DeliverySender.accepted();
                },
                ONE_AT_ONCE)
            .listener(
                new EngineListener() {
                  @Override
                  public void onDeliveryAttempted(
                      String trigger, DeliveryOutcome outcome, Duration took) {
                    sendTimes.add(took);
                  }
                })
            .buildManual();
    createDelivery(node.engine());
    node.deliver();
    clock.advance(Duration.ofSeconds(1));
    node.deliver();

    assertThat(sendTimes).containsExactly(Duration.ofSeconds(3));
  }

  @Test
  void a_lease_is_extended_after_a_third_of_its_time_until_the_send_timeout() {
    AtomicInteger extended = new AtomicInteger();
    beforeCall =
        call -> {
          if (call.equals("extendLeases")) {
            extended.incrementAndGet();
          }
        };
    // A send never ends, not even when it is interrupted.
    EngineExecutor neverEnds = (name, work) -> () -> {};
    ManualEngine node =
        builderWith(ManualEngines.on(store, clock, neverEnds), ONE_AT_ONCE).buildManual();
    createDelivery(node.engine());
    node.deliver();
    for (int second = 1; second < 120; second++) {
      clock.advance(Duration.ofSeconds(1));
      node.deliver();
    }
    assertThat(extended).as("every 7 s").hasValue(17);

    for (int second = 0; second < 20; second++) {
      clock.advance(Duration.ofSeconds(1));
      node.deliver();
    }
    assertThat(extended).as("not extended after the send timeout of two minutes").hasValue(17);
    assertThat(store.outbox().claim(1, Duration.ofMinutes(1)).deliveries()).hasSize(1);
  }

  @Test
  void a_delivery_claimed_while_the_node_stops_is_handed_back_unsent() throws Exception {
    CountDownLatch claiming = new CountDownLatch(1);
    CountDownLatch mayClaim = new CountDownLatch(1);
    Engine engine =
        builderWith(Engine.builder(store).pollInterval(Duration.ofMillis(5)), ONE_AT_ONCE).build();
    // There is no handler, so every claim is a claim of deliveries.
    beforeCall =
        call -> {
          if (call.equals("claim")) {
            claiming.countDown();
            awaitQuietly(mayClaim);
          }
        };
    engine.start();
    claiming.await();
    createDelivery(engine);
    Thread stopping = Thread.ofPlatform().daemon().start(() -> engine.stop(Duration.ofSeconds(20)));
    while (stopping.isAlive() && stopping.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    mayClaim.countDown();
    assertThat(stopping.join(Duration.ofSeconds(30))).isTrue();

    assertThat(sent.poll(50, TimeUnit.MILLISECONDS)).isNull();
    assertThat(store.outbox().claim(1, Duration.ofMinutes(1)).deliveries())
        .as("due at once for another node")
        .hasSize(1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupt) {
      throw new IllegalStateException(interrupt);
    }
  }
}
