// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SeededRandomTest {

  private static final UUID TASK = UUID.fromString("0195f1a2-0000-7000-8000-000000000000");

  @Test
  void the_same_task_and_attempt_give_the_same_random_number() {
    for (long attempt = 0; attempt < 100; attempt++) {
      assertThat(SeededRandom.of(TASK, attempt).nextLong())
          .isEqualTo(SeededRandom.of(TASK, attempt).nextLong());
    }
  }

  @Test
  void each_attempt_gives_another_random_number() {
    Set<Long> seen = new HashSet<>();
    for (long attempt = 0; attempt < 10_000; attempt++) {
      assertThat(seen.add(SeededRandom.of(TASK, attempt).nextLong()))
          .as("attempt %d", attempt)
          .isTrue();
    }
  }

  /**
   * Ids created in the same millisecond differ in only a few bits. Their delays must still spread
   * evenly.
   */
  @Test
  void tasks_with_similar_ids_get_evenly_spread_numbers() {
    int[] tenths = new int[10];
    for (int i = 0; i < 10_000; i++) {
      UUID neighbour =
          new UUID(TASK.getMostSignificantBits(), TASK.getLeastSignificantBits() + 4096L * i);
      tenths[SeededRandom.of(neighbour, 0).nextInt(10)]++;
    }
    for (int count : tenths) {
      assertThat(count).isBetween(850, 1_150);
    }
  }
}
