// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An execution of two nodes: the failed node is retried after 7 and 14 days, then the whole
 * execution after 30 days. Between all of these the process restarts.
 */
class ExecutionRetryTest {

  private static final Duration DAY = Duration.ofDays(1);

  private static final RetryPolicy NODE =
      policy(
          """
          {"retry_strategy": "custom", "max_attempts": 2, "custom_schedule": {"attempts": [
            {"attempt": 1, "delay_days": 7}, {"attempt": 2, "delay_days": 14}]}}""");

  private static final RetryPolicy EXECUTION =
      policy(
          """
          {"retry_strategy": "fixed_delay", "max_attempts": 1, "delay_seconds": 2592000}""");

  /** Notes when each payload ran; the loading node fails four times. */
  private static final class Nodes implements TaskHandler<String> {

    private final TestCluster cluster;
    private final List<String> ran = new ArrayList<>();
    private int failures;

    Nodes(TestCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void handle(String payload, TaskContext context) {
      ran.add(payload + " on day " + day(cluster.clock.instant()));
      if (payload.equals("load") && failures < 4) {
        failures++;
        throw context.fail("busy", "failure " + failures);
      }
    }

    private long day(Instant instant) {
      return Duration.between(FakeClock.START, instant).toDays();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_and_then_the_execution_are_retried_at_the_right_instants(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Nodes nodes = new Nodes(cluster);
      ManualNode first = cluster.node(nodes);
      UUID batch =
          first
              .engine
              .submit(
                  Batch.of(
                          NewTask.of(ManualNode.KIND, "extract").id("extract"),
                          NewTask.of(ManualNode.KIND, "load")
                              .id("load")
                              .after("extract")
                              .retry(NODE))
                      .retry(EXECUTION))
              .batch();
      run(first);
      for (int day = 1; day <= 80; day++) {
        cluster.advance(DAY);
        cluster.reopen();
        run(cluster.node(nodes));
      }

      assertThat(nodes.ran)
          .containsExactly(
              "extract on day 0",
              "load on day 0",
              "load on day 7",
              "load on day 21",
              "extract on day 51",
              "load on day 51",
              "load on day 58");
      BatchSummary summary = cluster.store().batches().find(batch).orElseThrow();
      assertThat(summary.runs())
          .extracting(BatchRun::outcome)
          .containsExactly(BatchOutcome.FAILURE, BatchOutcome.SUCCESS);
      assertThat(summary.runs().getFirst().failure().reason()).isEqualTo("failure 3");
      assertThat(messages(cluster))
          .as("every failure of both runs is kept")
          .containsExactlyInAnyOrder("failure 1", "failure 2", "failure 3", "failure 4");
    }
  }

  private static List<String> messages(TestCluster cluster) {
    return cluster.all().stream()
        .flatMap(task -> cluster.attempts(task.id()).stream())
        .map(Attempt::details)
        .map(details -> details.message())
        .filter(message -> message != null)
        .toList();
  }

  private static RetryPolicy policy(String json) {
    return PolicyJson.read(json);
  }

  private static void run(ManualNode node) {
    int work = 1;
    for (int i = 0; i < 100 && work > 0; i++) {
      work = node.loops.propagate() + node.loops.retryBatches() + node.claimAndRun();
    }
    assertThat(work).as("work that never ends").isZero();
  }
}
