// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestPermitTest {

  private final Semaphore places = new Semaphore(0);
  private final RequestPermit requestPermit = new RequestPermit(places, () -> false);

  @Test
  void is_free_for_others_while_somebody_waits_and_taken_again_afterwards() {
    int free = requestPermit.releasedWhile(places::availablePermits);
    assertThat(free).isOne();
    assertThat(places.availablePermits()).isZero();

    requestPermit.release();
    requestPermit.release();

    assertThat(places.availablePermits()).isOne();
  }

  @Test
  void is_gone_on_without_when_others_do_not_leave_it() {
    boolean anotherTookIt = requestPermit.releasedWhile(places::tryAcquire);
    assertThat(anotherTookIt).isTrue();

    requestPermit.release();

    assertThat(places.availablePermits()).as("the other still has it").isZero();
  }
}
