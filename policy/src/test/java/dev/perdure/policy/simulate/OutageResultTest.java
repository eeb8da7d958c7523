// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.policy.simulate.OutageResult.Second;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutageResultTest {

  private static OutageResult result(int... sent) {
    List<Second> seconds =
        IntStream.of(sent).mapToObj(count -> new Second(1, count, 1, 0)).toList();
    return new OutageResult(seconds, 10, 40, 5, 0, null, StabilityVerdict.STABLE);
  }

  @Test
  void the_peak_is_the_second_with_the_most_attempts() {
    assertThat(result(3, 90, 7).peak()).isEqualTo(90);
    assertThat(result().peak()).isZero();
  }

  @Test
  void the_peak_load_is_a_multiple_of_the_normal_load() {
    Scenario scenario = Scenario.DEFAULT;
    double normal = scenario.load() * scenario.capacity();

    assertThat(result(3, 90, 7).peakLoad(scenario)).isCloseTo(90 / normal, within(1e-9));
  }
}
