// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.perdure.bench.docs.PerformanceDocument;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PendingRetriesTest {

  private static final int CALLS = 100_000;

  /** Repeats the run with a longer delay if the machine was too slow to start all calls. */
  private static PendingResult measure(String library, int warmUp) throws InterruptedException {
    PendingResult result = PendingRetries.run(library, CALLS, Duration.ofSeconds(6), warmUp);
    return result.heapBytes() == PendingResult.UNKNOWN
        ? PendingRetries.run(library, CALLS, Duration.ofSeconds(40), warmUp)
        : result;
  }

  /** The long warm-up would show a garbage collection that leaves dead objects behind. */
  @Test
  void a_waiting_call_of_perdure_holds_at_most_200_bytes() throws InterruptedException {
    PendingResult result = measure("perdure", 200_000);

    assertThat(result.completed()).isEqualTo(CALLS);
    assertThat(result.heapBytes()).isBetween(100L, 200L);
  }

  @Test
  void accepts_the_options_of_the_documented_commands() {
    assertThat(PerformanceDocument.argumentsOf(PendingRetries.class))
        .isNotEmpty()
        .allSatisfy(
            args -> assertThatCode(() -> new PendingRetries(args)).doesNotThrowAnyException());
  }

  @Test
  void measures_the_heap_of_another_library() throws InterruptedException {
    PendingResult result = measure("resilience4j", 10_000);

    assertThat(result.completed()).isEqualTo(CALLS);
    assertThat(result.heapBytes()).isGreaterThan(200L);
  }
}
