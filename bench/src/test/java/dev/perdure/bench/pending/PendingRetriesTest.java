// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PendingRetriesTest {

  private static final int CALLS = 100_000;

  /** All calls must wait at the same time: on a busy machine they have to wait for longer. */
  private static PendingResult figures(String library, int warmUp) throws InterruptedException {
    PendingResult pendingResult = PendingRetries.run(library, CALLS, Duration.ofSeconds(6), warmUp);
    return pendingResult.heapBytes() == PendingResult.UNKNOWN
        ? PendingRetries.run(library, CALLS, Duration.ofSeconds(40), warmUp)
        : pendingResult;
  }

  /** After a warm-up with which a collection that leaves dead objects behind would show less. */
  @Test
  void a_waiting_call_of_ours_holds_at_most_200_bytes() throws InterruptedException {
    PendingResult pendingResult = figures("perdure", 200_000);

    assertThat(pendingResult.completed()).isEqualTo(CALLS);
    assertThat(pendingResult.heapBytes()).isBetween(100L, 200L);
  }

  @Test
  void the_harness_sees_what_a_peer_holds() throws InterruptedException {
    PendingResult pendingResult = figures("resilience4j", 10_000);

    assertThat(pendingResult.completed()).isEqualTo(CALLS);
    assertThat(pendingResult.heapBytes()).isGreaterThan(200L);
  }
}
