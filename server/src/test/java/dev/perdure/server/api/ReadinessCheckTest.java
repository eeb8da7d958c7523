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
  void follows_the_store() {
    AtomicBoolean away = new AtomicBoolean();
    ReadinessCheck readinessCheck =
        new ReadinessCheck(
            () -> {
              if (away.get()) {
                throw new IllegalStateException("the database's own words");
              }
            },
            Duration.ofSeconds(20));

    assertThat(readinessCheck.reasonNotReady()).isNull();
    away.set(true);
    assertThat(readinessCheck.reasonNotReady())
        .isEqualTo("the database cannot be reached or is too busy");
    away.set(false);
    assertThat(readinessCheck.reasonNotReady()).isNull();
  }

  @Test
  void does_not_wait_for_a_store_that_hangs_and_asks_it_once() {
    Semaphore answer = new Semaphore(0);
    AtomicInteger questions = new AtomicInteger();
    ReadinessCheck readinessCheck =
        new ReadinessCheck(
            () -> {
              questions.incrementAndGet();
              answer.acquireUninterruptibly();
            },
            Duration.ofMillis(50));

    assertThat(readinessCheck.reasonNotReady())
        .isEqualTo("the database did not respond within 50 ms");
    assertThat(readinessCheck.reasonNotReady())
        .isEqualTo("the database did not respond within 50 ms");
    assertThat(questions).hasValueLessThanOrEqualTo(1);
    answer.release();
  }
}
