// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.QueueHandler;
import dev.perdure.engine.spi.DeliveryFilter;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskLifecycle;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What an engine does whose work is done by callees elsewhere. */
public abstract class EngineCalleeContract extends EngineOnStore {

  private static final String QUEUE = "perdure:call";
  private static final TaskLifecycle LIFECYCLE = new TaskLifecycle(LossLimit.DEFAULT);
  private static final NewTask CALL =
      NewTask.of("mail", MAIL).queue(QUEUE).timeout(Duration.ofMinutes(1));

  protected EngineCalleeContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  /** What happens before the callee takes the work over. */
  @FunctionalInterface
  private interface DuringCall {
    void happens(Engine there, Task task);
  }

  /** Does one task to the end of its second call; tells what was announced of that. */
  private List<String> called(DuringCall duringCall) throws Exception {
    Engine calling =
        builder()
            .deliveryPlanner(
                (before, taskChange) ->
                    taskChange.handsOff()
                        ? List.of(
                            new DeliveryMessage(
                                taskChange.event().name(),
                                String.valueOf(taskChange.cancelAction())))
                        : List.of())
            .build();
    QueueHandler handler =
        context -> {
          if (context.attempt() == 0) {
            throw context.fail(Failure.explicit("no luck"));
          }
          // By another node, of which the one that calls hears later.
          duringCall.happens(engine, context.task());
          received.add("called");
          throw context.handOff("{\"stop\": true}");
        };
    calling.registerQueue(QUEUE, handler, HandlerOptions.concurrency(1));
    calling.start();
    calling.submit(CALL.retry(RetryPolicy.immediate().maxRetries(1).build()));
    next(received);
    // It returns when everything is written.
    calling.stop(Duration.ofSeconds(30));
    return store.outbox().list(DeliveryFilter.all(), first()).deliveries().stream()
        .map(Delivery::message)
        .map(told -> told.trigger() + " " + told.request())
        .toList();
  }

  @Test
  void a_callee_that_ends_its_work_before_it_answers_is_not_late() throws Exception {
    List<String> told =
        called(
            (there, task) ->
                there
                    .remote()
                    .settle(task.id(), AttemptCredential.ofHandle(2), new Outcome.Succeeded("7")));

    assertThat(told).isEmpty();
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_callee_that_fails_before_it_answers_is_not_told_what_it_knows() throws Exception {
    Outcome failed = new Outcome.Failed(Failure.explicit("no luck"), null);
    List<String> told =
        called(
            (there, task) ->
                there.remote().settle(task.id(), AttemptCredential.ofHandle(2), failed));

    assertThat(told).isEmpty();
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_callee_that_takes_over_what_was_canceled_is_told_to_stop() throws Exception {
    List<String> told = called((there, task) -> there.cancel(task.id()));

    assertThat(told).containsExactly("HAND_OFF {\"stop\": true}");
    assertThat(listener.stale()).isEmpty();
  }

  private void write(TaskChange taskChange) {
    assertThat(store.apply(List.of(taskChange)).getFirst().applied()).isTrue();
  }

  @Test
  void a_callee_that_takes_over_what_was_silent_for_too_long_is_told_to_stop() throws Exception {
    Outcome silent = new Outcome.TimedOut();
    List<String> told =
        called((there, task) -> write(LIFECYCLE.settle(task, silent, Instant.now())));

    assertThat(told).containsExactly("HAND_OFF {\"stop\": true}");
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_callee_that_takes_over_what_is_past_its_deadline_is_told_to_stop() throws Exception {
    List<String> told = called((there, task) -> write(LIFECYCLE.expire(task)));

    assertThat(told).containsExactly("HAND_OFF {\"stop\": true}");
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_callee_that_takes_over_what_others_go_on_with_is_late() throws Exception {
    Outcome later = new Outcome.Snoozed(Duration.ofHours(1));
    List<String> told =
        called((there, task) -> write(LIFECYCLE.settle(task, later, Instant.now())));

    assertThat(told).isEmpty();
    assertThat(listener.stale()).hasSize(1);
  }

  @Test
  void work_that_is_entrusted_frees_its_slot_and_is_ended_by_the_callee() throws Exception {
    Engine calling = builder().build();
    calling.registerQueue(
        QUEUE,
        context -> {
          received.add(context.task());
          throw context.handOff("{\"stop\": true}");
        },
        HandlerOptions.concurrency(1));
    calling.register("mail", Mail.class, (mail, context) -> received.add("the wrong one"));
    calling.start();
    try (calling) {
      UUID first = calling.submit(CALL);
      UUID second = calling.submit(CALL);
      Task begun = (Task) next(received);
      assertThat(((Task) next(received)).id()).isNotEqualTo(begun.id());
      listener.awaitCount(TaskState.RUNNING, 2);

      Task entrusted = task(first);
      assertThat(entrusted.worker()).isNull();
      assertThat(entrusted.cancelAction()).isEqualTo("{\"stop\": true}");
      assertThat(entrusted.handleEpoch()).isEqualTo(1);
      assertThat(listener.changes()).extracting(TaskChange::event).containsOnly(TaskEvent.HAND_OFF);
      write(LIFECYCLE.settle(entrusted, new Outcome.Succeeded("7"), Instant.now()));
      calling.cancel(second);
      assertThat(task(first).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(task(second).state()).isEqualTo(TaskState.CANCELED);
      assertThat(received).isEmpty();
    }
  }

  @Test
  void a_callee_that_is_silent_costs_a_retry() throws Exception {
    NodeLeaseOptions usual = NodeLeaseOptions.DEFAULT;
    NodeLeaseOptions judgingAtOnce =
        new NodeLeaseOptions(
            usual.renewInterval(), usual.validity(), usual.stopAfter(), Duration.ZERO);
    Engine calling = builder().nodeLease(judgingAtOnce).build();
    calling.registerQueue(
        QUEUE,
        context -> {
          received.add(context.attempt());
          if (context.attempt() == 0) {
            throw context.handOff(null);
          }
          throw context.fail(Failure.http(404).withPermanent(true));
        },
        HandlerOptions.defaults());
    calling.start();
    try (calling) {
      UUID id =
          calling.submit(
              NewTask.of("mail", MAIL).queue(QUEUE).retry(AT_ONCE).timeout(Duration.ofSeconds(1)));

      listener.awaitState(id, TaskState.FAILURE);
      assertThat(received).containsExactly(0L, 1L);
      assertThat(calling.attempts(id))
          .extracting(record -> record.details().failureKind())
          .containsExactly("timeout", "http");
    }
  }
}
