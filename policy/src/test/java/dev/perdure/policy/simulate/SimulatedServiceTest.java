// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An attempt takes 10 units of time at full speed; the outage lasts from 100 to 200. */
class SimulatedServiceTest {

  @Nested
  class AtFullSpeed {

    private final SimulatedService service = service(0.5);

    @Test
    void processes_attempts_one_after_the_other() {
      assertThat(service.submit(0)).isEqualTo(10);
      assertThat(service.submit(0)).isEqualTo(20);
      assertThat(service.submit(15)).isEqualTo(30);
    }

    @Test
    void does_not_save_capacity_while_idle() {
      assertThat(service.submit(50)).isEqualTo(60);
      assertThat(service.submit(70)).isEqualTo(80);
    }

    @Test
    void counts_unfinished_attempts() {
      assertThat(service.backlog(0)).isZero();
      service.submit(0);
      service.submit(0);

      assertThat(service.backlog(0)).isEqualTo(2);
      assertThat(service.backlog(9)).isEqualTo(2);
      assertThat(service.backlog(10)).isEqualTo(1);
      assertThat(service.backlog(19)).isEqualTo(1);
      assertThat(service.backlog(20)).isZero();
      assertThat(service.backlog(90)).isZero();
    }

    @Test
    void is_restored_after_the_outage() {
      assertThat(service.submit(200)).isEqualTo(210);
      assertThat(service.submit(200)).isEqualTo(220);
      assertThat(service.backlog(215)).isEqualTo(1);
    }
  }

  @Nested
  class AtHalfSpeed {

    private final SimulatedService service = service(0.5);

    @Test
    void takes_twice_as_long() {
      assertThat(service.submit(100)).isEqualTo(120);
      assertThat(service.submit(150)).isEqualTo(170);
      assertThat(service.backlog(169)).isEqualTo(1);
      assertThat(service.backlog(170)).isZero();
    }

    @Test
    void slows_down_an_attempt_in_progress() {
      assertThat(service.submit(95)).isEqualTo(110);
    }

    @Test
    void speeds_up_an_attempt_in_progress() {
      assertThat(service.submit(190)).isEqualTo(205);
    }

    @Test
    void finishes_exactly_when_the_outage_begins_or_ends() {
      assertThat(service.submit(90)).isEqualTo(100);
      assertThat(service.submit(180)).isEqualTo(200);
    }
  }

  @Nested
  class Stopped {

    private final SimulatedService service = service(0);

    @Test
    void continues_after_the_outage() {
      assertThat(service.submit(95)).isEqualTo(205);
      assertThat(service.submit(150)).isEqualTo(215);
      assertThat(service.backlog(199)).isEqualTo(2);
      assertThat(service.backlog(205)).isEqualTo(1);
    }

    @Test
    void finishes_an_attempt_that_ends_when_the_outage_begins() {
      assertThat(service.submit(90)).isEqualTo(100);
    }
  }

  private static SimulatedService service(double remaining) {
    return new SimulatedService(new ScenarioTimes(10, 100, 200, remaining, 50, 1_000));
  }
}
