// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PendingRetriesTest {

  private static final int CALLS = 100_000;
  private static final Duration LONG_ENOUGH_FOR_A_BUSY_MACHINE = Duration.ofSeconds(6);

  /** After a warm-up with which a collection that leaves dead objects behind would show less. */
  @Test
  void a_waiting_call_of_ours_holds_at_most_200_bytes() throws InterruptedException {
    Figures figures = PendingRetries.run("perdure", CALLS, LONG_ENOUGH_FOR_A_BUSY_MACHINE, 200_000);

    assertThat(figures.completed()).isEqualTo(CALLS);
    assertThat(figures.heapBytes()).isBetween(100L, 200L);
  }

  @Test
  void the_harness_sees_what_a_peer_holds() throws InterruptedException {
    Figures figures =
        PendingRetries.run("resilience4j", CALLS, LONG_ENOUGH_FOR_A_BUSY_MACHINE, 10_000);

    assertThat(figures.completed()).isEqualTo(CALLS);
    assertThat(figures.heapBytes()).isGreaterThan(200L);
  }
}
