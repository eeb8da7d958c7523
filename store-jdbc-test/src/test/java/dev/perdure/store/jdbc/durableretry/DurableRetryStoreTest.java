// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.durableretry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.engine.Engine;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.DurableRetry;
import dev.perdure.retry.HandedOverException;
import dev.perdure.retry.Retry;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.testing.RecordingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In-process retries that continue in an engine on an SQLite file. */
class DurableRetryStoreTest {

  record Order(int number) {}

  /** A value that cannot be serialized to JSON. */
  record Unwritable(String text) {
    @Override
    public String text() {
      throw new IllegalStateException("not for reading");
    }
  }

  /** Fails for a number of attempts and records the idempotency keys it was called with. */
  private static final class Payments {
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final int failures;

    Payments(int failures) {
      this.failures = failures;
    }

    String charge(Order order, String key) throws IOException {
      keys.add(key);
      if (keys.size() <= failures) {
        throw new IOException("out of order " + keys.size());
      }
      return "paid " + order.number();
    }
  }

  private static final Order ORDER = new Order(7);

  private final RecordingListener recordingListener = new RecordingListener();
  private @TempDir Path folder;
  private JdbcStore store;

  @BeforeEach
  void opens() {
    store = JdbcStore.open(url());
  }

  @AfterEach
  void closes() {
    store.close();
  }

  private String url() {
    return "sqlite:" + folder.resolve("perdure.db");
  }

  private static RetryPolicy every(Duration delay, int maxRetries) {
    return RetryPolicy.fixed(delay).jitter(Jitter.none()).maxRetries(maxRetries).build();
  }

  private Engine engine(Payments payments) {
    Engine engine =
        Engine.builder(store).listener(recordingListener).pollInterval(ofMillis(20)).build();
    engine.register(
        "charge",
        Order.class,
        (order, context) -> context.result(payments.charge(order, context.idempotencyKey())));
    return engine;
  }

  private static DurableRetry retry(RetryPolicy policy, Engine engine) {
    return Retry.of(policy).thenDurably(engine, "charge");
  }

  private static UUID handedOver(DurableRetry retry, Payments payments) {
    return catchThrowableOfType(
            HandedOverException.class,
            () -> retry.call(ORDER, context -> payments.charge(ORDER, context.idempotencyKey())))
        .taskId();
  }

  @Test
  void the_engine_continues_the_in_process_attempts() throws Exception {
    Payments payments = new Payments(4);
    try (Engine engine = engine(payments)) {
      engine.start();
      UUID id = handedOver(retry(every(ofMillis(20), 10), engine).maxInProcessRetries(2), payments);
      recordingListener.awaitState(id, TaskState.SUCCESS);

      assertThat(engine.find(id).orElseThrow().lastResult().result()).isEqualTo("\"paid 7\"");
      assertThat(payments.keys).hasSize(5);
      assertThat(Set.copyOf(payments.keys)).hasSize(1);
      List<Attempt> attempts = engine.attempts(id);
      assertThat(attempts).extracting(Attempt::number).containsExactly(0L, 1L, 2L, 3L, 4L);
      assertThat(attempts)
          .extracting(each -> each.details().message())
          .containsExactly(
              "out of order 1", "out of order 2", "out of order 3", "out of order 4", null);
      assertThat(attempts.getLast().details().outcome()).isEqualTo(AttemptOutcome.SUCCESS);
      assertThat(attempts.get(2).details().stack())
          .contains("DurableRetryStoreTest$Payments.charge");
    }
  }

  @Test
  void in_process_and_durable_attempts_share_the_retries() throws Exception {
    Payments payments = new Payments(100);
    try (Engine engine = engine(payments)) {
      engine.start();
      UUID id = handedOver(retry(every(ofMillis(20), 4), engine).maxInProcessRetries(1), payments);
      recordingListener.awaitState(id, TaskState.FAILURE);

      assertThat(payments.keys).hasSize(5);
      assertThat(engine.find(id).orElseThrow().lastResult().giveUpReason())
          .isEqualTo(TaskGiveUpReason.EXHAUSTED);
    }
  }

  @Test
  void the_delay_chosen_in_process_is_kept() {
    Payments payments = new Payments(100);
    try (Engine engine = engine(payments)) {
      UUID id = handedOver(retry(every(ofDays(3), 4), engine), payments);

      Task task = engine.find(id).orElseThrow();
      Attempt only = engine.attempts(id).getFirst();
      assertThat(payments.keys).hasSize(1);
      assertThat(task.state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(task.lastResult().failureReason()).isEqualTo("out of order 1");
      assertThat(Duration.between(only.endedAt(), task.times().dueAt()))
          .isBetween(ofDays(3), ofDays(3).plusMillis(2));
      assertThat(only.nextAttemptAt()).isEqualTo(only.endedAt().plus(ofDays(3)));
    }
  }

  /** The process dies after the submission; the next process that opens the file continues. */
  @Test
  void the_task_survives_the_process_that_submitted_it() throws Exception {
    Payments payments = new Payments(1);
    UUID id;
    try (Engine neverStarted = engine(payments)) {
      id = handedOver(retry(every(ofMillis(20), 4), neverStarted).maxInProcessRetries(0), payments);
    }
    store.close();
    store = JdbcStore.open(url());
    try (Engine next = engine(payments)) {
      next.start();
      recordingListener.awaitState(id, TaskState.SUCCESS);
      assertThat(next.attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L);
      assertThat(Set.copyOf(payments.keys)).hasSize(1);
    }
  }

  @Test
  void an_async_call_continues_in_the_engine_too() throws Exception {
    Payments payments = new Payments(1);
    try (Engine engine = engine(payments)) {
      engine.start();
      CompletableFuture<String> paid =
          retry(every(ofMillis(20), 4), engine)
              .maxInProcessRetries(0)
              .callAsync(
                  ORDER,
                  context ->
                      CompletableFuture.failedFuture(
                          catchThrowable(() -> payments.charge(ORDER, context.idempotencyKey()))));

      Throwable thrown = catchThrowable(paid::get).getCause();
      assertThat(thrown).isInstanceOf(HandedOverException.class);
      recordingListener.awaitState(((HandedOverException) thrown).taskId(), TaskState.SUCCESS);
      assertThat(payments.keys).hasSize(2);
    }
  }

  @Test
  void an_unavailable_store_does_not_hide_the_failure() {
    Payments payments = new Payments(100);
    Engine engine = engine(payments);
    store.close();

    Throwable thrown =
        catchThrowable(
            () ->
                retry(every(ofSeconds(1), 4), engine)
                    .maxInProcessRetries(0)
                    .call(ORDER, context -> payments.charge(ORDER, context.idempotencyKey())));

    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("out of order 1");
    assertThat(thrown.getSuppressed()[0]).isInstanceOf(StoreException.class);
  }

  @Test
  void a_payload_that_cannot_be_serialized_does_not_hide_the_failure() {
    Payments payments = new Payments(100);
    try (Engine engine = engine(payments)) {
      Throwable thrown =
          catchThrowable(
              () ->
                  retry(every(ofDays(1), 4), engine)
                      .call(new Unwritable("x"), context -> payments.charge(ORDER, "k")));

      assertThat(thrown).isInstanceOf(IOException.class);
      assertThat(thrown.getSuppressed()[0]).hasMessageContaining("payload");
      assertThat(engine.statistics().byState()).isEmpty();
    }
  }
}
