// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.SampleTask;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunDeciderTest {

  private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");
  private static final UUID ID = new UUID(0, 1);
  private static final Duration HOUR = Duration.ofHours(1);

  private RunDecider decider = new RunDecider(DeliveryPlanner.NONE, shard -> ID);

  /** Decides about a failed run of a batch that runs again after an hour. */
  private RunDecision decide(@Nullable Instant deadline) {
    return decide(deadline, SampleTask.task(TaskState.FAILURE, null, RetryCounters.INITIAL));
  }

  private RunDecision decide(@Nullable Instant deadline, @Nullable Task failed) {
    String policy =
        """
        {"max_retries": 9, "backoff": {"type": "fixed", "delay": "1h"}, "jitter": "none"}""";
    return decider.decide(
        new CompletedRun(
            ID,
            0,
            0,
            new BatchDefinition(null, null, policy, null, null, null),
            NOW.minus(HOUR),
            null,
            false,
            BatchOutcome.FAILURE,
            failed,
            null,
            deadline,
            ID,
            NOW));
  }

  @Test
  void a_failed_batch_runs_again_as_its_policy_says() {
    assertThat(decide(null).delay()).isEqualTo(HOUR);
    assertThat(decide(Instant.MAX).delay()).isEqualTo(HOUR);
    assertThat(decide(NOW.plus(HOUR).plusMillis(1)).delay()).isEqualTo(HOUR);
  }

  @Test
  void the_planner_learns_when_a_batch_runs_again_and_why_it_gives_up() {
    List<String> asked = new ArrayList<>();
    decider = new RunDecider(new RecordingPlanner(asked), shard -> ID);

    RunDecision again = decide(null);
    RunDecision expired = decide(NOW.plus(HOUR));

    assertThat(asked).containsExactly("again in PT1H", "end for EXPIRED");
    assertThat(again.deliveries()).hasSize(1);
    assertThat(expired.deliveries()).hasSize(1);
  }

  private record RecordingPlanner(List<String> asked) implements DeliveryPlanner {

    @Override
    public List<DeliveryMessage> plan(Task before, TaskChange change) {
      return List.of();
    }

    @Override
    public List<DeliveryMessage> planBatchEnd(
        UUID batch,
        BatchDefinition definition,
        int run,
        BatchOutcome outcome,
        @Nullable RunFailure failure,
        @Nullable TaskGiveUpReason reason) {
      asked.add("end for " + reason);
      return List.of(new DeliveryMessage("on_failure", "{}"));
    }

    @Override
    public List<DeliveryMessage> planBatchRetry(
        UUID batch,
        BatchDefinition definition,
        int run,
        @Nullable RunFailure failure,
        Duration delay) {
      asked.add("again in " + delay);
      return List.of(new DeliveryMessage("on_retry", "{}"));
    }
  }

  @Test
  void a_batch_that_failed_because_of_another_batch_gives_up() {
    RunDecision decision = decide(null, null);

    assertThat(decision.delay()).isNull();
    assertThat(decision.giveUpReason()).isEqualTo(TaskGiveUpReason.NOT_RETRYABLE);
  }

  @Test
  void a_batch_gives_up_when_its_next_run_would_start_after_a_deadline() {
    for (Instant deadline :
        new Instant[] {NOW.plus(HOUR), NOW.plusMillis(1), NOW, NOW.minus(HOUR), Instant.MIN}) {
      RunDecision decision = decide(deadline);
      assertThat(decision.delay()).as("deadline %s", deadline).isNull();
      assertThat(decision.giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
    }
  }
}
