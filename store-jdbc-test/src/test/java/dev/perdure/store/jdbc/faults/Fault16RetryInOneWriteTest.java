// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: a failure was written in two steps, first the state and then the due time of the retry. In
 * between the task was due, and another worker claimed it at once.
 */
class Fault16RetryInOneWriteTest {

  private static final Duration DELAY = Duration.ofDays(1);
  private static final RetryPolicy TOMORROW =
      RetryPolicy.fixed(DELAY).jitter(Jitter.none()).maxRetries(3).build();

  /** Fails every attempt and records the tasks it was called with. */
  private static final class Failing implements TaskHandler<String> {

    final Queue<UUID> seen = new ConcurrentLinkedQueue<>();

    @Override
    public void handle(String payload, TaskContext context) {
      seen.add(context.task().id());
      throw new IllegalStateException("attempt " + context.attempt());
    }
  }

  private static void assertWaitsForTomorrow(TestCluster cluster, Task task) {
    assertThat(task.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(task.times().dueAt()).isEqualTo(cluster.clock.instant().plus(DELAY));
    assertThat(task.retryCounters().attempt()).isOne();
    assertThat(task.epoch()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void the_task_is_never_claimable_while_its_failure_is_written(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Failing failing = new Failing();
      ManualNode node = cluster.node(failing);
      ManualNode greedy = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().retry(TOMORROW));
      node.loops.claim();
      node.workers.runAll();

      node.faults.around(() -> assertThat(greedy.loops.claim()).isZero());
      node.loops.settle();
      node.loops.renew();
      node.loops.expire();
      node.loops.reap();

      assertWaitsForTomorrow(cluster, cluster.find(id));
      assertThat(cluster.attempts(id))
          .extracting(Attempt::nextAttemptAt)
          .containsExactly(cluster.clock.instant().plus(DELAY));

      cluster.advance(DELAY.minusMillis(1));
      assertThat(cluster.node(TestCluster.SUCCEEDS).loops.claim()).isZero();
      cluster.advance(Duration.ofMillis(1));
      assertThat(cluster.node(TestCluster.SUCCEEDS).loops.claim()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timeout_is_a_single_write_too(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = cluster.node(slow);
      ManualNode greedy = cluster.node(TestCluster.SUCCEEDS);
      Duration timeout = Duration.ofSeconds(10);
      UUID id = node.engine.submit(TestCluster.task().retry(TOMORROW).timeout(timeout));
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();
      cluster.advance(timeout);

      node.faults.around(() -> assertThat(greedy.loops.claim()).isZero());
      node.loops.watch();
      node.workers.awaitAll();
      assertThat(node.loops.settle()).isOne();

      assertWaitsForTomorrow(cluster, cluster.find(id));
    }
  }

  @ParameterizedTest
  @EnumSource
  void concurrent_claims_never_get_a_retry_early(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      int tasks = 500;
      Failing failing = new Failing();
      Failing other = new Failing();
      ManualNode node = cluster.node(50, failing);
      ManualNode greedy = cluster.node(5, other);
      List<UUID> ids =
          node.engine.submitAll(TestCluster.tasks(tasks, TestCluster.task().retry(TOMORROW))).ids();

      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Integer> otherClaims =
          CompletableFuture.supplyAsync(
              () -> {
                int times = 0;
                for (boolean last = false; !last; times++) {
                  last = over.get();
                  greedy.claimAndRun();
                }
                return times;
              });
      for (int i = 0; i < tasks && failing.seen.size() + other.seen.size() < tasks; i++) {
        node.claimAndRun();
      }
      over.set(true);

      assertThat(otherClaims.get(60, TimeUnit.SECONDS)).isPositive();
      failing.seen.addAll(other.seen);
      assertThat(failing.seen).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(cluster.all())
          .hasSize(tasks)
          .allSatisfy(task -> assertWaitsForTomorrow(cluster, task));
    }
  }
}
