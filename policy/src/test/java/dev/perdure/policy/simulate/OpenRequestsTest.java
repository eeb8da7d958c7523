// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenRequestsTest {

  private final OpenRequests requests = new OpenRequests();

  @Test
  void remember_what_is_known_of_a_request() {
    int place = requests.open(77, 5);

    assertThat(requests.arrived(place)).isEqualTo(77);
    assertThat(requests.client(place)).isEqualTo(5);
    assertThat(requests.attempt(place)).isZero();
    assertThat(requests.previousDelay(place)).isEqualTo(OpenRequests.NO_DELAY);

    requests.retryAfter(place, 250);
    requests.retryAfter(place, 0);
    assertThat(requests.attempt(place)).isEqualTo(2);
    assertThat(requests.previousDelay(place)).isZero();
  }

  @Test
  void begin_anew_in_a_place_that_is_used_again() {
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
  void keep_all_of_many() {
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
