// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadinessCheckTest {

  @Test
  void reports_whether_the_store_responds() {
    AtomicBoolean down = new AtomicBoolean();
    ReadinessCheck check =
        new ReadinessCheck(
            () -> {
              if (down.get()) {
                throw new IllegalStateException("an internal detail");
              }
            },
            Duration.ofSeconds(20));

    assertThat(check.reasonNotReady()).isNull();
    down.set(true);
    assertThat(check.reasonNotReady()).isEqualTo("the database cannot be reached or is too busy");
    down.set(false);
    assertThat(check.reasonNotReady()).isNull();
  }

  @Test
  void does_not_wait_for_a_hanging_store_and_probes_it_once() {
    Semaphore response = new Semaphore(0);
    AtomicInteger probes = new AtomicInteger();
    ReadinessCheck check =
        new ReadinessCheck(
            () -> {
              probes.incrementAndGet();
              response.acquireUninterruptibly();
            },
            Duration.ofMillis(50));

    assertThat(check.reasonNotReady()).isEqualTo("the database did not respond within 50 ms");
    assertThat(check.reasonNotReady()).isEqualTo("the database did not respond within 50 ms");
    assertThat(probes).hasValueLessThanOrEqualTo(1);
    response.release();
  }
}
