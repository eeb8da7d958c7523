// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.PolicyErrorAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JitterTest {

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.25, 1})
  void has_a_factor_from_0_to_1(double factor) {
    assertThat(Jitter.spread(factor)).isEqualTo(new Jitter.Spread(factor));
    assertThat(Jitter.add(factor)).isEqualTo(new Jitter.Add(factor));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, 25, Double.NaN, Double.NEGATIVE_INFINITY})
  void rejects_any_other_factor(double factor) {
    refuses(() -> Jitter.spread(factor), "factor: must be between 0 and 1, not " + factor);
    refuses(() -> Jitter.add(factor), "factor: must be between 0 and 1, not " + factor);
  }

  @Test
  void can_be_created_by_factories() {
    assertThat(Jitter.none()).isEqualTo(Jitter.None.INSTANCE);
    assertThat(Jitter.full()).isEqualTo(Jitter.Full.INSTANCE);
    assertThat(Jitter.equal()).isEqualTo(Jitter.Equal.INSTANCE);
    assertThat(Jitter.decorrelated()).isEqualTo(Jitter.Decorrelated.INSTANCE);
    assertThat(Jitter.DEFAULT).isEqualTo(Jitter.spread(0.25));
  }
}
