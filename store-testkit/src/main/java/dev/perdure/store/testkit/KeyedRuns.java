// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Shared setup: batches of tasks with dedupe keys that run again. */
abstract class KeyedRuns extends KeyedTasks {

  static final BatchDefinition RETRIED =
      new BatchDefinition(
          null,
          null,
          "{\"max_retries\":2,\"backoff\":{\"type\":\"fixed\",\"delay\":\"1m\"}}",
          null,
          null,
          null);

  KeyedRuns(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Tries to start the run and returns its tasks. */
  List<UUID> startRun(DueRun run) {
    List<UUID> started = new ArrayList<>();
    int tasks =
        store
            .batches()
            .startRun(
                run,
                () -> {
                  started.add(ids.next(shard));
                  return started.getLast();
                });
    assertThat(started).hasSize(tasks);
    return started;
  }

  /** Submits a batch whose tasks are canceled at once, and makes its next run due. */
  Submission ended(BatchDefinition definition, String dependencies, String... keys) {
    Submission submission = graph(definition, dependencies, keys);
    assertThat(store.submit(submission).stored()).isEqualTo(keys.length);
    submission.tasks().stream().map(NewTaskRow::id).toList().reversed().forEach(this::cancel);
    propagate();
    return submission;
  }

  List<UUID> parents(UUID child) {
    return store.batches().parents(child, LIMIT).stream().map(ParentTask::id).toList();
  }

  DueRun endAndRetry(Submission submission) {
    return endAndRetry(submission, 1);
  }

  /** Ends the current run of a batch with a retry policy, whose next one is due at once. */
  DueRun endAndRetry(Submission submission, int next) {
    store.batches().completedRuns(LIMIT).stream()
        .filter(run -> run.batch().equals(submission.batch()))
        .forEach(
            run ->
                assertThat(
                        store
                            .batches()
                            .endRun(
                                new RunDecision(
                                    run.batch(),
                                    run.run(),
                                    run.version(),
                                    run.outcome(),
                                    null,
                                    null,
                                    Duration.ZERO,
                                    run.last(),
                                    List.of(),
                                    List.of())))
                    .isTrue());
    return new DueRun(submission.batch(), next);
  }
}
