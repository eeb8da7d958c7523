// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CappedCountTest {

  @Test
  void is_a_lower_bound_from_the_cap_on() {
    assertThat(CappedCount.of(9_999)).isEqualTo(new CappedCount(9_999, false));
    assertThat(CappedCount.of(10_000)).isEqualTo(new CappedCount(10_000, true));
    assertThat(CappedCount.of(10_000).plus(CappedCount.of(1)))
        .isEqualTo(new CappedCount(10_001, true));
    assertThat(CappedCount.of(1).plus(CappedCount.of(10_000)))
        .isEqualTo(new CappedCount(10_001, true));
  }

  /** Ended tasks may be revived or deleted during a watch. */
  @Test
  void never_decreases_below_zero() {
    assertThat(CappedCount.of(3).minus(CappedCount.of(5))).isEqualTo(new CappedCount(0, false));
    assertThat(CappedCount.of(5).minus(CappedCount.of(3))).isEqualTo(new CappedCount(2, false));
    assertThat(CappedCount.of(5).minus(CappedCount.of(10_000))).isEqualTo(new CappedCount(0, true));
    assertThat(CappedCount.of(10_000).minus(CappedCount.of(5)))
        .isEqualTo(new CappedCount(9_995, true));
  }

  @Test
  void is_zero_only_when_it_is_exact() {
    assertThat(CappedCount.ZERO.isZero()).isTrue();
    assertThat(new CappedCount(0, true).isZero()).isFalse();
    assertThat(CappedCount.of(1).isZero()).isFalse();
  }
}
