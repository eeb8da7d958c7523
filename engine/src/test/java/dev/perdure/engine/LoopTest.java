// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopTest {

  private static final int FAILURES = 4;

  /** What is printed while the work fails a few times with this, and then works. */
  private static Printed afterFailuresOf(RuntimeException problem) throws InterruptedException {
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch works = new CountDownLatch(2);
    Printed printed = new Printed();
    Loop loop =
        Loop.start(
            "claim",
            () -> {
              if (rounds.getAndIncrement() < FAILURES) {
                throw problem;
              }
              works.countDown();
              return Duration.ZERO;
            });
    assertThat(works.await(30, TimeUnit.SECONDS)).isTrue();
    loop.stop();
    assertThat(loop.join(Duration.ofSeconds(60))).isTrue();
    printed.close();
    return printed;
  }

  @Test
  void an_outage_of_the_store_is_told_when_it_begins_and_when_it_is_over() throws Exception {
    StoreException away = new StoreException("no route", null, StoreException.Sort.UNAVAILABLE);

    assertThat(afterFailuresOf(away).lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("WARN", "part=claim").endsWith("no route"),
            last -> assertThat(last).contains("INFO", "part=claim").endsWith("after 4 failures"));
  }

  @Test
  void anything_else_is_told_each_time_with_its_stack() throws Exception {
    assertThat(afterFailuresOf(new IllegalStateException("bug")).lines())
        .filteredOn(line -> line.contains("IllegalStateException: bug"))
        .hasSize(FAILURES);
  }

  @Test
  void what_cannot_even_be_told_does_not_end_it() throws Exception {
    RuntimeException untellable =
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new OutOfMemoryError("on purpose");
          }
        };

    assertThat(afterFailuresOf(untellable).lines()).last().asString().contains("works again");
  }
}
