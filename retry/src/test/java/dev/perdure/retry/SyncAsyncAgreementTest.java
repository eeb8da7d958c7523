// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.retry.testing.FakeTimeProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The same policy, chance and failures give the same attempts, delays and end, either way. */
class SyncAsyncAgreementTest {

  private static final int SEEDS = 2_000;

  @Test
  void sync_and_async_calls_go_the_same_way() {
    for (long seed = 0; seed < SEEDS; seed++) {
      assertThat(async(seed)).as("seed %d", seed).isEqualTo(sync(seed));
    }
  }

  private static Retry retry(long seed, FakeTimeProvider waits, List<String> story) {
    RetryBuilder builder =
        Retry.builder(AttemptScript.of(seed).policy())
            .timeProvider(waits)
            .random(new SplittableRandom(seed))
            .resultClassifier(AttemptScript::read)
            .executor(Runnable::run)
            .listener(new EventRecorder(story));
    if (seed % 3 == 0) {
      builder.timeLimit(ofSeconds(5));
    }
    if (seed % 4 == 0) {
      builder.budget(RetryBudget.of(0.1, 2));
    }
    return builder.build();
  }

  private static List<String> sync(long seed) {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    List<String> story = new ArrayList<>();
    AttemptScript attemptScript = AttemptScript.of(seed);
    try {
      String result =
          retry(seed, waits, story)
              .<String, Exception>callWithContext(
                  context -> {
                    AttemptScript.Outcome outcome = attemptScript.outcome(context.attempt());
                    story.add("attempt at " + waits.now());
                    waits.advance(outcome.takes());
                    if (outcome.thrown() instanceof Exception thrown) {
                      throw thrown;
                    }
                    return outcome.result();
                  });
      story.add("got " + result);
    } catch (Exception e) {
      story.add("thrown " + e + suppressed(e));
    }
    return story;
  }

  private static List<String> async(long seed) {
    FakeTimeProvider waits = FakeTimeProvider.startingAt(Instant.EPOCH);
    List<String> story = new ArrayList<>();
    AttemptScript attemptScript = AttemptScript.of(seed);
    CompletableFuture<String> future =
        retry(seed, waits, story)
            .callAsyncWithContext(
                context -> {
                  AttemptScript.Outcome outcome = attemptScript.outcome(context.attempt());
                  story.add("attempt at " + waits.now());
                  CompletableFuture<String> stage = new CompletableFuture<>();
                  waits.schedule(() -> end(stage, outcome), outcome.takes());
                  return stage;
                });
    waits.advance(ofDays(1));
    story.add(
        future.isCompletedExceptionally()
            ? "thrown " + future.exceptionNow() + suppressed(future.exceptionNow())
            : "got " + future.join());
    return story;
  }

  private static void end(CompletableFuture<String> stage, AttemptScript.Outcome outcome) {
    if (outcome.thrown() == null) {
      stage.complete(outcome.result());
    } else {
      stage.completeExceptionally(outcome.thrown());
    }
  }

  private static List<String> suppressed(Throwable thrown) {
    return List.of(thrown.getSuppressed()).stream().map(Throwable::toString).toList();
  }

  /** Writes down what a listener hears. */
  private record EventRecorder(List<String> lines) implements RetryListener {
    @Override
    public void onRetry(RetryEvent event) {
      lines.add(event.toString());
    }

    @Override
    public void onGiveUp(GiveUpEvent event) {
      lines.add(event.toString());
    }

    @Override
    public void onSuccess(SuccessEvent event) {
      lines.add(event.toString());
    }
  }
}
