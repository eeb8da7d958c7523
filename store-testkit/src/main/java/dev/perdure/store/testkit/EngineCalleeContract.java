// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.QueueHandler;
import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
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

/** The contract of an engine whose handlers hand off their work to callees. */
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

  /** Runs before the handler hands off its work. */
  @FunctionalInterface
  private interface DuringCall {
    void run(Engine otherNode, Task task);
  }

  /** Runs a task until its second call has ended, and returns the deliveries of that call. */
  private List<String> callTwice(DuringCall duringCall) throws Exception {
    Engine calling =
        builder()
            .deliveryPlanner(
                (before, change) ->
                    change.handsOff()
                        ? List.of(
                            new DeliveryMessage(
                                change.event().name(), String.valueOf(change.cancelAction())))
                        : List.of())
            .build();
    QueueHandler handler =
        context -> {
          if (context.attempt() == 0) {
            throw context.fail(Failure.explicit("no luck"));
          }
          // Another node does this, so that the calling node learns about it later.
          duringCall.run(engine, context.task());
          received.add("called");
          throw context.handOff("{\"stop\": true}");
        };
    calling.registerQueue(QUEUE, handler, HandlerOptions.concurrency(1));
    calling.start();
    calling.submit(CALL.retry(RetryPolicy.immediate().maxRetries(1).build()));
    next(received);
    // The stop returns when everything is written.
    calling.stop(Duration.ofSeconds(30));
    return store.outbox().list(DeliveryFilter.all(), first()).deliveries().stream()
        .map(Delivery::message)
        .map(message -> message.trigger() + " " + message.request())
        .toList();
  }

  @Test
  void a_callee_that_succeeds_before_it_responds_is_not_stale() throws Exception {
    List<String> delivered =
        callTwice(
            (otherNode, task) ->
                otherNode
                    .remote()
                    .settle(task.id(), AttemptCredential.ofHandle(2), new Outcome.Succeeded("7")));

    assertThat(delivered).isEmpty();
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_callee_that_fails_before_it_responds_gets_no_cancel() throws Exception {
    Outcome failed = new Outcome.Failed(Failure.explicit("no luck"), null);
    List<String> delivered =
        callTwice(
            (otherNode, task) ->
                otherNode.remote().settle(task.id(), AttemptCredential.ofHandle(2), failed));

    assertThat(delivered).isEmpty();
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_hand_off_of_a_canceled_task_cancels_the_callee() throws Exception {
    List<String> delivered = callTwice((otherNode, task) -> otherNode.cancel(task.id()));

    assertThat(delivered).containsExactly("HAND_OFF {\"stop\": true}");
    assertThat(listener.stale()).isEmpty();
  }

  private void write(TaskChange change) {
    assertThat(store.apply(List.of(change)).getFirst().applied()).isTrue();
  }

  @Test
  void a_hand_off_of_a_timed_out_task_cancels_the_callee() throws Exception {
    Outcome timedOut = new Outcome.TimedOut();
    List<String> delivered =
        callTwice((otherNode, task) -> write(LIFECYCLE.settle(task, timedOut, Instant.now())));

    assertThat(delivered).containsExactly("HAND_OFF {\"stop\": true}");
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_hand_off_of_an_expired_task_cancels_the_callee() throws Exception {
    List<String> delivered = callTwice((otherNode, task) -> write(LIFECYCLE.expire(task)));

    assertThat(delivered).containsExactly("HAND_OFF {\"stop\": true}");
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_hand_off_of_a_snoozed_task_is_stale() throws Exception {
    Outcome later = new Outcome.Snoozed(Duration.ofHours(1));
    List<String> delivered =
        callTwice((otherNode, task) -> write(LIFECYCLE.settle(task, later, Instant.now())));

    assertThat(delivered).isEmpty();
    assertThat(listener.stale()).hasSize(1);
  }

  @Test
  void a_hand_off_frees_the_slot_and_the_callee_ends_the_task() throws Exception {
    Engine calling = builder().build();
    calling.registerQueue(
        QUEUE,
        context -> {
          received.add(context.task());
          throw context.handOff("{\"stop\": true}");
        },
        HandlerOptions.concurrency(1));
    calling.register("mail", Mail.class, (mail, context) -> received.add("wrong handler"));
    calling.start();
    try (calling) {
      UUID first = calling.submit(CALL);
      UUID second = calling.submit(CALL);
      Task started = (Task) next(received);
      assertThat(((Task) next(received)).id()).isNotEqualTo(started.id());
      listener.awaitCount(TaskState.RUNNING, 2);

      Task handedOff = task(first);
      assertThat(handedOff.worker()).isNull();
      assertThat(handedOff.cancelAction()).isEqualTo("{\"stop\": true}");
      assertThat(handedOff.handleEpoch()).isEqualTo(1);
      assertThat(listener.changes()).extracting(TaskChange::event).containsOnly(TaskEvent.HAND_OFF);
      write(LIFECYCLE.settle(handedOff, new Outcome.Succeeded("7"), Instant.now()));
      calling.cancel(second);
      assertThat(task(first).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(task(second).state()).isEqualTo(TaskState.CANCELED);
      assertThat(received).isEmpty();
    }
  }

  @Test
  void an_inactive_callee_uses_a_retry() throws Exception {
    NodeLeaseOptions defaults = NodeLeaseOptions.DEFAULT;
    NodeLeaseOptions withoutGracePeriod =
        new NodeLeaseOptions(
            defaults.renewInterval(), defaults.validity(), defaults.stopAfter(), Duration.ZERO);
    Engine calling = builder().nodeLease(withoutGracePeriod).build();
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
