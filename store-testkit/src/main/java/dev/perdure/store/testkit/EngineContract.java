// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of an engine that runs tasks, retries them and settles them. */
public abstract class EngineContract extends EngineOnStore {

  private static final Duration SOON = Duration.ofMillis(30);

  protected EngineContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  @Test
  void runs_a_task_and_keeps_its_result() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          received.add(mail);
          context.result(List.of(mail.to(), context.attempt(), context.idempotencyKey()));
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL).name("hello"));
    listener.awaitState(id, TaskState.SUCCESS);

    assertThat(received).containsExactly(MAIL);
    Task task = task(id);
    assertThat(task.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(task.lastResult().result()).isEqualTo("[\"ada@example.org\",0,\"" + id + "\"]");
    assertThat(task.times().endedAt()).isNotNull();
    assertThat(engine.attempts(id))
        .singleElement()
        .satisfies(
            attempt -> assertThat(attempt.details().outcome()).isEqualTo(AttemptOutcome.SUCCESS));
  }

  @Test
  void retries_a_failed_task_and_keeps_every_attempt() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (context.attempt() < 2) {
            throw new IOException("line " + context.attempt());
          }
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL).retry(AT_ONCE));
    listener.awaitState(id, TaskState.SUCCESS);

    List<Attempt> attempts = engine.attempts(id);
    assertThat(attempts).extracting(Attempt::number).containsExactly(0L, 1L, 2L);
    assertThat(attempts)
        .extracting(attempt -> attempt.details().message())
        .containsExactly("line 0", "line 1", null);
    assertThat(attempts.getFirst().details().stack()).contains("java.io.IOException: line 0");
    assertThat(attempts.getFirst().details().exceptionTypes()).startsWith("java.io.IOException");
  }

  @Test
  void gives_up_with_the_policys_reason() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          throw new IllegalStateException("broken");
        });
    engine.start();

    UUID withoutPolicy = engine.submit(NewTask.of("mail", MAIL));
    UUID exhausted = engine.submit(NewTask.of("mail", MAIL).retry(AT_ONCE));
    listener.awaitState(withoutPolicy, TaskState.FAILURE);
    listener.awaitState(exhausted, TaskState.FAILURE);

    assertThat(task(withoutPolicy).lastResult().giveUpReason())
        .isEqualTo(TaskGiveUpReason.NO_POLICY);
    assertThat(task(exhausted).lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXHAUSTED);
    assertThat(task(exhausted).lastResult().failureReason()).isEqualTo("broken");
    assertThat(engine.attempts(exhausted)).hasSize(4);
  }

  @Test
  void applies_the_outcome_that_the_handler_throws() throws Exception {
    AtomicInteger snoozes = new AtomicInteger();
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          switch (mail.to()) {
            case "permanent" -> throw context.permanent("no such address");
            case "code" -> throw context.fail("no_slots", "nothing free");
            case "later" -> {
              if (context.attempt() == 0) {
                throw context.retryAfter(Duration.ofMillis(30), "busy");
              }
            }
            case "swallowed" -> {
              try {
                context.permanent("swallowed");
              } catch (RuntimeException ignored) {
                received.add("continued");
              }
            }
            default -> {
              if (snoozes.getAndIncrement() == 0) {
                throw context.snooze(Duration.ofMillis(30));
              }
            }
          }
        });
    engine.start();
    RetryPolicy slow = RetryPolicy.fixed(Duration.ofDays(1)).maxRetries(3).build();

    UUID permanent = engine.submit(NewTask.of("mail", to("permanent")).retry(slow));
    UUID code = engine.submit(NewTask.of("mail", to("code")).retry(slow));
    UUID later = engine.submit(NewTask.of("mail", to("later")).retry(slow));
    UUID snoozed = engine.submit(NewTask.of("mail", to("snoozed")).retry(slow));
    UUID swallowed = engine.submit(NewTask.of("mail", to("swallowed")).retry(slow));
    listener.awaitState(permanent, TaskState.FAILURE);
    listener.awaitState(code, TaskState.RETRY_PENDING);
    listener.awaitState(later, TaskState.SUCCESS);
    listener.awaitState(snoozed, TaskState.SUCCESS);
    listener.awaitState(swallowed, TaskState.FAILURE);

    assertThat(task(permanent).lastResult().giveUpReason())
        .isEqualTo(TaskGiveUpReason.NOT_RETRYABLE);
    assertThat(task(code).lastResult().failureCode()).isEqualTo("no_slots");
    assertThat(engine.attempts(later).getFirst().delay()).isEqualTo(Duration.ofMillis(30));
    assertThat(engine.attempts(snoozed)).extracting(Attempt::number).containsExactly(0L, 0L);
  }

  @Test
  void handler_options_override_the_policy() throws Exception {
    HandlerOptions options =
        HandlerOptions.defaults()
            .withRetryIf(failure -> !(failure instanceof IllegalArgumentException))
            .withBackoff((attempt, failure) -> Duration.ofMillis(10 + attempt));
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (mail.to().equals("bad")) {
            throw new IllegalArgumentException("bad");
          }
          throw new IOException("retryable");
        },
        options);
    engine.start();
    RetryPolicy slow = RetryPolicy.fixed(Duration.ofDays(1)).maxRetries(2).build();

    UUID bad = engine.submit(NewTask.of("mail", to("bad")).retry(slow));
    UUID good = engine.submit(NewTask.of("mail", to("good")).retry(slow));
    listener.awaitState(bad, TaskState.FAILURE);
    listener.awaitState(good, TaskState.FAILURE);

    assertThat(engine.attempts(bad)).hasSize(1);
    assertThat(engine.attempts(good))
        .extracting(Attempt::delay)
        .containsExactly(Duration.ofMillis(10), Duration.ofMillis(11), null);
  }

  @Test
  void parks_a_task_whose_payload_cannot_be_read() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> received.add(mail));
    engine.start();

    UUID unreadable = engine.submit(NewTask.of("mail", List.of("no mail")));
    UUID unknown = engine.submit(NewTask.of("fax", MAIL));
    UUID readable = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(unreadable, TaskState.PENDING);
    listener.awaitState(readable, TaskState.SUCCESS);

    assertThat(engine.tasks().list(TaskFilter.in(DisplayStatus.PARKED), first()).tasks())
        .extracting(TaskRow::id)
        .containsExactly(unreadable);
    assertThat(task(unreadable).lastResult().failureReason()).contains("cannot be read as Mail");
    assertThat(task(unknown).state()).isEqualTo(TaskState.PENDING);
    assertThat(engine.statistics().pendingByKind()).containsEntry("fax", 1L);
  }

  @Test
  void a_parked_task_runs_the_same_attempt_after_a_resume() throws Exception {
    AtomicBoolean able = new AtomicBoolean();
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (!able.get()) {
            throw context.park("the key is missing");
          }
        });
    engine.start();
    UUID id = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(id, TaskState.PENDING);

    assertThat(task(id).parked()).isTrue();
    assertThat(task(id).lastResult().failureReason()).isEqualTo("the key is missing");
    able.set(true);
    engine.resume(id);
    listener.awaitState(id, TaskState.SUCCESS);
    assertThat(engine.attempts(id)).extracting(Attempt::number).containsExactly(0L, 0L);
  }

  @Test
  void limits_the_concurrency_of_a_kind() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger max = new AtomicInteger();
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          max.accumulateAndGet(now.incrementAndGet(), Math::max);
          new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
          now.decrementAndGet();
        },
        HandlerOptions.concurrency(3));
    engine.start();

    engine.submitAll(IntStream.range(0, 200).mapToObj(i -> NewTask.of("mail", MAIL)).toList());
    listener.awaitCount(TaskState.SUCCESS, 200);

    assertThat(max.get()).isBetween(1, 3);
  }

  @Test
  void handler_options_see_the_unwrapped_exception() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (context.attempt() == 0) {
            throw new ExecutionException(new CompletionException(new IOException("line")));
          }
        },
        HandlerOptions.defaults()
            .withRetryIf(failure -> failure instanceof IOException)
            .withBackoff((attempt, failure) -> failure instanceof IOException ? SOON : null));
    engine.start();
    RetryPolicy slow = RetryPolicy.fixed(Duration.ofDays(1)).maxRetries(1).build();

    UUID id = engine.submit(NewTask.of("mail", MAIL).retry(slow));
    listener.awaitState(id, TaskState.SUCCESS);

    assertThat(engine.attempts(id).getFirst().delay()).isEqualTo(SOON);
    assertThat(engine.attempts(id).getFirst().details().message()).isEqualTo("line");
  }

  @Test
  void applies_thrown_outcomes_without_a_message() throws Exception {
    String none = new IllegalStateException().getMessage();
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          switch (mail.to()) {
            case "permanent" -> throw context.permanent(none);
            case "code" -> throw context.fail("no_slots", none);
            default -> {
              if (context.attempt() == 0) {
                throw context.retryAfter(SOON);
              }
            }
          }
        });
    engine.start();
    RetryPolicy slow = RetryPolicy.fixed(Duration.ofDays(1)).maxRetries(3).build();

    UUID permanent = engine.submit(NewTask.of("mail", to("permanent")).retry(slow));
    UUID code = engine.submit(NewTask.of("mail", to("code")).retry(slow));
    UUID later = engine.submit(NewTask.of("mail", to("later")).retry(slow));
    listener.awaitState(permanent, TaskState.FAILURE);
    listener.awaitState(code, TaskState.RETRY_PENDING);
    listener.awaitState(later, TaskState.SUCCESS);

    assertThat(task(permanent).lastResult().giveUpReason())
        .isEqualTo(TaskGiveUpReason.NOT_RETRYABLE);
    assertThat(task(permanent).lastResult().failureReason()).isNull();
    assertThat(task(code).lastResult().failureCode()).isEqualTo("no_slots");
    assertThat(engine.attempts(later).getFirst().delay()).isEqualTo(SOON);
  }

  @Test
  void refuses_a_snooze_of_zero() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          throw context.snooze(Duration.ZERO);
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(id, TaskState.FAILURE);

    assertThat(task(id).lastResult().failureReason()).startsWith("snooze: must be 1 ms or more");
  }

  @Test
  void settles_an_attempt_in_the_handlers_own_transaction() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          context.result("by hand");
          try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
            context.settleIn(openTransaction.transaction());
            received.add(task(context.task().id()).state());
            openTransaction.commit();
          }
          received.add(task(context.task().id()).state());
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL));

    assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(TaskState.RUNNING);
    assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(TaskState.SUCCESS);
    engine.stop(Duration.ofSeconds(30));
    assertThat(task(id).lastResult().result()).isEqualTo("\"by hand\"");
    assertThat(engine.attempts(id)).hasSize(1);
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_settle_that_the_handler_rolls_back_has_no_effect() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
            context.settleIn(openTransaction.transaction());
          }
          throw new IOException("rolled back");
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL));
    listener.awaitState(id, TaskState.FAILURE);

    assertThat(task(id).lastResult().failureReason()).isEqualTo("rolled back");
    assertThat(engine.attempts(id)).hasSize(1);
    assertThat(listener.stale()).isEmpty();
  }

  @Test
  void a_task_submitted_in_the_callers_transaction_exists_after_its_commit() {
    UUID id;
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      UUID never = engine.submit(NewTask.of("mail", MAIL), openTransaction.transaction());
      assertThat(engine.find(never)).isEmpty();
    }
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      id = engine.submit(NewTask.of("mail", MAIL), openTransaction.transaction());
      openTransaction.commit();
    }

    assertThat(engine.tasks().list(TaskFilter.all(), first()).tasks())
        .extracting(TaskRow::id)
        .containsExactly(id);
  }
}
