// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An attempt takes 10 at full speed; the outage lasts from 100 to 200. */
class ServiceTest {

  @Nested
  class AtFullSpeed {

    private final Service service = service(0.5);

    @Test
    void works_through_attempts_one_after_the_other() {
      assertThat(service.finish(0)).isEqualTo(10);
      assertThat(service.finish(0)).isEqualTo(20);
      assertThat(service.finish(15)).isEqualTo(30);
    }

    @Test
    void saves_up_nothing_while_idle() {
      assertThat(service.finish(50)).isEqualTo(60);
      assertThat(service.finish(70)).isEqualTo(80);
    }

    @Test
    void counts_what_is_not_finished() {
      assertThat(service.waiting(0)).isZero();
      service.finish(0);
      service.finish(0);

      assertThat(service.waiting(0)).isEqualTo(2);
      assertThat(service.waiting(9)).isEqualTo(2);
      assertThat(service.waiting(10)).isEqualTo(1);
      assertThat(service.waiting(19)).isEqualTo(1);
      assertThat(service.waiting(20)).isZero();
      assertThat(service.waiting(90)).isZero();
    }

    @Test
    void is_back_after_the_outage() {
      assertThat(service.finish(200)).isEqualTo(210);
      assertThat(service.finish(200)).isEqualTo(220);
      assertThat(service.waiting(215)).isEqualTo(1);
    }
  }

  @Nested
  class AtHalfSpeed {

    private final Service service = service(0.5);

    @Test
    void takes_twice_as_long() {
      assertThat(service.finish(100)).isEqualTo(120);
      assertThat(service.finish(150)).isEqualTo(170);
      assertThat(service.waiting(169)).isEqualTo(1);
      assertThat(service.waiting(170)).isZero();
    }

    @Test
    void goes_on_slower_with_what_it_has_begun() {
      assertThat(service.finish(95)).isEqualTo(110);
    }

    @Test
    void goes_on_faster_with_what_it_has_begun() {
      assertThat(service.finish(190)).isEqualTo(205);
    }

    @Test
    void finishes_just_as_the_outage_begins_or_ends() {
      assertThat(service.finish(90)).isEqualTo(100);
      assertThat(service.finish(180)).isEqualTo(200);
    }
  }

  @Nested
  class Stopped {

    private final Service service = service(0);

    @Test
    void begins_again_after_the_outage() {
      assertThat(service.finish(95)).isEqualTo(205);
      assertThat(service.finish(150)).isEqualTo(215);
      assertThat(service.waiting(199)).isEqualTo(2);
      assertThat(service.waiting(205)).isEqualTo(1);
    }

    @Test
    void still_finishes_what_ends_as_the_outage_begins() {
      assertThat(service.finish(90)).isEqualTo(100);
    }
  }

  private static Service service(double remaining) {
    return new Service(new Times(10, 100, 200, remaining, 50, 1_000));
  }
}
