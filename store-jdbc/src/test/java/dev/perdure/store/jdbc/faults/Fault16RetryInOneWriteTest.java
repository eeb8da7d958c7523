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
 * A failure was written in two steps, first the state and then the instant of the retry; between
 * them the task was due, and another worker took it at once.
 */
class Fault16RetryInOneWriteTest {

  private static final Duration DELAY = Duration.ofDays(1);
  private static final RetryPolicy TOMORROW =
      RetryPolicy.fixed(DELAY).jitter(Jitter.none()).maxRetries(3).build();

  /** Fails, and remembers whom it saw. */
  private static final class Failing implements TaskHandler<String> {

    final Queue<UUID> seen = new ConcurrentLinkedQueue<>();

    @Override
    public void handle(String payload, TaskContext context) {
      seen.add(context.task().id());
      throw new IllegalStateException("attempt " + context.attempt());
    }
  }

  private static void assertWaitsForTomorrow(Stage stage, Task task) {
    assertThat(task.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(task.times().dueAt()).isEqualTo(stage.clock.instant().plus(DELAY));
    assertThat(task.counting().attempt()).isOne();
    assertThat(task.epoch()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void nobody_gets_it_between_any_two_steps(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Failing failing = new Failing();
      StepNode node = stage.node(failing);
      StepNode greedy = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().retry(TOMORROW));
      node.does.claim();
      node.desk.runAll();

      node.line.around(() -> assertThat(greedy.does.claim()).isZero());
      node.does.settle();
      node.does.renew();
      node.does.expire();
      node.does.reap();

      assertWaitsForTomorrow(stage, stage.find(id));
      assertThat(stage.attempts(id))
          .extracting(Attempt::nextAt)
          .containsExactly(stage.clock.instant().plus(DELAY));

      stage.pass(DELAY.minusMillis(1));
      assertThat(stage.node(Stage.DOES_IT).does.claim()).isZero();
      stage.pass(Duration.ofMillis(1));
      assertThat(stage.node(Stage.DOES_IT).does.claim()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timeout_is_one_write_too(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient slow = Patient.obedient();
      StepNode node = stage.node(slow);
      StepNode greedy = stage.node(Stage.DOES_IT);
      Duration timeout = Duration.ofSeconds(10);
      UUID id = node.engine.submit(Stage.task().retry(TOMORROW).timeout(timeout));
      node.does.claim();
      node.desk.beginAll();
      slow.awaitBegun();
      stage.pass(timeout);

      node.line.around(() -> assertThat(greedy.does.claim()).isZero());
      node.does.watch();
      node.desk.awaitAll();
      assertThat(node.does.settle()).isOne();

      assertWaitsForTomorrow(stage, stage.find(id));
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobody_gets_one_of_many_however_often_he_asks(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      int tasks = 500;
      Failing failing = new Failing();
      Failing other = new Failing();
      StepNode node = stage.node(50, failing);
      StepNode greedy = stage.node(5, other);
      List<UUID> ids = node.engine.submit(Stage.tasks(tasks, Stage.task().retry(TOMORROW)));

      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Integer> hammering =
          CompletableFuture.supplyAsync(
              () -> {
                int times = 0;
                for (boolean last = false; !last; times++) {
                  last = over.get();
                  greedy.work();
                }
                return times;
              });
      for (int i = 0; i < tasks && failing.seen.size() + other.seen.size() < tasks; i++) {
        node.work();
      }
      over.set(true);

      assertThat(hammering.get(60, TimeUnit.SECONDS)).isPositive();
      failing.seen.addAll(other.seen);
      assertThat(failing.seen).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(stage.all())
          .hasSize(tasks)
          .allSatisfy(task -> assertWaitsForTomorrow(stage, task));
    }
  }
}
