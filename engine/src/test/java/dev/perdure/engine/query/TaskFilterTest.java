// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.TaskFilter.SearchTerms;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TaskFilterTest {

  @Test
  void each_with_method_changes_only_its_own_field() {
    Instant after = Instant.parse("2026-03-01T12:00:00Z");
    Instant before = Instant.parse("2026-03-02T12:00:00Z");

    assertThat(
            TaskFilter.in(TaskState.FAILURE)
                .withStatuses(Set.of(DisplayStatus.PAUSED))
                .withKind("mail")
                .withKindContains("ai")
                .withName("for Ada")
                .withNameContains("ada")
                .withText("x")
                .withMetadata(Map.of("customer", 42))
                .withBatch(new UUID(1, 2))
                .withRun(3)
                .withFailureKind("timeout")
                .withGiveUpReason(TaskGiveUpReason.EXHAUSTED)
                .withStrategy("fixed")
                .withTimeout(Duration.ofSeconds(9))
                .withCreatedAfter(after)
                .withCreatedBefore(before)
                .withDueWithin(Duration.ofHours(1))
                .withError("9f2c41d07be3a815")
                .withFailureCode("busy")
                .withAttemptMin(2L)
                .withEndedAfter(after.plusSeconds(1))
                .withEndedBefore(after.plusSeconds(2))
                .withDueAfter(after.plusSeconds(3))
                .withDueBefore(after.plusSeconds(4))
                .withSchedule(new UUID(3, 4))
                .withWorker("w")
                .withParked(true))
        .isEqualTo(
            new TaskFilter(
                Set.of(TaskState.FAILURE),
                Set.of(DisplayStatus.PAUSED),
                Set.of("mail"),
                "for Ada",
                new SearchTerms("ai", "ada", "x", MetadataIndex.of(Map.of("customer", 42))),
                new UUID(1, 2),
                3,
                "timeout",
                TaskGiveUpReason.EXHAUSTED,
                "fixed",
                Duration.ofSeconds(9),
                after,
                before,
                Duration.ofHours(1),
                "9f2c41d07be3a815",
                "busy",
                2L,
                after.plusSeconds(1),
                after.plusSeconds(2),
                after.plusSeconds(3),
                after.plusSeconds(4),
                new UUID(3, 4),
                "w",
                true));
  }
}
