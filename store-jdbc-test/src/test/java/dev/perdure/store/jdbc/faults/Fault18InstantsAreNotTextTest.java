// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: instants were compared as text, so those with another offset came hours early or late. The
 * test's own time zone is unusual too, and its clocks are about to change.
 */
@Isolated
class Fault18InstantsAreNotTextTest {

  private static final Instant START = Instant.parse("2026-11-01T03:00:00Z");

  /** In the order of their instants. Their order as text is different. */
  private static final List<OffsetDateTime> IN_ORDER =
      List.of(
          OffsetDateTime.parse("2026-11-01T18:00:00.001+14:00"), // 04:00:00.001Z
          OffsetDateTime.parse("2026-10-31T16:00:00.002-12:00"), // 04:00:00.002Z
          OffsetDateTime.parse("2026-11-01T09:45:00.010+05:45"), // 04:00:00.010Z
          OffsetDateTime.parse("2026-10-31T18:30:00.100-09:30"), // 04:00:00.100Z
          OffsetDateTime.parse("2026-11-01T05:30:00Z"), // 01:30 in New York, for the first time
          OffsetDateTime.parse("2026-11-01T06:29:59.999Z"),
          OffsetDateTime.parse("2026-11-01T01:30:00-05:00"), // 06:30Z, 01:30 for the second time
          OffsetDateTime.parse("2026-11-01T19:15:00.5+12:45")); // 06:30:00.5Z

  private final TimeZone zone = TimeZone.getDefault();

  @AfterEach
  void restore_time_zone() {
    TimeZone.setDefault(zone);
  }

  private static TestCluster clusterInNewYork(TestStore testStore) {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    TestCluster cluster = new TestCluster(testStore);
    cluster.clock.set(START);
    return cluster;
  }

  /** Returns the times ordered neither by instant nor by text. */
  private static List<OffsetDateTime> shuffled() {
    List<OffsetDateTime> times = new ArrayList<>(IN_ORDER);
    times.sort(Comparator.comparing((OffsetDateTime at) -> at.toLocalTime()).reversed());
    return times;
  }

  @ParameterizedTest
  @EnumSource
  void each_task_is_due_at_its_instant_to_the_millisecond(TestStore testStore) {
    try (TestCluster cluster = clusterInNewYork(testStore)) {
      List<String> ran = new ArrayList<>();
      for (OffsetDateTime at : shuffled()) {
        cluster
            .node(TestCluster.SUCCEEDS)
            .engine
            .submit(TestCluster.task().name(at.toString()).runAt(at.toInstant()));
      }

      for (OffsetDateTime at : IN_ORDER) {
        cluster.clock.set(at.toInstant().minusMillis(1));
        assertThat(node(cluster, ran).claimAndRun()).as("just before %s", at).isZero();
        cluster.clock.set(at.toInstant());
        assertThat(node(cluster, ran).claimAndRun()).as("at %s", at).isOne();
        assertThat(ran).last().isEqualTo(at.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasks_are_claimed_in_the_order_of_their_instants(TestStore testStore) {
    try (TestCluster cluster = clusterInNewYork(testStore)) {
      List<String> ran = new ArrayList<>();
      ManualNode submits = cluster.node(TestCluster.SUCCEEDS);
      shuffled()
          .forEach(
              at ->
                  submits.engine.submit(
                      TestCluster.task().name(at.toString()).runAt(at.toInstant())));

      cluster.clock.set(START.plus(Duration.ofDays(1)));
      assertThat(node(cluster, ran).claimAndRun()).isEqualTo(IN_ORDER.size());
      assertThat(ran).containsExactlyElementsOf(IN_ORDER.stream().map(String::valueOf).toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void each_instant_is_returned_unchanged(TestStore testStore) {
    try (TestCluster cluster = clusterInNewYork(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      for (OffsetDateTime at : IN_ORDER) {
        Instant deadline = at.toInstant().plusMillis(7);
        UUID id = node.engine.submit(TestCluster.task().runAt(at.toInstant()).deadline(deadline));
        assertThat(cluster.find(id).times().dueAt()).isEqualTo(at.toInstant());
        assertThat(cluster.find(id).definition().deadline()).isEqualTo(deadline);
        assertThat(cluster.find(id).times().createdAt()).isEqualTo(START);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_deadline_passes_at_its_instant_to_the_millisecond(TestStore testStore) {
    try (TestCluster cluster = clusterInNewYork(testStore)) {
      ManualNode submits = cluster.node(TestCluster.SUCCEEDS);
      Duration never = Duration.ofDays(100);
      for (OffsetDateTime at : shuffled()) {
        submits.engine.submit(
            TestCluster.task().name(at.toString()).runIn(never).deadline(at.toInstant()));
      }

      for (OffsetDateTime at : IN_ORDER) {
        cluster.clock.set(at.toInstant().minusMillis(1));
        assertThat(cluster.node(TestCluster.SUCCEEDS).loops.expire())
            .as("just before %s", at)
            .isZero();
        cluster.clock.set(at.toInstant());
        assertThat(cluster.node(TestCluster.SUCCEEDS).loops.expire()).as("at %s", at).isOne();
      }
      assertThat(cluster.all())
          .allSatisfy(
              task -> {
                assertThat(task.state()).isEqualTo(TaskState.FAILURE);
                assertThat(task.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
                assertThat(task.times().endedAt()).isEqualTo(task.definition().deadline());
              });
    }
  }

  private static ManualNode node(TestCluster cluster, List<String> ran) {
    return cluster.node((payload, context) -> ran.add(context.task().definition().name()));
  }
}
