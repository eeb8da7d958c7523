// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenRequestsTest {

  private final OpenRequests requests = new OpenRequests();

  @Test
  void store_the_data_of_a_request() {
    int slot = requests.open(77, 5);

    assertThat(requests.arrived(slot)).isEqualTo(77);
    assertThat(requests.client(slot)).isEqualTo(5);
    assertThat(requests.attempt(slot)).isZero();
    assertThat(requests.previousDelay(slot)).isEqualTo(OpenRequests.NO_DELAY);

    requests.retryAfter(slot, 250);
    requests.retryAfter(slot, 0);
    assertThat(requests.attempt(slot)).isEqualTo(2);
    assertThat(requests.previousDelay(slot)).isZero();
  }

  @Test
  void reset_a_reused_slot() {
    int first = requests.open(1, 1);
    int second = requests.open(2, 2);
    requests.retryAfter(first, 250);
    requests.close(first);
    assertThat(requests.count()).isEqualTo(1);

    int third = requests.open(3, 3);

    assertThat(third).isEqualTo(first).isNotEqualTo(second);
    assertThat(requests.attempt(third)).isZero();
    assertThat(requests.previousDelay(third)).isEqualTo(OpenRequests.NO_DELAY);
    assertThat(requests.arrived(second)).isEqualTo(2);
    assertThat(requests.count()).isEqualTo(2);
  }

  @Test
  void store_many_requests() {
    for (int i = 0; i < 5_000; i++) {
      assertThat(requests.open(i, 2 * i)).isEqualTo(i);
      requests.retryAfter(i, 3L * i);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(requests.arrived(i)).isEqualTo(i);
      assertThat(requests.client(i)).isEqualTo(2 * i);
      assertThat(requests.attempt(i)).isEqualTo(1);
      assertThat(requests.previousDelay(i)).isEqualTo(3L * i);
      requests.close(i);
    }
    assertThat(requests.count()).isZero();
  }
}
