// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LanesTest {

  @Test
  void a_host_has_its_share_and_the_others_the_rest() {
    Lanes lanes = new Lanes(3, 2);
    assertThat(lanes.enter("a")).isTrue();
    assertThat(lanes.enter("a")).isTrue();

    assertThat(lanes.enter("a")).isFalse();
    assertThat(lanes.enter("b")).isTrue();
    assertThat(lanes.enter("c")).isFalse();
  }

  @Test
  void who_leaves_makes_room_and_leaves_nothing_behind() {
    Lanes lanes = new Lanes(1, 1);
    for (int i = 0; i < 10; i++) {
      assertThat(lanes.enter("a")).isTrue();
      assertThat(lanes.hosts()).isOne();
      lanes.leave("a");
      assertThat(lanes.hosts()).isZero();
    }
  }

  @Test
  void who_is_turned_away_leaves_nothing_behind() {
    Lanes lanes = new Lanes(2, 1);
    assertThat(lanes.enter("a")).isTrue();
    assertThat(lanes.enter("b")).isTrue();
    for (int i = 0; i < 20; i++) {
      assertThat(lanes.enter("a")).isFalse();
      assertThat(lanes.enter("c")).isFalse();
    }
    assertThat(lanes.hosts()).isEqualTo(2);
    lanes.leave("a");

    assertThat(lanes.enter("c")).isTrue();
  }
}
