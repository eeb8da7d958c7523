// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestPermitTest {

  private final Semaphore permits = new Semaphore(0);
  private final RequestPermit permit = new RequestPermit(permits, () -> false);

  @Test
  void is_released_during_a_wait_and_reacquired_afterwards() {
    int free = permit.releasedWhile(permits::availablePermits);
    assertThat(free).isOne();
    assertThat(permits.availablePermits()).isZero();

    permit.release();
    permit.release();

    assertThat(permits.availablePermits()).isOne();
  }

  @Test
  void is_not_reacquired_while_another_request_holds_it() {
    boolean anotherTookIt = permit.releasedWhile(permits::tryAcquire);
    assertThat(anotherTookIt).isTrue();

    permit.release();

    assertThat(permits.availablePermits()).as("the other request still holds it").isZero();
  }
}
