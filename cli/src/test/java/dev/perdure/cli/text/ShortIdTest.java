// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortIdTest {

  private static final String ID = "01a1e8bd-d166-7001-8e58-cbada89a6000";
  private static final String NEWEST = "01a20000-0000-7001-8e58-cbada89a6000";

  @Test
  void is_the_part_in_which_ids_differ() {
    assertThat(ShortId.of(UUID.fromString(ID))).isEqualTo("e8bd-d166-7001");
    assertThat(ShortId.time(UUID.fromString(ID))).isEqualTo("e8bd-d166");
  }

  @Test
  void may_begin_in_the_period_of_the_newest_id_or_before() {
    assertThat(ShortId.beginnings("E8BD-D166-7001", NEWEST))
        .startsWith("01a2e8bd-d166-7001", "01a1e8bd-d166-7001", "01a0e8bd-d166-7001")
        .hasSize(8);
    assertThat(ShortId.beginnings("e8bd-d166", "0001" + NEWEST.substring(4)))
        .containsExactly("0001e8bd-d166", "0000e8bd-d166");
  }

  @Test
  void may_be_the_beginning_of_an_id() {
    assertThat(ShortId.beginnings(ID.substring(0, 8), NEWEST)).contains(ID.substring(0, 8));
    assertThat(ShortId.beginnings(ID.substring(0, 20), NEWEST))
        .containsExactly(ID.substring(0, 20));
    assertThat(ShortId.last("01a1e8bd-d166")).isEqualTo("01a1e8bd-d166-ffff-ffff-ffffffffffff");
  }

  @ParameterizedTest
  @ValueSource(strings = {ID, "", "e8bd", "e8bd-", "4n9q0a2kx71b", "d166-7001-8e58x", "no-task"})
  void is_not(String text) {
    assertThat(ShortId.matches(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"e8bd-d166-7001", "e8bd-d", "01a1e8bd", "01a1e8bd-d166-7001-8e58-cb"})
  void is(String text) {
    assertThat(ShortId.matches(text)).isTrue();
  }
}
