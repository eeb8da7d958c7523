// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.EndReason;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Instants were compared as text, so that those of another offset came hours early or late. The
 * machine's own zone is as odd as the offsets, and its clocks are about to go back.
 */
class Fault18InstantsAreNotTextTest {

  private static final Instant START = Instant.parse("2026-11-01T03:00:00Z");

  /** Their order as text is not the order of their instants, which is written here. */
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
  void puts_the_zone_back() {
    TimeZone.setDefault(zone);
  }

  private static Stage stage(Stores stores) {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    Stage stage = new Stage(stores);
    stage.clock.set(START);
    return stage;
  }

  /** In an order that is neither that of the instants nor that of the texts. */
  private static List<OffsetDateTime> shuffled() {
    List<OffsetDateTime> given = new ArrayList<>(IN_ORDER);
    given.sort(Comparator.comparing((OffsetDateTime at) -> at.toLocalTime()).reversed());
    return given;
  }

  @ParameterizedTest
  @EnumSource
  void each_is_due_at_its_instant_to_the_millisecond(Stores stores) {
    try (Stage stage = stage(stores)) {
      List<String> ran = new ArrayList<>();
      for (OffsetDateTime at : shuffled()) {
        stage
            .node(Stage.DOES_IT)
            .engine
            .submit(Stage.task().name(at.toString()).at(at.toInstant()));
      }

      for (OffsetDateTime at : IN_ORDER) {
        stage.clock.set(at.toInstant().minusMillis(1));
        assertThat(node(stage, ran).work()).as("just before %s", at).isZero();
        stage.clock.set(at.toInstant());
        assertThat(node(stage, ran).work()).as("at %s", at).isOne();
        assertThat(ran).last().isEqualTo(at.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void they_are_taken_in_the_order_of_their_instants(Stores stores) {
    try (Stage stage = stage(stores)) {
      List<String> ran = new ArrayList<>();
      StepNode submits = stage.node(Stage.DOES_IT);
      shuffled()
          .forEach(
              at -> submits.engine.submit(Stage.task().name(at.toString()).at(at.toInstant())));

      stage.clock.set(START.plus(Duration.ofDays(1)));
      assertThat(node(stage, ran).work()).isEqualTo(IN_ORDER.size());
      assertThat(ran).containsExactlyElementsOf(IN_ORDER.stream().map(String::valueOf).toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void each_is_shown_as_it_was_given(Stores stores) {
    try (Stage stage = stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      for (OffsetDateTime at : IN_ORDER) {
        Instant deadline = at.toInstant().plusMillis(7);
        UUID id = node.engine.submit(Stage.task().at(at.toInstant()).deadline(deadline));
        assertThat(stage.find(id).times().dueAt()).isEqualTo(at.toInstant());
        assertThat(stage.find(id).definition().deadline()).isEqualTo(deadline);
        assertThat(stage.find(id).times().createdAt()).isEqualTo(START);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_deadline_passes_at_its_instant_to_the_millisecond(Stores stores) {
    try (Stage stage = stage(stores)) {
      StepNode submits = stage.node(Stage.DOES_IT);
      Duration never = Duration.ofDays(100);
      for (OffsetDateTime at : shuffled()) {
        submits.engine.submit(Stage.task().name(at.toString()).in(never).deadline(at.toInstant()));
      }

      for (OffsetDateTime at : IN_ORDER) {
        stage.clock.set(at.toInstant().minusMillis(1));
        assertThat(stage.node(Stage.DOES_IT).does.expire()).as("just before %s", at).isZero();
        stage.clock.set(at.toInstant());
        assertThat(stage.node(Stage.DOES_IT).does.expire()).as("at %s", at).isOne();
      }
      assertThat(stage.all())
          .allSatisfy(
              task -> {
                assertThat(task.state()).isEqualTo(TaskState.FAILURE);
                assertThat(task.ending().giveUpReason()).isEqualTo(EndReason.EXPIRED);
                assertThat(task.times().endedAt()).isEqualTo(task.definition().deadline());
              });
    }
  }

  private static StepNode node(Stage stage, List<String> ran) {
    return stage.node((payload, context) -> ran.add(context.task().definition().name()));
  }
}
