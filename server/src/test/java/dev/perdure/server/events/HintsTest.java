// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class HintsTest {

  @Test
  void deliveries_are_told_beside_tasks() {
    Hints hints = new Hints();
    hints.addDelivery();

    assertThat(hints.isEmpty()).isFalse();
    assertThat(hints.json()).isEqualTo("{\"kinds\":[],\"batches\":[],\"deliveries\":true}");
    Hints told = new Hints();
    told.add(hints);
    hints.clear();
    assertThat(hints.isEmpty()).isTrue();
    assertThat(told.json()).contains("deliveries");
  }

  private static final UUID BATCH = new UUID(7, 7);

  private final Hints hints = new Hints();

  @Test
  void names_kinds_and_batches_once() {
    hints.add("mail", BATCH);
    hints.add("mail", BATCH);
    hints.add("bill", BATCH);

    assertThat(hints.json())
        .isEqualTo(
            "{\"kinds\":[\"mail\",\"bill\"],\"batches\":[\"00000000-0000-0007-0000-000000000007\"]}");
  }

  @Test
  void names_nothing_when_it_may_be_anything() {
    hints.add("mail", BATCH);
    hints.addAnything();
    hints.add("bill", BATCH);

    assertThat(hints.json()).isEqualTo("{}");
    assertThat(hints.isEmpty()).isFalse();
  }

  @Test
  void names_no_batch_when_there_are_many() {
    for (int i = 0; i < Hints.MOST_NAMED; i++) {
      hints.add("mail", new UUID(0, i));
    }
    assertThat(hints.json()).contains("batches");

    hints.add("mail", BATCH);
    assertThat(hints.json()).isEqualTo("{\"kinds\":[\"mail\"]}");
  }

  @Test
  void names_no_kind_when_there_are_many_also_from_elsewhere() {
    Hints others = new Hints();
    for (int i = 0; i < Hints.MOST_NAMED; i++) {
      hints.add("kind " + i, BATCH);
      others.add("other kind " + i, BATCH);
    }
    hints.add(others);

    assertThat(hints.json()).isEqualTo("{\"batches\":[\"00000000-0000-0007-0000-000000000007\"]}");
  }

  @Test
  void is_empty_when_nothing_happened_and_when_it_was_told() {
    assertThat(hints.isEmpty()).isTrue();
    hints.addAnything();
    hints.clear();
    assertThat(hints.isEmpty()).isTrue();
  }
}
