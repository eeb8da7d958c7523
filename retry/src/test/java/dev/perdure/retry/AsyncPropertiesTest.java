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
 * Properties of every asynchronous call, whatever happens to its attempts and whenever the caller
 * ends it: it ends once, no attempt follows the end, two attempts never overlap, and no timer is
 * left.
 */
class AsyncPropertiesTest {

  private static final int SEEDS = 3_000;

  @Test
  void every_call_ends_once_and_leaves_no_timer() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new CallScenario(seed).check();
    }
  }

  /** One call with random outcomes, delays and timeouts, and a caller that may end it early. */
  private static final class CallScenario {
    private final long seed;
    private final SplittableRandom random;
    private final AttemptScript script;
    private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    private final List<CompletableFuture<String>> attempts = new ArrayList<>();
    private final List<CompletableFuture<String>> futures = new ArrayList<>();
    // Not thrown in an attempt, where it would count as a failure of the attempt.
    private final List<String> violations = new ArrayList<>();
    private int completions;
    private int ends;

    CallScenario(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.script = AttemptScript.of(seed);
    }

    void check() {
      RetryBuilder builder =
          Retry.builder(script.policy())
              .timeProvider(time)
              .random(random.split())
              .resultClassifier(AttemptScript::classify)
              .listener(new EndCounter())
              .executor(task -> time.schedule(task, ofMillis(random.nextInt(3))));
      if (random.nextBoolean()) {
        builder.attemptTimeout(ofMillis(150));
      }
      CompletableFuture<String> future = builder.build().callAsyncWithContext(this::attempt);
      futures.add(future);
      CompletionStage<String> stage = future;
      stage.whenComplete((result, thrown) -> completions++);
      boolean endedByCaller = random.nextBoolean();
      if (endedByCaller) {
        time.schedule(() -> endByCaller(future), ofMillis(random.nextInt(5_000)));
      }
      time.advance(ofDays(1));

      assertThat(violations).as("seed %d", seed).isEmpty();
      assertThat(future).as("seed %d", seed).isDone();
      assertThat(completions).as("completions, seed %d", seed).isEqualTo(1);
      assertThat(ends).as("ends reported, seed %d", seed).isLessThanOrEqualTo(1);
      assertThat(endedByCaller || ends == 1).as("an end was reported, seed %d", seed).isTrue();
      assertThat(attempts).as("seed %d", seed).allMatch(CompletableFuture::isDone);
      assertThat(time.pending()).as("timers left, seed %d", seed).isZero();
    }

    private CompletionStage<String> attempt(RetryContext context) {
      if (futures.stream().anyMatch(CompletableFuture::isDone)) {
        violations.add("an attempt after the end");
      }
      if (!attempts.stream().allMatch(CompletableFuture::isDone)) {
        violations.add("two attempts at a time");
      }
      if (context.attempt() != attempts.size()) {
        violations.add("attempt " + context.attempt() + " after " + attempts.size());
      }
      AttemptScript.Outcome outcome = script.outcome(context.attempt());
      CompletableFuture<String> stage = new CompletableFuture<>();
      attempts.add(stage);
      if (random.nextInt(4) == 0 && outcome.thrown() instanceof RuntimeException thrown) {
        stage.cancel(false);
        throw thrown;
      }
      time.schedule(() -> end(stage, outcome), outcome.takes());
      return stage;
    }

    private void end(CompletableFuture<String> stage, AttemptScript.Outcome outcome) {
      if (outcome.thrown() == null) {
        stage.complete(outcome.result());
      } else {
        stage.completeExceptionally(outcome.thrown());
      }
    }

    private void endByCaller(CompletableFuture<String> future) {
      switch (random.nextInt(3)) {
        case 0 -> future.cancel(true);
        case 1 -> future.complete("never mind");
        default -> future.completeExceptionally(new TimeoutException("too long"));
      }
    }

    private final class EndCounter implements RetryListener {
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
