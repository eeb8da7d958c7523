// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRefusedException;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The engine with its own threads and the real clock, on a store: what its users see. */
public abstract class EngineContract {

  /** A payload. */
  public record Mail(String to, int copies) {}

  private static final RetryPolicy AT_ONCE = RetryPolicy.immediate().maxRetries(3).build();
  private static final Mail MAIL = new Mail("ada@example.org", 2);

  private final StoreFixture fixture;
  private final TaskStore store;
  private final Heard heard = new Heard();
  private final BlockingQueue<Object> said = new LinkedBlockingQueue<>();
  private final Engine engine;

  protected EngineContract(Supplier<StoreFixture> fixtures) {
    fixture = fixtures.get();
    store = fixture.create(InstantSource.system(), 1);
    engine = builder().build();
  }

  private EngineBuilder builder() {
    return Engine.builder(store).listener(heard).poll(Duration.ofMillis(20));
  }

  @AfterEach
  void stops_and_closes() {
    engine.stop(Duration.ZERO);
    fixture.close();
  }

  @Test
  void runs_a_task_and_keeps_its_result() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          said.add(mail);
          context.result(List.of(mail.to(), context.attempt(), context.idempotencyKey()));
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL).name("hello"));
    heard.awaitState(id, TaskState.SUCCESS);

    assertThat(said).containsExactly(MAIL);
    Task task = task(id);
    assertThat(task.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(task.ending().result()).isEqualTo("[\"ada@example.org\",0,\"" + id + "\"]");
    assertThat(task.times().endedAt()).isNotNull();
    assertThat(engine.attempts(id))
        .singleElement()
        .satisfies(one -> assertThat(one.note().outcome()).isEqualTo(AttemptOutcome.SUCCESS));
  }

  @Test
  void tries_again_what_failed_and_keeps_every_attempt() throws Exception {
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
    heard.awaitState(id, TaskState.SUCCESS);

    List<Attempt> attempts = engine.attempts(id);
    assertThat(attempts).extracting(Attempt::number).containsExactly(0L, 1L, 2L);
    assertThat(attempts)
        .extracting(one -> one.note().message())
        .containsExactly("line 0", "line 1", null);
    assertThat(attempts.getFirst().note().stack()).contains("java.io.IOException: line 0");
    assertThat(attempts.getFirst().note().exceptionTypes()).startsWith("java.io.IOException");
  }

  @Test
  void gives_up_when_the_policy_does_and_says_why() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          throw new IllegalStateException("broken");
        });
    engine.start();

    UUID once = engine.submit(NewTask.of("mail", MAIL));
    UUID four = engine.submit(NewTask.of("mail", MAIL).retry(AT_ONCE));
    heard.awaitState(once, TaskState.FAILURE);
    heard.awaitState(four, TaskState.FAILURE);

    assertThat(task(once).ending().giveUpReason()).isEqualTo(EndReason.NO_POLICY);
    assertThat(task(four).ending().giveUpReason()).isEqualTo(EndReason.EXHAUSTED);
    assertThat(task(four).ending().failureReason()).isEqualTo("broken");
    assertThat(engine.attempts(four)).hasSize(4);
  }

  @Test
  void does_what_the_handler_says_about_its_end() throws Exception {
    AtomicInteger naps = new AtomicInteger();
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
                said.add("went on");
              }
            }
            default -> {
              if (naps.getAndIncrement() == 0) {
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
    heard.awaitState(permanent, TaskState.FAILURE);
    heard.awaitState(code, TaskState.RETRY_PENDING);
    heard.awaitState(later, TaskState.SUCCESS);
    heard.awaitState(snoozed, TaskState.SUCCESS);
    heard.awaitState(swallowed, TaskState.FAILURE);

    assertThat(task(permanent).ending().giveUpReason()).isEqualTo(EndReason.NOT_RETRYABLE);
    assertThat(task(code).ending().failureCode()).isEqualTo("no_slots");
    assertThat(engine.attempts(later).getFirst().delay()).isEqualTo(Duration.ofMillis(30));
    assertThat(engine.attempts(snoozed)).extracting(Attempt::number).containsExactly(0L, 0L);
  }

  @Test
  void asks_the_kind_before_it_asks_the_policy() throws Exception {
    HandlerOptions options =
        HandlerOptions.none()
            .withRetryIf(failure -> !(failure instanceof IllegalArgumentException))
            .withBackoff((attempt, failure) -> Duration.ofMillis(10 + attempt));
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (mail.to().equals("bad")) {
            throw new IllegalArgumentException("bad");
          }
          throw new IOException("good for two");
        },
        options);
    engine.start();
    RetryPolicy slow = RetryPolicy.fixed(Duration.ofDays(1)).maxRetries(2).build();

    UUID bad = engine.submit(NewTask.of("mail", to("bad")).retry(slow));
    UUID good = engine.submit(NewTask.of("mail", to("good")).retry(slow));
    heard.awaitState(bad, TaskState.FAILURE);
    heard.awaitState(good, TaskState.FAILURE);

    assertThat(engine.attempts(bad)).hasSize(1);
    assertThat(engine.attempts(good))
        .extracting(Attempt::delay)
        .containsExactly(Duration.ofMillis(10), Duration.ofMillis(11), null);
  }

  @Test
  void parks_what_it_cannot_read_and_goes_on_after_a_resume() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> said.add(mail));
    engine.start();

    UUID unreadable = engine.submit(NewTask.of("mail", List.of("no mail")));
    UUID unknown = engine.submit(NewTask.of("fax", MAIL));
    UUID readable = engine.submit(NewTask.of("mail", MAIL));
    heard.awaitState(unreadable, TaskState.PENDING);
    heard.awaitState(readable, TaskState.SUCCESS);

    assertThat(engine.tasks().list(TaskFilter.all().withHold(Hold.PARKED), first()).tasks())
        .extracting(Task::id)
        .containsExactly(unreadable);
    assertThat(engine.attempts(unreadable).getFirst().note().message()).contains("no Mail");
    assertThat(task(unknown).state()).isEqualTo(TaskState.PENDING);
    assertThat(engine.statistics().pendingByKind()).containsEntry("fax", 1L);
  }

  @Test
  void interrupts_the_handler_of_a_canceled_task() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    engine.register("mail", Mail.class, (mail, context) -> blockUntilInterrupted(began));
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL).retry(AT_ONCE));
    began.await();
    engine.cancel(id);

    assertThat(said.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
    heard.awaitStale();
    assertThat(task(id).state()).isEqualTo(TaskState.CANCELED);
    assertThat(engine.attempts(id))
        .extracting(one -> one.note().outcome())
        .containsExactly(AttemptOutcome.CANCELED);
    assertThatThrownBy(() -> engine.cancel(id))
        .isInstanceOf(TaskRefusedException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void interrupts_what_is_silent_and_spares_what_reports() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch reported = new CountDownLatch(1);
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          if (mail.to().equals("silent")) {
            blockUntilInterrupted(began);
          } else {
            for (int i = 1; i <= 20; i++) {
              context.progress(i, 20);
              reported.await(100, TimeUnit.MILLISECONDS);
            }
          }
        });
    engine.start();

    UUID silent = engine.submit(NewTask.of("mail", to("silent")).timeout(Duration.ofSeconds(1)));
    UUID busy = engine.submit(NewTask.of("mail", to("busy")).timeout(Duration.ofSeconds(1)));
    heard.awaitState(silent, TaskState.FAILURE);
    heard.awaitState(busy, TaskState.SUCCESS);

    assertThat(said.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
    assertThat(task(silent).ending().failureKind()).isEqualTo("timeout");
    assertThat(task(busy).progress().expected()).isEqualTo(20L);
  }

  @Test
  void fails_a_task_whose_deadline_passes() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> said.add(mail));
    engine.start();

    Instant past = Instant.parse("2020-01-01T00:00:00Z");
    UUID id = engine.submit(NewTask.of("mail", MAIL).in(Duration.ofDays(1)).deadline(past));
    heard.awaitState(id, TaskState.FAILURE);

    assertThat(task(id).ending().giveUpReason()).isEqualTo(EndReason.EXPIRED);
  }

  @Test
  void keeps_to_the_slots_of_a_kind() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
          now.decrementAndGet();
        },
        HandlerOptions.concurrency(3));
    engine.start();

    engine.submit(IntStream.range(0, 200).mapToObj(i -> NewTask.of("mail", MAIL)).toList());
    heard.awaitCount(TaskState.SUCCESS, 200);

    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void leaves_a_paused_task_alone_until_it_is_resumed() throws Exception {
    engine.register("mail", Mail.class, (mail, context) -> said.add(mail.to()));
    UUID paused = engine.submit(NewTask.of("mail", to("paused")));
    engine.pause(paused);
    engine.start();
    UUID other = engine.submit(NewTask.of("mail", to("other")));
    heard.awaitState(other, TaskState.SUCCESS);

    assertThat(task(paused).state()).isEqualTo(TaskState.PENDING);
    assertThat(task(paused).paused()).isTrue();
    engine.resume(paused);
    heard.awaitState(paused, TaskState.SUCCESS);
    assertThat(said).containsExactly("other", "paused");
  }

  @Test
  void brings_a_retry_forward_and_revives_what_failed() throws Exception {
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
    heard.awaitState(id, TaskState.RETRY_PENDING);
    engine.retryNow(id);
    heard.awaitState(id, TaskState.FAILURE);
    engine.revive(id);
    heard.awaitState(id, TaskState.SUCCESS);

    assertThat(engine.attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L, 2L);
    assertThatThrownBy(() -> engine.revive(id)).isInstanceOf(TaskRefusedException.class);
  }

  @Test
  void lets_handlers_finish_when_it_stops() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          began.countDown();
          go.await();
        });
    engine.start();
    UUID id = engine.submit(NewTask.of("mail", MAIL));
    began.await();
    Thread.ofVirtual().start(go::countDown);

    assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();

    assertThat(task(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(store.nodes().alive()).isEmpty();
  }

  @Test
  void hands_back_what_does_not_finish_and_another_node_does_it() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    engine.register("mail", Mail.class, (mail, context) -> blockUntilInterrupted(began));
    engine.start();
    UUID id = engine.submit(NewTask.of("mail", MAIL));
    began.await();

    assertThat(engine.stop(Duration.ofMillis(1))).isFalse();

    assertThat(task(id).state()).isEqualTo(TaskState.PENDING);
    assertThat(task(id).counting().attempt()).isZero();
    assertThat(task(id).counting().losses()).isZero();
    try (Engine other = builder().build()) {
      other.register("mail", Mail.class, (mail, context) -> said.add("other"));
      other.start();
      heard.awaitState(id, TaskState.SUCCESS);
    }
    assertThat(engine.attempts(id))
        .extracting(one -> one.note().outcome())
        .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
  }

  @Test
  void ends_an_attempt_in_the_handlers_own_transaction() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          context.result("by hand");
          context.settleIn(store);
          said.add(store.reader().find(context.task().id()).orElseThrow().state());
        });
    engine.start();

    UUID id = engine.submit(NewTask.of("mail", MAIL));

    assertThat(said.poll(30, TimeUnit.SECONDS)).isEqualTo(TaskState.SUCCESS);
    engine.stop(Duration.ofSeconds(30));
    assertThat(task(id).ending().result()).isEqualTo("\"by hand\"");
    assertThat(engine.attempts(id)).hasSize(1);
    assertThat(heard.stale()).isEmpty();
  }

  private void blockUntilInterrupted(CountDownLatch began) throws InterruptedException {
    began.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException interrupt) {
      said.add("interrupted");
      throw interrupt;
    }
  }

  private Task task(UUID id) {
    return engine.find(id).orElseThrow();
  }

  private static Mail to(String address) {
    return new Mail(address, 1);
  }

  private static dev.perdure.engine.store.PageRequest first() {
    return dev.perdure.engine.store.PageRequest.first(50);
  }
}
