// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.DeliveryIdGenerator;
import dev.perdure.engine.internal.PolicyCache;
import dev.perdure.engine.internal.SeededRandom;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Decides whether a batch runs again. Pure: the same run at the same instant gives the same
 * decision, except for the ids of the deliveries.
 */
final class RunDecider {

  private final DeliveryPlanner deliveryPlanner;
  private final DeliveryIdGenerator ids;
  private final PolicyCache policies = new PolicyCache();

  RunDecider(DeliveryPlanner deliveryPlanner, DeliveryIdGenerator ids) {
    this.deliveryPlanner = deliveryPlanner;
    this.ids = ids;
  }

  RunDecision decide(CompletedRun run) {
    if (run.outcome() != BatchOutcome.FAILURE) {
      return ended(run, null, null);
    }
    Task failed = run.failed();
    if (run.stopped() || failed == null) { // Another run could not help a failed outside parent.
      return ended(run, TaskGiveUpReason.NOT_RETRYABLE, null);
    }
    Duration age = Duration.between(run.firstStartedAt(), run.now());
    DecisionContext context =
        new DecisionContext(
            run.run(), age.isNegative() ? Duration.ZERO : age, run.now(), run.previousDelay());
    Decision decision =
        policies
            .read(run.definition().policy())
            .decide(context, failure(run, failed), SeededRandom.of(run.batch(), run.run()));
    return switch (decision) {
      case Decision.Retry retry ->
          startsTooLate(run, retry.delay())
              ? ended(run, TaskGiveUpReason.EXPIRED, null)
              : ended(run, null, retry.delay());
      case Decision.GiveUp giveUp -> ended(run, TaskGiveUpReason.of(giveUp.reason()), null);
    };
  }

  /** A deadline is the same in every run; tasks whose deadline has passed are never retried. */
  private static boolean startsTooLate(CompletedRun run, Duration delay) {
    Instant deadline = run.deadline();
    return deadline != null && delay.compareTo(Duration.between(run.now(), deadline)) >= 0;
  }

  private RunDecision ended(
      CompletedRun run, @Nullable TaskGiveUpReason reason, @Nullable Duration delay) {
    return new RunDecision(
        run.batch(),
        run.run(),
        run.version(),
        run.outcome(),
        runFailure(run),
        reason,
        delay,
        run.failed() == null ? run.last() : run.failed().id(),
        deliveries(run, reason, delay),
        delay == null ? followUps(run) : List.of());
  }

  /** Each in a batch of its own, whose context says what it follows. */
  private List<Submission> followUps(CompletedRun run) {
    String context =
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", run.batch().toString())
            .put("run", run.run())
            .put("outcome", run.outcome().text())
            .toString();
    int shard = Shards.of(run.batch());
    return FollowUpTasks.read(run.definition().followUps(), run.outcome()).stream()
        .map(
            task ->
                new Submission(
                    ids.next(shard),
                    new BatchDefinition(run.definition().name(), context),
                    List.of(new NewTaskRow(ids.next(shard), task, DueTime.now())),
                    List.of(),
                    null))
        .toList();
  }

  private List<NewDelivery> deliveries(
      CompletedRun run, @Nullable TaskGiveUpReason reason, @Nullable Duration delay) {
    BatchDefinition definition = run.definition();
    RunFailure failure = runFailure(run);
    List<DeliveryMessage> messages =
        delay == null
            ? deliveryPlanner.planBatchEnd(
                run.batch(), definition, run.run(), run.outcome(), failure, reason)
            : deliveryPlanner.planBatchRetry(run.batch(), definition, run.run(), failure, delay);
    int shard = Shards.of(run.batch());
    return messages.stream()
        .limit(DeliveryPlanner.MAX_DELIVERIES)
        .map(message -> new NewDelivery(ids.next(shard), message))
        .toList();
  }

  private static @Nullable RunFailure runFailure(CompletedRun run) {
    Task failed = run.failed();
    return failed == null
        ? null
        : new RunFailure(
            failed.id(), failed.lastResult().failureKind(), failed.lastResult().failureReason());
  }

  /** The failure as the policy of the batch sees it. */
  private static Failure failure(CompletedRun run, Task failed) {
    AttemptDetails details = run.failure();
    Failure recorded = details == null ? null : details.failure();
    if (recorded != null) {
      return recorded;
    }
    TaskGiveUpReason reason = failed.lastResult().giveUpReason();
    Failure unexplained = Failure.of(FailureKind.EXPLICIT);
    return reason == null ? unexplained : unexplained.withCode(reason.text());
  }
}
