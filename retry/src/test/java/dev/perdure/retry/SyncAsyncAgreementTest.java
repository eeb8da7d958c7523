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

/**
 * The same policy, random numbers and failures give the same attempts, delays and end,
 * synchronously and asynchronously.
 */
class SyncAsyncAgreementTest {

  private static final int SEEDS = 2_000;

  @Test
  void sync_and_async_calls_behave_the_same() {
    for (long seed = 0; seed < SEEDS; seed++) {
      assertThat(async(seed)).as("seed %d", seed).isEqualTo(sync(seed));
    }
  }

  private static Retry retry(long seed, FakeTimeProvider time, List<String> events) {
    RetryBuilder builder =
        Retry.builder(AttemptScript.of(seed).policy())
            .timeProvider(time)
            .random(new SplittableRandom(seed))
            .resultClassifier(AttemptScript::classify)
            .executor(Runnable::run)
            .listener(new EventRecorder(events));
    if (seed % 3 == 0) {
      builder.timeLimit(ofSeconds(5));
    }
    if (seed % 4 == 0) {
      builder.budget(RetryBudget.of(0.1, 2));
    }
    return builder.build();
  }

  private static List<String> sync(long seed) {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    List<String> events = new ArrayList<>();
    AttemptScript script = AttemptScript.of(seed);
    try {
      String result =
          retry(seed, time, events)
              .<String, Exception>callWithContext(
                  context -> {
                    AttemptScript.Outcome outcome = script.outcome(context.attempt());
                    events.add("attempt at " + time.now());
                    time.advance(outcome.takes());
                    if (outcome.thrown() instanceof Exception thrown) {
                      throw thrown;
                    }
                    return outcome.result();
                  });
      events.add("got " + result);
    } catch (Exception e) {
      events.add("thrown " + e + suppressed(e));
    }
    return events;
  }

  private static List<String> async(long seed) {
    FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);
    List<String> events = new ArrayList<>();
    AttemptScript script = AttemptScript.of(seed);
    CompletableFuture<String> future =
        retry(seed, time, events)
            .callAsyncWithContext(
                context -> {
                  AttemptScript.Outcome outcome = script.outcome(context.attempt());
                  events.add("attempt at " + time.now());
                  CompletableFuture<String> stage = new CompletableFuture<>();
                  time.schedule(() -> end(stage, outcome), outcome.takes());
                  return stage;
                });
    time.advance(ofDays(1));
    events.add(
        future.isCompletedExceptionally()
            ? "thrown " + future.exceptionNow() + suppressed(future.exceptionNow())
            : "got " + future.join());
    return events;
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

  /** Records listener events. */
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
