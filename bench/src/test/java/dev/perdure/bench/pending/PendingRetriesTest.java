// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PendingRetriesTest {

  private static final int CALLS = 100_000;

  /** All calls must wait at the same time: on a busy machine they have to wait for longer. */
  private static PendingResult results(String library, int warmUp) throws InterruptedException {
    PendingResult result = PendingRetries.run(library, CALLS, Duration.ofSeconds(6), warmUp);
    return result.heapBytes() == PendingResult.UNKNOWN
        ? PendingRetries.run(library, CALLS, Duration.ofSeconds(40), warmUp)
        : result;
  }

  /** After a warm-up with which a collection that leaves dead objects behind would show less. */
  @Test
  void a_waiting_call_of_ours_holds_at_most_200_bytes() throws InterruptedException {
    PendingResult result = results("perdure", 200_000);

    assertThat(result.completed()).isEqualTo(CALLS);
    assertThat(result.heapBytes()).isBetween(100L, 200L);
  }

  @Test
  void the_harness_sees_what_a_peer_holds() throws InterruptedException {
    PendingResult result = results("resilience4j", 10_000);

    assertThat(result.completed()).isEqualTo(CALLS);
    assertThat(result.heapBytes()).isGreaterThan(200L);
  }
}
