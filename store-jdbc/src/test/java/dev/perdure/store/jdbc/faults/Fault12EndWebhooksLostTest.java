// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Courier;
import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.Engine;
import dev.perdure.engine.LeaseTimes;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.Sources;
import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Announcement;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.store.testkit.FakeClock;
import dev.perdure.store.testkit.StoreFixture;
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
  private static final class World implements AutoCloseable {

    final FakeClock clock = new FakeClock();
    final List<Delivery> calls = new ArrayList<>();
    private final StoreFixture fixture;
    private TaskStore store;
    private int processes;

    World(Stores stores) {
      fixture = stores.fixture();
      store = fixture.create(clock, 1);
    }

    /** A process that begins; nobody drives the one before any more. */
    Teller process(Courier.Answer answer) {
      if (processes++ > 0) {
        store.close();
        store = fixture.reopen();
      }
      return new Teller(this, answer);
    }

    Teller process() {
      return process(Courier.arrived());
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
  private static final class Teller {

    final Desk desk = new Desk();
    final ManualEngine does;

    Teller(World world, Courier.Answer answer) {
      Sources sources =
          new Sources(
              world.clock,
              () -> Duration.between(FakeClock.START, world.clock.instant()),
              new SplittableRandom(world.processes),
              desk);
      does =
          Engine.builder(world.store)
              .announcer(
                  (before, change) ->
                      List.of(
                          new Announcement("on_" + change.to().text(), "first"),
                          new Announcement("on_" + change.to().text(), "second")))
              .courier(
                  delivery -> {
                    world.calls.add(delivery);
                    return answer;
                  },
                  OPTIONS)
              .sources(sources)
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
  void who_died_after_the_commit_is_followed_by_who_calls(Stores stores) {
    try (World world = new World(stores)) {
      UUID id = world.process().doesOne();

      Teller next = world.process();
      assertThat(world.state(id)).isEqualTo(TaskState.SUCCESS);
      assertThat(world.calls).isEmpty();
      next.delivers();

      assertThat(world.calls)
          .extracting(call -> call.announcement())
          .containsExactlyInAnyOrder(
              new Announcement("on_success", "first"), new Announcement("on_success", "second"));
      assertThat(world.deliveries()).allMatch(one -> one.state() == DeliveryState.SENT);
      next.delivers();
      assertThat(world.calls).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_taken_and_not_sent_comes_again_after_its_lease(Stores stores) {
    try (World world = new World(stores)) {
      Teller dies = world.process();
      dies.doesOne();
      assertThat(dies.does.deliver()).isEqualTo(2);

      Teller next = world.process();
      world.clock.advance(OPTIONS.lease().minusMillis(1));
      next.delivers();
      assertThat(world.calls).isEmpty();
      world.clock.advance(Duration.ofMillis(1));
      next.delivers();

      assertThat(world.calls).hasSize(2);
      assertThat(world.deliveries())
          .allMatch(one -> one.state() == DeliveryState.SENT && one.attempt() == 0);
    }
  }

  /** Not only when it is called dead: by then the lease has run out. */
  @ParameterizedTest
  @EnumSource
  void what_a_courier_is_away_with_comes_again_soon_after_its_node_died(Stores stores) {
    try (World world = new World(stores)) {
      Teller dies = world.process();
      Teller other = new Teller(world, Courier.arrived());
      dies.doesOne();
      assertThat(dies.does.deliver()).isEqualTo(2);
      for (int seconds = 0; seconds < 60; seconds += 5) {
        world.clock.advance(Duration.ofSeconds(5));
        other.delivers();
        dies.does.deliver();
      }
      assertThat(world.calls).as("while the node lives").isEmpty();

      world.clock.advance(OPTIONS.lease());
      other.delivers();
      assertThat(world.calls).hasSize(2);
      assertThat(OPTIONS.lease()).isLessThanOrEqualTo(LeaseTimes.DEFAULT.validity());
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_sent_and_not_noted_is_sent_again_as_the_same_delivery(Stores stores) {
    try (World world = new World(stores)) {
      Teller dies = world.process();
      dies.doesOne();
      dies.does.deliver();
      dies.desk.runAll();
      assertThat(world.calls).hasSize(2);

      Teller next = world.process();
      world.clock.advance(OPTIONS.lease());
      next.delivers();

      assertThat(world.calls).hasSize(4);
      assertThat(world.calls.subList(2, 4))
          .extracting(Delivery::id)
          .containsExactlyInAnyOrderElementsOf(
              world.calls.subList(0, 2).stream().map(Delivery::id).toList());
      assertThat(world.deliveries()).allMatch(one -> one.state() == DeliveryState.SENT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_callee_that_was_away_is_called_for_days_before_it_is_given_up(Stores stores) {
    try (World world = new World(stores)) {
      Teller process = world.process(Courier.failed(Failure.http(503)));
      process.doesOne();
      for (int hours = 0; hours < 24 * 7; hours++) {
        process.delivers();
        world.clock.advance(Duration.ofHours(1));
      }

      assertThat(world.deliveries())
          .hasSize(2)
          .allMatch(one -> one.state() == DeliveryState.DEAD && one.attempt() == 7);
      assertThat(world.calls).hasSize(2 * 8);
      Teller next = world.process();
      world.deliveries().forEach(dead -> next.does.engine().outbox().redeliver(dead.id()));
      next.delivers();
      assertThat(world.deliveries()).allMatch(one -> one.state() == DeliveryState.SENT);
    }
  }
}
