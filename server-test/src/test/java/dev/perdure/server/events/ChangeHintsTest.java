// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChangeHintsTest {

  private static final UUID BATCH = new UUID(7, 7);

  private final ChangeHints hints = new ChangeHints();

  private static final UUID TASK = new UUID(9, 9);
  private static final String TASKS = "\"tasks\":[\"00000000-0000-0009-0000-000000000009\"]";

  @Test
  void names_at_most_20_tasks() {
    for (int i = 0; i < BoundedNames.MAX_NAMES; i++) {
      hints.add("mail", BATCH, new UUID(0, i));
    }
    assertThat(hints.json()).contains("\"tasks\":[");

    hints.add("mail", BATCH, TASK);
    assertThat(hints.json()).doesNotContain("tasks").contains("batches");
  }

  @Test
  void batches_schedules_and_nodes_have_events_of_their_own() {
    hints.addBatch(BATCH);
    hints.addSchedules();
    hints.addNodes();

    assertThat(hints.isEmpty()).isFalse();
    assertThat(hints.events())
        .isEqualTo(
            """
            event: batches
            data: {"batches":["00000000-0000-0007-0000-000000000007"]}

            event: schedules
            data: {}

            event: nodes
            data: {}

            """);
    hints.addBatch(null);
    assertThat(hints.events()).startsWith("event: batches\ndata: {}\n\n");
    hints.clear();
    assertThat(hints.events()).isEmpty();
  }

  @Test
  void reports_deliveries_besides_tasks() {
    hints.addDelivery();

    assertThat(hints.isEmpty()).isFalse();
    assertThat(hints.json())
        .isEqualTo("{\"kinds\":[],\"batches\":[],\"tasks\":[],\"deliveries\":true}");
    ChangeHints copy = new ChangeHints();
    copy.add(hints);
    hints.clear();
    assertThat(hints.isEmpty()).isTrue();
    assertThat(copy.json()).contains("deliveries");
  }

  @Test
  void lists_each_kind_and_batch_once() {
    hints.add("mail", BATCH, TASK);
    hints.add("mail", BATCH, TASK);
    hints.add("bill", BATCH, TASK);

    assertThat(hints.json())
        .isEqualTo(
            "{\"kinds\":[\"mail\",\"bill\"],\"batches\":[\"00000000-0000-0007-0000-000000000007\"],"
                + TASKS
                + "}");
  }

  @Test
  void lists_nothing_after_an_unknown_change() {
    hints.add("mail", BATCH, TASK);
    hints.addUnknownChange();
    hints.add("bill", BATCH, TASK);

    assertThat(hints.json()).isEqualTo("{}");
    assertThat(hints.isEmpty()).isFalse();
  }

  @Test
  void lists_no_batches_beyond_the_maximum() {
    for (int i = 0; i < BoundedNames.MAX_NAMES; i++) {
      hints.add("mail", new UUID(0, i), TASK);
    }
    assertThat(hints.json()).contains("batches");

    hints.add("mail", BATCH, TASK);
    assertThat(hints.json()).isEqualTo("{\"kinds\":[\"mail\"]," + TASKS + "}");
  }

  @Test
  void lists_no_kinds_beyond_the_maximum_after_a_merge() {
    ChangeHints others = new ChangeHints();
    for (int i = 0; i < BoundedNames.MAX_NAMES; i++) {
      hints.add("kind " + i, BATCH, TASK);
      others.add("other kind " + i, BATCH, TASK);
    }
    hints.add(others);

    assertThat(hints.json())
        .isEqualTo("{\"batches\":[\"00000000-0000-0007-0000-000000000007\"]," + TASKS + "}");
  }

  @Test
  void is_empty_at_first_and_after_clear() {
    assertThat(hints.isEmpty()).isTrue();
    hints.addUnknownChange();
    hints.clear();
    assertThat(hints.isEmpty()).isTrue();
  }
}
