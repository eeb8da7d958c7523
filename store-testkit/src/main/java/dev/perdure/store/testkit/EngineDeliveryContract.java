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
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
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

/** The contract of an engine that sends deliveries. */
public abstract class EngineDeliveryContract extends EngineOnStore {

  private static final DeliveryOptions EAGER = DeliveryOptions.DEFAULT.withPolicy(AT_ONCE);

  private final BlockingQueue<Delivery> sent = new LinkedBlockingQueue<>();
  private final BlockingQueue<DeliveryOutcome> outcomes = new LinkedBlockingQueue<>();

  protected EngineDeliveryContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  /** Returns a builder of an engine that sends a delivery about every end of a task. */
  private EngineBuilder builderWith(DeliverySender sender, DeliveryOptions options) {
    return builder()
        .deliveryPlanner(EngineDeliveryContract::planDeliveries)
        .deliverySender(sender, options)
        .listener(
            new EngineListener() {
              @Override
              public void onDeliveryAttempted(
                  String trigger, DeliveryOutcome outcome, Duration took) {
                outcomes.add(outcome);
              }
            });
  }

  private static List<DeliveryMessage> planDeliveries(Task before, TaskChange change) {
    return change.to().isTerminal()
        ? List.of(new DeliveryMessage("on_" + change.to().text(), before.id().toString()))
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

  /** Creates a sender that records deliveries and returns the outcome this many times. */
  private DeliverySender failing(int times, DeliverySender.SendOutcome outcome) {
    AtomicInteger calls = new AtomicInteger();
    return delivery -> {
      sent.add(delivery);
      return calls.getAndIncrement() < times ? outcome : DeliverySender.accepted();
    };
  }

  @Test
  void a_failed_delivery_is_retried_until_it_is_sent() throws Exception {
    DeliverySender sender =
        failing(3, DeliverySender.failed(Failure.http(503).withMessage("busy")));
    try (Engine sending = started(builderWith(sender, EAGER))) {
      UUID id = sending.submit(NewTask.of("mail", MAIL));

      for (long attempt = 0; attempt < 4; attempt++) {
        Delivery delivery = next(sent);
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
      assertThat(sent).isEmpty();
    }
  }

  @Test
  void a_delivery_that_keeps_failing_becomes_a_dead_letter_that_can_be_redelivered()
      throws Exception {
    DeliverySender sender =
        delivery -> {
          sent.add(delivery);
          throw new IOException("no route");
        };
    try (Engine sending = started(builderWith(sender, EAGER))) {
      sending.submit(NewTask.of("mail", MAIL));
      for (int i = 0; i < 3; i++) {
        assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      }
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.DEAD);
      Delivery dead = only();
      assertThat(dead.state()).isEqualTo(DeliveryState.DEAD);
      assertThat(dead.attempt()).isEqualTo(3);
      assertThat(dead.lastFailure())
          .isEqualTo(new Delivery.DeliveryFailure("exception", 0, "no route"));

      sent.clear();
      assertThat(sending.redeliver(dead.id())).isTrue();
      assertThat(next(sent).attempt()).isZero();
    }
  }

  @Test
  void a_permanent_failure_becomes_a_dead_letter_at_once() throws Exception {
    DeliverySender sender =
        failing(9, DeliverySender.failed(Failure.http(410).withPermanent(true)));
    try (Engine sending = started(builderWith(sender, EAGER))) {
      sending.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.DEAD);
    }
  }

  @Test
  void retry_after_delays_the_next_attempt() throws Exception {
    Duration hint = Duration.ofHours(2);
    DeliverySender sender =
        failing(1, DeliverySender.failed(Failure.http(429).withRetryAfter(hint)));
    try (Engine sending = started(builderWith(sender, EAGER))) {
      sending.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      assertThat(untilDue(only())).isBetween(hint, hint.plusMinutes(1));
    }
  }

  @Test
  void retry_after_cannot_shorten_the_delay() throws Exception {
    RetryPolicy tomorrow =
        RetryPolicy.fixed(Duration.ofDays(1)).jitter(Jitter.none()).maxRetries(3).build();
    DeliverySender sender =
        failing(9, DeliverySender.failed(Failure.http(429).withRetryAfter(Duration.ZERO)));
    try (Engine sending = started(builderWith(sender, EAGER.withPolicy(tomorrow)))) {
      sending.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      assertThat(untilDue(only())).isGreaterThanOrEqualTo(Duration.ofDays(1));
      assertThat(only().attempt()).isEqualTo(1);
    }
  }

  private static Duration untilDue(Delivery delivery) {
    return Duration.between(delivery.times().createdAt(), delivery.times().dueAt());
  }

  @Test
  void a_deferred_delivery_uses_no_retry() throws Exception {
    DeliverySender sender = failing(5, DeliverySender.deferred(Duration.ofMillis(2)));
    try (Engine sending = started(builderWith(sender, EAGER.withPolicy(RetryPolicy.none())))) {
      sending.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
      assertThat(sent).hasSize(6).allMatch(delivery -> delivery.attempt() == 0);
    }
  }

  @Test
  void concurrent_deliveries_are_limited() throws Exception {
    Semaphore gate = new Semaphore(0);
    AtomicInteger active = new AtomicInteger();
    List<Integer> counts = new ArrayList<>();
    DeliverySender sender =
        delivery -> {
          synchronized (counts) {
            counts.add(active.incrementAndGet());
          }
          sent.add(delivery);
          gate.acquire();
          active.decrementAndGet();
          return DeliverySender.accepted();
        };
    try (Engine sending = started(builderWith(sender, EAGER.withConcurrency(3)))) {
      for (int i = 0; i < 12; i++) {
        sending.submit(NewTask.of("mail", MAIL));
      }
      listener.awaitCount(TaskState.SUCCESS, 12);
      for (int i = 0; i < 3; i++) {
        next(sent);
      }
      gate.release(12);
      for (int i = 0; i < 12; i++) {
        assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
      }
      assertThat(counts).hasSize(12).allMatch(count -> count <= 3).contains(3);
    }
  }

  @Test
  void a_delivery_is_created_at_the_instant_of_its_change() throws Exception {
    try (Engine sending = started(builderWith(failing(0, DeliverySender.accepted()), EAGER))) {
      UUID id = sending.submit(NewTask.of("mail", MAIL));
      Delivery delivery = next(sent);

      assertThat(delivery.times().createdAt())
          .isEqualTo(sending.find(id).orElseThrow().times().endedAt());
    }
  }

  @Test
  void a_delivery_that_exceeds_the_send_timeout_is_interrupted_and_timed_out() throws Exception {
    RetryPolicy retryTimeouts =
        RetryPolicy.immediate().maxRetries(1).retryOn(FailureMatcher.timeout()).build();
    DeliveryOptions options =
        DeliveryOptions.DEFAULT.withPolicy(retryTimeouts).withSendTimeout(Duration.ofSeconds(1));
    AtomicInteger calls = new AtomicInteger();
    DeliverySender sender =
        delivery -> {
          if (calls.getAndIncrement() == 0) {
            new CountDownLatch(1).await();
          }
          return DeliverySender.accepted();
        };
    try (Engine sending = started(builderWith(sender, options))) {
      sending.submit(NewTask.of("mail", MAIL));

      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.FAILED);
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
    }
  }

  @Test
  void a_stopping_node_leaves_its_deliveries_to_others() throws Exception {
    Engine stops =
        started(
            builderWith(
                delivery -> {
                  sent.add(delivery);
                  new CountDownLatch(1).await();
                  return DeliverySender.accepted();
                },
                EAGER));
    stops.submit(NewTask.of("mail", MAIL));
    Delivery interrupted = next(sent);
    stops.stop(Duration.ZERO);

    try (Engine next = started(builderWith(failing(0, DeliverySender.accepted()), EAGER))) {
      assertThat(next).isNotNull();
      Delivery again = next(sent);
      assertThat(again.id()).isEqualTo(interrupted.id());
      assertThat(again.attempt()).isZero();
      assertThat(next(outcomes)).isEqualTo(DeliveryOutcome.SENT);
    }
  }

  @Test
  void a_node_without_a_sender_only_writes_deliveries() throws Exception {
    try (Engine withoutSender =
        started(builder().deliveryPlanner(EngineDeliveryContract::planDeliveries))) {
      UUID id = withoutSender.submit(NewTask.of("mail", MAIL));
      listener.awaitState(id, TaskState.SUCCESS);

      assertThat(only().epoch()).isZero();
    }
  }

  @Test
  void a_canceled_task_sends_its_delivery() throws Exception {
    try (Engine sending = started(builderWith(failing(0, DeliverySender.accepted()), EAGER))) {
      UUID id = sending.submit(NewTask.of("mail", MAIL).runIn(Duration.ofDays(1)));
      sending.cancel(id);

      assertThat(next(sent).message().trigger()).isEqualTo("on_canceled");
    }
  }

  @Test
  void a_task_whose_delivery_planner_throws_is_parked_and_frees_its_slot() throws Exception {
    EngineBuilder broken =
        builder()
            .slots(1)
            .deliveryPlanner(
                (before, change) -> {
                  throw new IllegalStateException("no template");
                });
    try (Engine parking = started(broken)) {
      UUID first = parking.submit(NewTask.of("mail", MAIL));
      UUID second = parking.submit(NewTask.of("mail", MAIL));
      listener.awaitState(first, TaskState.PENDING);
      listener.awaitState(second, TaskState.PENDING);

      assertThat(task(first).parked()).isTrue();
    }
  }
}
