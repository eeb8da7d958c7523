// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.schedule;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ScheduleBenchTest {

  @Test
  void a_small_run_finds_every_schedule_fired_once() {
    assertThatCode(() -> ScheduleBench.main(new String[] {"1", "50"})).doesNotThrowAnyException();
  }
}
