// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {

  @Test
  void there_may_be_more_where_the_server_counts_no_further() {
    assertThat(Count.of(9_999)).isEqualTo(new Count(9_999, false));
    assertThat(Count.of(10_000)).isEqualTo(new Count(10_000, true));
    assertThat(Count.of(10_000).plus(Count.of(1))).isEqualTo(new Count(10_001, true));
    assertThat(Count.of(1).plus(Count.of(10_000))).isEqualTo(new Count(10_001, true));
  }

  /** What had ended may be revived, or deleted, while somebody watches. */
  @Test
  void what_came_since_is_never_less_than_nothing() {
    assertThat(Count.of(3).minus(Count.of(5))).isEqualTo(new Count(0, false));
    assertThat(Count.of(5).minus(Count.of(3))).isEqualTo(new Count(2, false));
    assertThat(Count.of(5).minus(Count.of(10_000))).isEqualTo(new Count(0, true));
    assertThat(Count.of(10_000).minus(Count.of(5))).isEqualTo(new Count(9_995, true));
  }

  @Test
  void is_none_only_when_all_were_counted() {
    assertThat(Count.NONE.isNone()).isTrue();
    assertThat(new Count(0, true).isNone()).isFalse();
    assertThat(Count.of(1).isNone()).isFalse();
  }
}
