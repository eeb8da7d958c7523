// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The contract of an engine for operator actions and time: cancel, pause, revive, timeouts and
 * stopping.
 */
public abstract class EngineControlContract extends EngineOnStore {

  protected EngineControlContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  @Test
  void interrupts_the_handler_of_a_canceled_task() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    engine.register("mail", Mail.class, (mail, context) -> blockUntilInterrupted(started));
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL).retry(AT_ONCE));
    started.await();
    engine.cancel(id);

    assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
    assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();
    assertThat(task(id).state()).isEqualTo(TaskState.CANCELED);
    assertThat(engine.attempts(id))
        .extracting(item -> item.details().outcome())
        .containsExactly(AttemptOutcome.CANCELED);
    assertThat(listener.stale()).as("the node knows of the cancel and writes nothing").isEmpty();
  }

  @Test
  void interrupts_a_handler_on_another_node_before_its_next_renewal() throws Exception {
    NodeLeaseOptions rareRenewals =
        new NodeLeaseOptions(
            Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofMinutes(30), Duration.ZERO);
    CountDownLatch started = new CountDownLatch(1);
    Engine other = builder().nodeLease(rareRenewals).build();
    other.register("mail", Mail.class, (mail, context) -> blockUntilInterrupted(started));
    other.start();
    try (other) {
      UUID id = engine.submit(NewTask.of("mail", MAIL));
      started.await();
      engine.cancel(id);

      assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("interrupted");
    }
  }

  @Test
  void a_task_can_be_canceled_twice_but_not_after_it_has_ended() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(mail));
    UUID canceled = engine.submit(NewTask.of("mail", MAIL).runIn(Duration.ofDays(1)));
    engine.cancel(canceled);
    engine.cancel(canceled);
    engine.start();
    UUID done = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(done, TaskState.SUCCESS);

    assertThat(task(canceled).state()).isEqualTo(TaskState.CANCELED);
    assertThat(listener.changes()).filteredOn(item -> item.task().equals(canceled)).hasSize(1);
    assertThatThrownBy(() -> engine.cancel(done))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void only_attempts_without_heartbeats_time_out() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch reported = new CountDownLatch(1);
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (mail.to().equals("silent")) {
            blockUntilInterrupted(started);
          } else {
            for (int i = 1; i <= 20; i++) {
              context.progress(i, 20);
              reported.await(100, TimeUnit.MILLISECONDS);
            }
          }
        });
    engine.start();

    UUID silent = engine.submit(NewTask.of("mail", to("silent")).timeout(Duration.ofSeconds(1)));
    // If the whole machine stalls, one attempt can time out. If heartbeats had no effect, every
    // attempt would.
    UUID busy =
        engine.submit(NewTask.of("mail", to("busy")).timeout(Duration.ofSeconds(1)).retry(AT_ONCE));
    listener.awaitState(silent, TaskState.FAILURE);
    listener.awaitState(busy, TaskState.SUCCESS);

    assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
    assertThat(task(silent).lastResult().failureKind()).isEqualTo("timeout");
    assertThat(task(busy).progress().expected()).isEqualTo(20L);
  }

  @Test
  void fails_a_task_at_its_deadline() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(mail));
    engine.start();

    Instant past = Instant.parse("2020-01-01T00:00:00Z");
    UUID id = engine.submit(NewTask.of("mail", MAIL).runIn(Duration.ofDays(1)).deadline(past));
    listener.awaitState(id, TaskState.FAILURE);

    assertThat(task(id).lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
  }

  @Test
  void a_paused_task_does_not_run_until_it_is_resumed() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(mail.to()));
    UUID paused = engine.submit(NewTask.of("mail", to("paused")));
    engine.pause(paused);
    engine.start();
    UUID other = engine.submit(NewTask.of("mail", to("other")));
    listener.awaitState(other, TaskState.SUCCESS);

    assertThat(task(paused).state()).isEqualTo(TaskState.PENDING);
    assertThat(task(paused).paused()).isTrue();
    engine.resume(paused);
    listener.awaitState(paused, TaskState.SUCCESS);
    assertThat(received).containsExactly("other", "paused");
  }

  @Test
  void retries_now_and_revives_a_failed_task() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (context.attempt() < 2) {
            throw new IOException("not yet");
          }
        });
    engine.start();
    RetryPolicy once = RetryPolicy.fixed(Duration.ofDays(1)).maxRetries(1).build();

    UUID id = engine.submit(NewTask.of("mail", MAIL).retry(once));
    listener.awaitState(id, TaskState.RETRY_PENDING);
    engine.retryNow(id);
    listener.awaitState(id, TaskState.FAILURE);
    engine.revive(id);
    listener.awaitState(id, TaskState.SUCCESS);

    assertThat(engine.attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L, 2L);
    assertThatThrownBy(() -> engine.revive(id)).isInstanceOf(IllegalTransitionException.class);
  }

  @Test
  void a_task_that_waits_for_its_time_can_be_rescheduled() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(mail.to()));
    engine.start();
    UUID sooner = engine.submit(NewTask.of("mail", to("sooner")).runIn(Duration.ofDays(1)));
    UUID now = engine.submit(NewTask.of("mail", to("now")).runIn(Duration.ofDays(1)));

    engine.reschedule(sooner, task(sooner).times().createdAt());
    engine.retryNow(now);

    listener.awaitState(sooner, TaskState.SUCCESS);
    listener.awaitState(now, TaskState.SUCCESS);
    assertThatThrownBy(() -> engine.reschedule(now, Instant.EPOCH))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void retrying_a_task_that_is_due_keeps_its_place_in_the_queue() {
    UUID id = engine.submit(NewTask.of("mail", MAIL).runAt(Instant.EPOCH));

    engine.retryNow(id);

    assertThat(task(id).times().dueAt()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void waits_for_handlers_when_it_stops() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          started.countDown();
          go.await();
        });
    engine.start();
    UUID id = engine.submit(NewTask.of("mail", MAIL));
    started.await();
    Thread.ofVirtual().start(go::countDown);

    assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();

    assertThat(task(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(store.nodes().alive()).isEmpty();
  }

  @Test
  void hands_back_attempts_that_a_stop_interrupts() throws Exception {
    CountDownLatch started = new CountDownLatch(3);
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          try {
            blockUntilInterrupted(started);
          } catch (InterruptedException interrupt) {
            switch (mail.to()) {
              case "hands back" -> throw context.handBack();
              case "checks for a stop" -> received.add(context.stopping());
              default -> Thread.currentThread().interrupt();
            }
          }
        });
    engine.start();
    List<UUID> ids =
        engine
            .submitAll(
                List.of(
                    NewTask.of("mail", to("hands back")),
                    NewTask.of("mail", to("checks for a stop")),
                    NewTask.of("mail", to("keeps the interrupt flag"))))
            .ids();
    started.await();

    assertThat(engine.stop(Duration.ofMillis(1))).isFalse();

    for (UUID id : ids) {
      assertThat(task(id).state()).isEqualTo(TaskState.PENDING);
      assertThat(engine.attempts(id))
          .extracting(item -> item.details().outcome())
          .containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @Test
  void a_handler_can_hand_back_only_during_a_stop() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          throw context.handBack();
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(id, TaskState.FAILURE);

    assertThat(task(id).lastResult().failureReason()).contains("snooze instead");
  }

  @Test
  void await_stop_returns_after_the_stop() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(mail));
    engine.start();
    CompletableFuture<Void> program =
        CompletableFuture.runAsync(
            () -> {
              try {
                engine.awaitStop();
              } catch (InterruptedException interrupt) {
                throw new CancellationException();
              }
            });
    UUID id = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(id, TaskState.SUCCESS);

    assertThat(program).isNotDone();
    engine.stop(Duration.ofSeconds(30));
    assertThat(program).succeedsWithin(Duration.ofSeconds(30));
  }

  @Test
  void another_node_completes_a_task_that_was_handed_back() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    engine.register("mail", Mail.class, (mail, context) -> blockUntilInterrupted(started));
    engine.start();
    UUID id = engine.submit(NewTask.of("mail", MAIL));
    started.await();

    assertThat(engine.stop(Duration.ofMillis(1))).isFalse();

    assertThat(task(id).state()).isEqualTo(TaskState.PENDING);
    assertThat(task(id).retryCounters().attempt()).isZero();
    assertThat(task(id).retryCounters().losses()).isZero();
    try (Engine other = builder().build()) {
      other.register("mail", Mail.class, (mail, context) -> received.add("other"));
      other.start();
      listener.awaitState(id, TaskState.SUCCESS);
    }
    assertThat(engine.attempts(id))
        .extracting(item -> item.details().outcome())
        .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
  }
}
