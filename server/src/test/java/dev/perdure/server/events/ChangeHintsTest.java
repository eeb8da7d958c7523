// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChangeHintsTest {

  @Test
  void deliveries_are_told_beside_tasks() {
    ChangeHints changeHints = new ChangeHints();
    changeHints.addDelivery();

    assertThat(changeHints.isEmpty()).isFalse();
    assertThat(changeHints.json()).isEqualTo("{\"kinds\":[],\"batches\":[],\"deliveries\":true}");
    ChangeHints told = new ChangeHints();
    told.add(changeHints);
    changeHints.clear();
    assertThat(changeHints.isEmpty()).isTrue();
    assertThat(told.json()).contains("deliveries");
  }

  private static final UUID BATCH = new UUID(7, 7);

  private final ChangeHints changeHints = new ChangeHints();

  @Test
  void names_kinds_and_batches_once() {
    changeHints.add("mail", BATCH);
    changeHints.add("mail", BATCH);
    changeHints.add("bill", BATCH);

    assertThat(changeHints.json())
        .isEqualTo(
            "{\"kinds\":[\"mail\",\"bill\"],\"batches\":[\"00000000-0000-0007-0000-000000000007\"]}");
  }

  @Test
  void names_nothing_when_it_may_be_anything() {
    changeHints.add("mail", BATCH);
    changeHints.addUnknownChange();
    changeHints.add("bill", BATCH);

    assertThat(changeHints.json()).isEqualTo("{}");
    assertThat(changeHints.isEmpty()).isFalse();
  }

  @Test
  void names_no_batch_when_there_are_many() {
    for (int i = 0; i < ChangeHints.MAX_NAMES; i++) {
      changeHints.add("mail", new UUID(0, i));
    }
    assertThat(changeHints.json()).contains("batches");

    changeHints.add("mail", BATCH);
    assertThat(changeHints.json()).isEqualTo("{\"kinds\":[\"mail\"]}");
  }

  @Test
  void names_no_kind_when_there_are_many_also_from_elsewhere() {
    ChangeHints others = new ChangeHints();
    for (int i = 0; i < ChangeHints.MAX_NAMES; i++) {
      changeHints.add("kind " + i, BATCH);
      others.add("other kind " + i, BATCH);
    }
    changeHints.add(others);

    assertThat(changeHints.json())
        .isEqualTo("{\"batches\":[\"00000000-0000-0007-0000-000000000007\"]}");
  }

  @Test
  void is_empty_when_nothing_happened_and_when_it_was_told() {
    assertThat(changeHints.isEmpty()).isTrue();
    changeHints.addUnknownChange();
    changeHints.clear();
    assertThat(changeHints.isEmpty()).isTrue();
  }
}
