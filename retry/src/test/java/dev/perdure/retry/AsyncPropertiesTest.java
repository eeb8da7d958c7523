// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.retry.testing.FakeTimeProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to the attempts, and whenever the caller loses patience: one end, no attempt
 * after it, never two attempts at a time, and nothing left behind.
 */
class AsyncPropertiesTest {

  private static final int SEEDS = 3_000;

  @Test
  void every_course_ends_once_and_leaves_nothing_behind() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new CallScenario(seed).check();
    }
  }

  /** One call with random outcomes, delays, timeouts and an impatient caller. */
  private static final class CallScenario {
    private final long seed;
    private final SplittableRandom random;
    private final AttemptScript attemptScript;
    private final FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    private final List<CompletableFuture<String>> attempts = new ArrayList<>();
    private final List<CompletableFuture<String>> held = new ArrayList<>();
    // Not thrown in an attempt: there it would be a failure like any other.
    private final List<String> violations = new ArrayList<>();
    private int answers;
    private int ends;

    CallScenario(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.attemptScript = AttemptScript.of(seed);
    }

    void check() {
      RetryBuilder builder =
          Retry.builder(attemptScript.policy())
              .timeProvider(waits)
              .random(random.split())
              .resultClassifier(AttemptScript::read)
              .listener(new Ends())
              .executor(task -> waits.schedule(task, ofMillis(random.nextInt(3))));
      if (random.nextBoolean()) {
        builder.attemptTimeout(ofMillis(150));
      }
      CompletableFuture<String> future = builder.build().callAsyncWithContext(this::attempt);
      held.add(future);
      CompletionStage<String> stage = future;
      stage.whenComplete((result, thrown) -> answers++);
      boolean impatient = random.nextBoolean();
      if (impatient) {
        waits.schedule(() -> losePatience(future), ofMillis(random.nextInt(5_000)));
      }
      waits.advance(ofDays(1));

      assertThat(violations).as("seed %d", seed).isEmpty();
      assertThat(future).as("seed %d", seed).isDone();
      assertThat(answers).as("answers, seed %d", seed).isEqualTo(1);
      assertThat(ends).as("ends told, seed %d", seed).isLessThanOrEqualTo(1);
      assertThat(impatient || ends == 1).as("an end was told, seed %d", seed).isTrue();
      assertThat(attempts).as("seed %d", seed).allMatch(CompletableFuture::isDone);
      assertThat(waits.pending()).as("timers left, seed %d", seed).isZero();
    }

    private CompletionStage<String> attempt(RetryContext context) {
      if (held.stream().anyMatch(CompletableFuture::isDone)) {
        violations.add("an attempt after the end");
      }
      if (!attempts.stream().allMatch(CompletableFuture::isDone)) {
        violations.add("two attempts at a time");
      }
      if (context.attempt() != attempts.size()) {
        violations.add("attempt " + context.attempt() + " after " + attempts.size());
      }
      AttemptScript.Outcome outcome = attemptScript.outcome(context.attempt());
      CompletableFuture<String> stage = new CompletableFuture<>();
      attempts.add(stage);
      if (random.nextInt(4) == 0 && outcome.thrown() instanceof RuntimeException thrown) {
        stage.cancel(false);
        throw thrown;
      }
      waits.schedule(() -> end(stage, outcome), outcome.takes());
      return stage;
    }

    private void end(CompletableFuture<String> stage, AttemptScript.Outcome outcome) {
      if (outcome.thrown() == null) {
        stage.complete(outcome.result());
      } else {
        stage.completeExceptionally(outcome.thrown());
      }
    }

    private void losePatience(CompletableFuture<String> future) {
      switch (random.nextInt(3)) {
        case 0 -> future.cancel(true);
        case 1 -> future.complete("never mind");
        default -> future.completeExceptionally(new TimeoutException("too long"));
      }
    }

    private final class Ends implements RetryListener {
      @Override
      public void onGiveUp(GiveUpEvent event) {
        ends++;
      }

      @Override
      public void onSuccess(SuccessEvent event) {
        ends++;
      }
    }
  }
}
