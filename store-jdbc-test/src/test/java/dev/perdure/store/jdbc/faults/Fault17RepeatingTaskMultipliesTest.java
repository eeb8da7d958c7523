// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: a repeating task submitted its next run when it ended. When that end could not be stored,
 * it ended again and submitted another one, so there were two chains; when its retries were
 * exhausted, it submitted none, and the chain was over.
 */
class Fault17RepeatingTaskMultipliesTest {

  private static final Duration EVERY = Duration.ofMinutes(5);
  private static final RetryPolicy TWO_RETRIES =
      RetryPolicy.fixed(Duration.ofSeconds(30)).jitter(Jitter.none()).maxRetries(2).build();

  private static Schedule create(ManualNode node, Overlap overlap) {
    return node.engine
        .schedules()
        .create(
            "import",
            Trigger.every(EVERY),
            Batch.of(TestCluster.task().retry(TWO_RETRIES)),
            ScheduleOptions.defaults().withOverlap(overlap));
  }

  private static List<Firing> firings(TestCluster cluster, Schedule schedule) {
    return cluster.store().schedules().firings(schedule.id(), 100).reversed();
  }

  /** One firing for each interval since the start, each with one task of its own. */
  private static void assertOneTaskPerInstant(
      TestCluster cluster, Schedule schedule, Instant start, int instants) {
    List<Firing> firings = firings(cluster, schedule);
    assertThat(firings).hasSize(instants);
    Set<UUID> batches = new HashSet<>();
    for (int i = 0; i < instants; i++) {
      assertThat(firings.get(i).scheduledFor()).isEqualTo(start.plus(EVERY.multipliedBy(i + 1L)));
      assertThat(firings.get(i).outcome()).isEqualTo(Firing.Outcome.FIRED);
      batches.add(firings.get(i).batch());
    }
    assertThat(cluster.all())
        .extracting(Task::batch)
        .containsExactlyInAnyOrderElementsOf(batches)
        .hasSize(instants);
  }

  @ParameterizedTest
  @EnumSource
  void fires_at_its_next_instant_after_its_retries_are_exhausted(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.FAILS);
      Instant start = cluster.clock.instant();
      Schedule schedule = create(node, Overlap.SKIP);
      for (int second = 0; second < 3 * EVERY.toSeconds(); second += 10) {
        cluster.advance(Duration.ofSeconds(10));
        node.loops.renew();
        node.loops.fireSchedules();
        node.claimAndRun();
      }
      cluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      node.claimAndRun();
      cluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      node.claimAndRun();

      assertOneTaskPerInstant(cluster, schedule, start, 3);
      assertThat(cluster.all())
          .allSatisfy(
              task -> {
                assertThat(task.state()).isEqualTo(TaskState.FAILURE);
                assertThat(cluster.attempts(task.id()))
                    .as("one attempt and two retries")
                    .hasSize(3);
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void does_not_multiply_when_its_result_cannot_be_stored(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      Instant start = cluster.clock.instant();
      Schedule schedule = create(node, Overlap.ALLOW);
      for (int i = 0; i < 3; i++) {
        cluster.advance(EVERY);
        node.loops.renew();
        node.loops.fireSchedules();
        node.loops.claim();
        node.workers.runAll();
        node.faults.loseResponseOf("apply");
        assertThatThrownBy(node.loops::settle).isInstanceOf(StoreException.class);
        node.loops.fireSchedules();
        node.settleAll();
      }

      assertOneTaskPerInstant(cluster, schedule, start, 3);
      assertThat(cluster.all())
          .allSatisfy(
              task -> {
                assertThat(task.state()).isEqualTo(TaskState.SUCCESS);
                assertThat(cluster.attempts(task.id())).hasSize(1);
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void does_not_multiply_when_the_answer_to_a_firing_is_lost(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode first = cluster.node(TestCluster.SUCCEEDS);
      ManualNode second = cluster.node(TestCluster.SUCCEEDS);
      Instant start = cluster.clock.instant();
      Schedule schedule = create(first, Overlap.ALLOW);
      for (int i = 0; i < 3; i++) {
        cluster.advance(EVERY);
        first.faults.loseResponseOf("fireDue");
        assertThatThrownBy(first.loops::fireSchedules).isInstanceOf(StoreException.class);
        first.loops.fireSchedules();
        second.loops.fireSchedules();
      }

      assertOneTaskPerInstant(cluster, schedule, start, 3);
    }
  }
}
