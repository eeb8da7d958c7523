// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChangeHintsTest {

  private static final UUID BATCH = new UUID(7, 7);

  private final ChangeHints hints = new ChangeHints();

  @Test
  void reports_deliveries_besides_tasks() {
    hints.addDelivery();

    assertThat(hints.isEmpty()).isFalse();
    assertThat(hints.json()).isEqualTo("{\"kinds\":[],\"batches\":[],\"deliveries\":true}");
    ChangeHints copy = new ChangeHints();
    copy.add(hints);
    hints.clear();
    assertThat(hints.isEmpty()).isTrue();
    assertThat(copy.json()).contains("deliveries");
  }

  @Test
  void lists_each_kind_and_batch_once() {
    hints.add("mail", BATCH);
    hints.add("mail", BATCH);
    hints.add("bill", BATCH);

    assertThat(hints.json())
        .isEqualTo(
            "{\"kinds\":[\"mail\",\"bill\"],\"batches\":[\"00000000-0000-0007-0000-000000000007\"]}");
  }

  @Test
  void lists_nothing_after_an_unknown_change() {
    hints.add("mail", BATCH);
    hints.addUnknownChange();
    hints.add("bill", BATCH);

    assertThat(hints.json()).isEqualTo("{}");
    assertThat(hints.isEmpty()).isFalse();
  }

  @Test
  void lists_no_batches_beyond_the_maximum() {
    for (int i = 0; i < ChangeHints.MAX_NAMES; i++) {
      hints.add("mail", new UUID(0, i));
    }
    assertThat(hints.json()).contains("batches");

    hints.add("mail", BATCH);
    assertThat(hints.json()).isEqualTo("{\"kinds\":[\"mail\"]}");
  }

  @Test
  void lists_no_kinds_beyond_the_maximum_after_a_merge() {
    ChangeHints others = new ChangeHints();
    for (int i = 0; i < ChangeHints.MAX_NAMES; i++) {
      hints.add("kind " + i, BATCH);
      others.add("other kind " + i, BATCH);
    }
    hints.add(others);

    assertThat(hints.json()).isEqualTo("{\"batches\":[\"00000000-0000-0007-0000-000000000007\"]}");
  }

  @Test
  void is_empty_at_first_and_after_clear() {
    assertThat(hints.isEmpty()).isTrue();
    hints.addUnknownChange();
    hints.clear();
    assertThat(hints.isEmpty()).isTrue();
  }
}
