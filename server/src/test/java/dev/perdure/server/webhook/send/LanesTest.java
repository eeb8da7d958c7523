// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LanesTest {

  private static final Duration AT_ONCE = Duration.ofMillis(1);

  @Test
  void a_host_has_its_share_and_the_others_the_rest() throws Exception {
    Lanes lanes = new Lanes(3, 2, 10);
    assertThat(lanes.enter("a", AT_ONCE)).isPresent();
    assertThat(lanes.enter("a", AT_ONCE)).isPresent();

    assertThat(lanes.enter("a", AT_ONCE)).isEmpty();
    assertThat(lanes.enter("b", AT_ONCE)).isPresent();
    assertThat(lanes.enter("c", AT_ONCE)).isEmpty();
  }

  @Test
  void what_is_given_back_can_be_taken_again() throws Exception {
    Lanes lanes = new Lanes(1, 1, 0);
    for (int i = 0; i < 10; i++) {
      Lanes.Pass pass = lanes.enter("a", AT_ONCE).orElseThrow();
      assertThat(lanes.hosts()).isOne();
      pass.giveBack();
      assertThat(lanes.hosts()).isZero();
    }
  }

  @Test
  void who_gives_up_leaves_nothing_behind() throws Exception {
    Lanes lanes = new Lanes(1, 1, 5);
    Lanes.Pass held = lanes.enter("a", AT_ONCE).orElseThrow();
    for (int i = 0; i < 20; i++) {
      assertThat(lanes.enter("a", AT_ONCE)).isEmpty();
      assertThat(lanes.enter("b", AT_ONCE)).isEmpty();
    }
    assertThat(lanes.hosts()).isOne();
    held.giveBack();

    assertThat(lanes.enter("b", AT_ONCE)).isPresent();
  }

  @Test
  void who_waits_for_a_common_slot_in_vain_gives_its_hosts_slot_back() throws Exception {
    Lanes lanes = new Lanes(2, 2, 5);
    assertThat(lanes.enter("b", AT_ONCE)).isPresent();
    Lanes.Pass held = lanes.enter("a", AT_ONCE).orElseThrow();
    assertThat(lanes.enter("b", AT_ONCE)).isEmpty();
    held.giveBack();

    assertThat(lanes.enter("b", AT_ONCE)).isPresent();
  }

  @Test
  void an_interrupted_caller_leaves_nothing_behind() throws Exception {
    Lanes lanes = new Lanes(1, 1, 5);
    Lanes.Pass held = lanes.enter("a", AT_ONCE).orElseThrow();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lanes.enter("b", Duration.ofDays(1)))
        .isInstanceOf(InterruptedException.class);

    held.giveBack();
    assertThat(lanes.hosts()).isZero();
    assertThat(lanes.enter("b", AT_ONCE)).isPresent();
  }

  @Test
  void only_so_many_wait() throws Exception {
    Lanes lanes = new Lanes(1, 1, 0);
    assertThat(lanes.enter("a", AT_ONCE)).isPresent();

    assertThat(lanes.enter("b", Duration.ofDays(1))).isEmpty();
  }
}
