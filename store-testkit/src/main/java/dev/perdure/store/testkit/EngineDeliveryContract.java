// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.HoldFlags;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What an engine with a courier does. */
public abstract class EngineDeliveryContract extends EngineOnStore {

  private static final DeliveryOptions EAGER = DeliveryOptions.DEFAULT.withPolicy(AT_ONCE);

  private final BlockingQueue<Delivery> arriving = new LinkedBlockingQueue<>();
  private final BlockingQueue<DeliveryOutcome> outcomes = new LinkedBlockingQueue<>();

  protected EngineDeliveryContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  /** One that tells of every end, by this courier. */
  private EngineBuilder builderWith(DeliverySender deliverySender, DeliveryOptions options) {
    return builder()
        .deliveryPlanner(EngineDeliveryContract::planDeliveries)
        .deliverySender(deliverySender, options)
        .listener(
            new EngineListener() {
              @Override
              public void onDeliveryAttempted(
                  String trigger, DeliveryOutcome outcome, Duration took) {
                outcomes.add(outcome);
              }
            });
  }

  private static List<DeliveryMessage> planDeliveries(Task before, TaskChange taskChange) {
    return taskChange.to().isTerminal()
        ? List.of(new DeliveryMessage("on_" + taskChange.to().text(), before.id().toString()))
        : List.of();
  }

  private static Engine started(EngineBuilder builder) {
    Engine engine = builder.build();
    engine.register("mail", Mail.class, (mail, context) -> {});
    engine.start();
    return engine;
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private Delivery only() {
    return store.outbox().list(DeliveryFilter.all(), first()).deliveries().getFirst();
  }

  /** Notes what comes, and answers the first so many times like this. */
  private DeliverySender failing(int times, DeliverySender.SendOutcome sendOutcome) {
    AtomicInteger calls = new AtomicInteger();
    return delivery -> {
      arriving.add(delivery);
      return calls.getAndIncrement() < times ? sendOutcome : DeliverySender.accepted();
    };
  }

  @Test
  void a_courier_that_fails_is_sent_again_until_it_arrives() throws Exception {
    DeliverySender deliverySender =
        failing(3, DeliverySender.failed(Failure.http(503).withMessage("busy")));
    try (Engine telling = started(builderWith(deliverySender, EAGER))) {
      UUID id = telling.submit(NewTask.of("mail", MAIL));

      for (long attempt = 0; attempt < 4; attempt++) {
        Delivery delivery = next(arriving);
        assertThat(delivery.attempt()).isEqualTo(attempt);
        assertThat(delivery.message()).isEqualTo(new DeliveryMessage("on_success", id.toString()));
        assertThat(delivery.task()).isEqualTo(id);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      }
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
      assertThat(only().state()).isEqualTo(DeliveryState.SENT);
      assertThat(only().lastFailure()).isEqualTo(new Delivery.DeliveryFailure("http", 503, "busy"));
      assertThat(arriving).isEmpty();
    }
  }

  @Test
  void a_courier_that_goes_on_failing_leaves_a_dead_letter_that_can_be_sent_again()
      throws Exception {
    DeliverySender deliverySender =
        delivery -> {
          arriving.add(delivery);
          throw new IOException("no route");
        };
    try (Engine telling = started(builderWith(deliverySender, EAGER))) {
      telling.submit(NewTask.of("mail", MAIL));
      for (int i = 0; i < 3; i++) {
        assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      }
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.DEAD);
      Delivery dead = only();
      assertThat(dead.state()).isEqualTo(DeliveryState.DEAD);
      assertThat(dead.attempt()).isEqualTo(3);
      assertThat(dead.lastFailure())
          .isEqualTo(new Delivery.DeliveryFailure("exception", 0, "no route"));

      arriving.clear();
      assertThat(telling.redeliver(dead.id())).isTrue();
      assertThat(next(arriving).attempt()).isZero();
    }
  }

  @Test
  void a_permanent_failure_is_given_up_at_once() throws Exception {
    DeliverySender deliverySender =
        failing(9, DeliverySender.failed(Failure.http(410).withPermanent(true)));
    try (Engine telling = started(builderWith(deliverySender, EAGER))) {
      telling.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.DEAD);
    }
  }

  @Test
  void the_callee_says_when_to_come_again() throws Exception {
    Duration hint = Duration.ofHours(2);
    DeliverySender deliverySender =
        failing(1, DeliverySender.failed(Failure.http(429).withRetryAfter(hint)));
    try (Engine telling = started(builderWith(deliverySender, EAGER))) {
      telling.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      assertThat(untilDue(only())).isBetween(hint, hint.plusMinutes(1));
    }
  }

  @Test
  void the_callee_cannot_use_up_its_retries_by_asking_for_them() throws Exception {
    RetryPolicy tomorrow =
        RetryPolicy.fixed(Duration.ofDays(1)).jitter(Jitter.none()).maxRetries(3).build();
    DeliverySender deliverySender =
        failing(9, DeliverySender.failed(Failure.http(429).withRetryAfter(Duration.ZERO)));
    try (Engine telling = started(builderWith(deliverySender, EAGER.withPolicy(tomorrow)))) {
      telling.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      assertThat(untilDue(only())).isGreaterThanOrEqualTo(Duration.ofDays(1));
      assertThat(only().attempt()).isEqualTo(1);
    }
  }

  private static Duration untilDue(Delivery delivery) {
    return Duration.between(delivery.times().createdAt(), delivery.times().dueAt());
  }

  @Test
  void what_is_put_off_uses_up_nothing() throws Exception {
    DeliverySender deliverySender = failing(5, DeliverySender.deferred(Duration.ofMillis(2)));
    try (Engine telling =
        started(builderWith(deliverySender, EAGER.withPolicy(RetryPolicy.none())))) {
      telling.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
      assertThat(arriving).hasSize(6).allMatch(delivery -> delivery.attempt() == 0);
    }
  }

  @Test
  void no_more_are_under_way_than_allowed() throws Exception {
    Semaphore doors = new Semaphore(0);
    AtomicInteger inside = new AtomicInteger();
    List<Integer> most = new ArrayList<>();
    DeliverySender deliverySender =
        delivery -> {
          synchronized (most) {
            most.add(inside.incrementAndGet());
          }
          arriving.add(delivery);
          doors.acquire();
          inside.decrementAndGet();
          return DeliverySender.accepted();
        };
    try (Engine telling = started(builderWith(deliverySender, EAGER.withConcurrency(3)))) {
      for (int i = 0; i < 12; i++) {
        telling.submit(NewTask.of("mail", MAIL));
      }
      listener.awaitCount(TaskState.SUCCESS, 12);
      for (int i = 0; i < 3; i++) {
        next(arriving);
      }
      doors.release(12);
      for (int i = 0; i < 12; i++) {
        assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
      }
      assertThat(most).hasSize(12).allMatch(count -> count <= 3).contains(3);
    }
  }

  @Test
  void a_courier_that_is_away_for_too_long_is_interrupted() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    DeliverySender deliverySender =
        delivery -> {
          if (calls.getAndIncrement() == 0) {
            new CountDownLatch(1).await();
          }
          return DeliverySender.accepted();
        };
    try (Engine telling =
        started(builderWith(deliverySender, EAGER.withSendTimeout(Duration.ofSeconds(1))))) {
      telling.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
    }
  }

  @Test
  void a_node_that_stops_leaves_its_deliveries_to_others() throws Exception {
    Engine stops =
        started(
            builderWith(
                delivery -> {
                  arriving.add(delivery);
                  new CountDownLatch(1).await();
                  return DeliverySender.accepted();
                },
                EAGER));
    stops.submit(NewTask.of("mail", MAIL));
    Delivery brokenOff = next(arriving);
    stops.stop(Duration.ZERO);

    try (Engine next = started(builderWith(failing(0, DeliverySender.accepted()), EAGER))) {
      assertThat(next).isNotNull();
      Delivery again = next(arriving);
      assertThat(again.id()).isEqualTo(brokenOff.id());
      assertThat(again.attempt()).isZero();
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
    }
  }

  @Test
  void a_node_without_a_courier_only_writes() throws Exception {
    try (Engine mute = started(builder().deliveryPlanner(EngineDeliveryContract::planDeliveries))) {
      UUID id = mute.submit(NewTask.of("mail", MAIL));
      listener.awaitState(id, TaskState.SUCCESS);

      assertThat(only().epoch()).isZero();
    }
  }

  @Test
  void an_operators_cancel_is_told_too() throws Exception {
    try (Engine telling = started(builderWith(failing(0, DeliverySender.accepted()), EAGER))) {
      UUID id = telling.submit(NewTask.of("mail", MAIL).runIn(Duration.ofDays(1)));
      telling.cancel(id);

      assertThat(next(arriving).message().trigger()).isEqualTo("on_canceled");
    }
  }

  @Test
  void a_task_whose_announcer_breaks_is_parked_and_frees_its_slot() throws Exception {
    EngineBuilder broken =
        builder()
            .slots(1)
            .deliveryPlanner(
                (before, taskChange) -> {
                  throw new IllegalStateException("no template");
                });
    try (Engine parking = started(broken)) {
      UUID first = parking.submit(NewTask.of("mail", MAIL));
      UUID second = parking.submit(NewTask.of("mail", MAIL));
      listener.awaitState(first, TaskState.PENDING);
      listener.awaitState(second, TaskState.PENDING);

      assertThat(HoldFlags.isSet(task(first).hold(), HoldFlags.PARKED)).isTrue();
    }
  }
}
