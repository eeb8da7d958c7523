// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.client.BlockedBy;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LimitTextTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void a_rate_that_allows_a_start_says_so() {
    BlockedBy rate = new BlockedBy("rate", "rate:sync[]", 1, 5, 2, NOW);

    assertThat(LimitText.waitsFor(rate, NOW))
        .isEqualTo("rate:sync[]: a start is allowed now, 2 tasks ahead");
  }

  @Test
  void a_thousand_tasks_ahead_may_be_more() {
    BlockedBy limit = new BlockedBy("concurrency", "concurrency:sync[]", 2, 2, 1_000, null);

    assertThat(LimitText.waitsFor(limit, NOW))
        .isEqualTo("concurrency:sync[]: 2 of 2 in use, 1,000 or more tasks ahead");
  }
}
