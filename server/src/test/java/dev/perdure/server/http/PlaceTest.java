// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PlaceTest {

  private final Semaphore places = new Semaphore(0);
  private final Place place = new Place(places, () -> false);

  @Test
  void is_free_for_others_while_somebody_waits_and_taken_again_afterwards() {
    int free = place.leftFor(places::availablePermits);
    assertThat(free).isOne();
    assertThat(places.availablePermits()).isZero();

    place.leave();
    place.leave();

    assertThat(places.availablePermits()).isOne();
  }

  @Test
  void is_gone_on_without_when_others_do_not_leave_it() {
    boolean anotherTookIt = place.leftFor(places::tryAcquire);
    assertThat(anotherTookIt).isTrue();

    place.leave();

    assertThat(places.availablePermits()).as("the other still has it").isZero();
  }
}
