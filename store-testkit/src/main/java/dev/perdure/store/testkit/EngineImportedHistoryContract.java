// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Failure;
import dev.perdure.policy.HandOverRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of an engine for work that was first tried in process and then handed over. */
public abstract class EngineImportedHistoryContract extends EngineOnStore {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  protected EngineImportedHistoryContract(Supplier<StoreFixture> fixtures) {
    super(fixtures);
  }

  @Test
  void continues_after_the_imported_attempts() throws Exception {
    engine.register(
        "mail",
        Mail.class,
        (mail, context) -> {
          received.add(context.attempt() + " " + context.idempotencyKey());
          throw new IOException("line " + context.attempt());
        });
    engine.start();
    Throwable thrown = new IOException("line 1");
    List<FailedAttempt> before =
        List.of(
            priorFailure(0, Failure.timeout().withMessage("line 0"), null),
            priorFailure(1, Failure.exception(thrown), thrown));

    UUID id =
        engine.acceptHandOver(
            new HandOverRequest("mail", MAIL, AT_ONCE, "order-7", Duration.ofSeconds(9), before));
    listener.awaitState(id, TaskState.FAILURE);

    assertThat(received).containsExactly("2 order-7", "3 order-7");
    assertThat(task(id).lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXHAUSTED);
    List<Attempt> attempts = engine.attempts(id);
    assertThat(attempts).extracting(Attempt::number).containsExactly(0L, 1L, 2L, 3L);
    assertThat(attempts)
        .extracting(attempt -> attempt.details().message())
        .containsExactly("line 0", "line 1", "line 2", "line 3");
    assertThat(attempts.get(1).details().stack()).contains("java.io.IOException: line 1");
    assertThat(attempts.get(1).worker()).isEqualTo("in-process");
  }

  @Test
  void waits_for_the_rest_of_the_last_delay() {
    FailedAttempt before = priorFailure(0, Failure.timeout(), null);
    FailedAttempt slow =
        new FailedAttempt(1, Failure.timeout(), null, MINUTE, MINUTE, MINUTE.multipliedBy(60));

    UUID due =
        engine.acceptHandOver(
            new HandOverRequest("mail", MAIL, AT_ONCE, "k", MINUTE, List.of(before)));
    UUID later =
        engine.acceptHandOver(
            new HandOverRequest("mail", MAIL, AT_ONCE, "k", MINUTE, List.of(before, slow)));

    assertThat(task(due).times().dueAt()).isEqualTo(task(due).times().createdAt());
    assertThat(task(later).times().dueAt())
        .isEqualTo(task(later).times().createdAt().plus(Duration.ofMinutes(59)));
  }

  private static FailedAttempt priorFailure(
      long number, Failure failure, @Nullable Throwable thrown) {
    return new FailedAttempt(number, failure, thrown, MINUTE, MINUTE, Duration.ofSeconds(1));
  }
}
