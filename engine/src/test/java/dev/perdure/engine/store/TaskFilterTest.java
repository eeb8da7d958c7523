// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.TaskFilter.Search;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TaskFilterTest {

  @Test
  void every_field_has_a_copy_that_changes_nothing_else() {
    Instant after = Instant.parse("2026-03-01T12:00:00Z");
    Instant before = Instant.parse("2026-03-02T12:00:00Z");

    assertThat(
            TaskFilter.in(TaskState.FAILURE)
                .withHold(Hold.PAUSED)
                .withKind("mail")
                .withNameContains("ada")
                .withAnywhere("x")
                .withMetadata(Map.of("customer", 42))
                .withBatch(new UUID(1, 2))
                .withFailureKind("timeout")
                .withGiveUpReason(EndReason.EXHAUSTED)
                .withStrategy("fixed")
                .withCreatedAfter(after)
                .withCreatedBefore(before)
                .withDueWithin(Duration.ofHours(1)))
        .isEqualTo(
            new TaskFilter(
                Set.of(TaskState.FAILURE),
                Hold.PAUSED,
                "mail",
                new Search("ada", "x", Facets.of(Map.of("customer", 42))),
                new UUID(1, 2),
                "timeout",
                EndReason.EXHAUSTED,
                "fixed",
                after,
                before,
                Duration.ofHours(1)));
  }
}
