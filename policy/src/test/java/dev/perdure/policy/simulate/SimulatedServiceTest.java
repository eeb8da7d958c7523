// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An attempt takes 10 at full speed; the outage lasts from 100 to 200. */
class SimulatedServiceTest {

  @Nested
  class AtFullSpeed {

    private final SimulatedService simulatedService = service(0.5);

    @Test
    void works_through_attempts_one_after_the_other() {
      assertThat(simulatedService.submit(0)).isEqualTo(10);
      assertThat(simulatedService.submit(0)).isEqualTo(20);
      assertThat(simulatedService.submit(15)).isEqualTo(30);
    }

    @Test
    void saves_up_nothing_while_idle() {
      assertThat(simulatedService.submit(50)).isEqualTo(60);
      assertThat(simulatedService.submit(70)).isEqualTo(80);
    }

    @Test
    void counts_what_is_not_finished() {
      assertThat(simulatedService.backlog(0)).isZero();
      simulatedService.submit(0);
      simulatedService.submit(0);

      assertThat(simulatedService.backlog(0)).isEqualTo(2);
      assertThat(simulatedService.backlog(9)).isEqualTo(2);
      assertThat(simulatedService.backlog(10)).isEqualTo(1);
      assertThat(simulatedService.backlog(19)).isEqualTo(1);
      assertThat(simulatedService.backlog(20)).isZero();
      assertThat(simulatedService.backlog(90)).isZero();
    }

    @Test
    void is_back_after_the_outage() {
      assertThat(simulatedService.submit(200)).isEqualTo(210);
      assertThat(simulatedService.submit(200)).isEqualTo(220);
      assertThat(simulatedService.backlog(215)).isEqualTo(1);
    }
  }

  @Nested
  class AtHalfSpeed {

    private final SimulatedService simulatedService = service(0.5);

    @Test
    void takes_twice_as_long() {
      assertThat(simulatedService.submit(100)).isEqualTo(120);
      assertThat(simulatedService.submit(150)).isEqualTo(170);
      assertThat(simulatedService.backlog(169)).isEqualTo(1);
      assertThat(simulatedService.backlog(170)).isZero();
    }

    @Test
    void goes_on_slower_with_what_it_has_begun() {
      assertThat(simulatedService.submit(95)).isEqualTo(110);
    }

    @Test
    void goes_on_faster_with_what_it_has_begun() {
      assertThat(simulatedService.submit(190)).isEqualTo(205);
    }

    @Test
    void finishes_just_as_the_outage_begins_or_ends() {
      assertThat(simulatedService.submit(90)).isEqualTo(100);
      assertThat(simulatedService.submit(180)).isEqualTo(200);
    }
  }

  @Nested
  class Stopped {

    private final SimulatedService simulatedService = service(0);

    @Test
    void begins_again_after_the_outage() {
      assertThat(simulatedService.submit(95)).isEqualTo(205);
      assertThat(simulatedService.submit(150)).isEqualTo(215);
      assertThat(simulatedService.backlog(199)).isEqualTo(2);
      assertThat(simulatedService.backlog(205)).isEqualTo(1);
    }

    @Test
    void still_finishes_what_ends_as_the_outage_begins() {
      assertThat(simulatedService.submit(90)).isEqualTo(100);
    }
  }

  private static SimulatedService service(double remaining) {
    return new SimulatedService(new ScenarioTimes(10, 100, 200, remaining, 50, 1_000));
  }
}
