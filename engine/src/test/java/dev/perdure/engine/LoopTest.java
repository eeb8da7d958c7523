// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class LoopTest {

  private static final int FAILURES = 4;

  /** What is printed while the work fails a few times like this, and then works. */
  private static CapturedLog afterFailuresOf(Runnable failing) throws InterruptedException {
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch works = new CountDownLatch(2);
    CapturedLog capturedLog = new CapturedLog();
    Loop loop =
        Loop.start(
            "claim",
            () -> {
              if (rounds.getAndIncrement() < FAILURES) {
                failing.run();
              }
              works.countDown();
              return Duration.ZERO;
            });
    assertThat(works.await(30, TimeUnit.SECONDS)).isTrue();
    loop.stop();
    assertThat(loop.join(Duration.ofSeconds(60))).isTrue();
    capturedLog.close();
    return capturedLog;
  }

  private static Runnable throwing(RuntimeException problem) {
    return () -> {
      throw problem;
    };
  }

  @Test
  void an_outage_of_the_store_is_told_when_it_begins_and_when_it_is_over() throws Exception {
    StoreException away =
        new StoreException("no route", null, StoreException.ErrorKind.UNAVAILABLE);

    assertThat(afterFailuresOf(throwing(away)).lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("WARN", "component=claim").endsWith("no route"),
            last ->
                assertThat(last).contains("INFO", "component=claim").endsWith("after 4 failures"));
  }

  @Test
  void anything_else_is_told_each_time_with_its_stack() throws Exception {
    assertThat(afterFailuresOf(throwing(new IllegalStateException("bug"))).lines())
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

    assertThat(afterFailuresOf(throwing(untellable)).lines())
        .last()
        .asString()
        .contains("works again");
  }

  @Test
  void an_error_of_the_work_does_not_end_it() throws Exception {
    Runnable noMemory =
        () -> {
          throw new OutOfMemoryError("on purpose");
        };

    assertThat(afterFailuresOf(noMemory).lines()).last().asString().contains("works again");
  }

  /** What fails in a moment would otherwise be done without end, while hints come. */
  @Test
  void a_wake_up_does_not_shorten_the_wait_after_a_failure() throws Exception {
    CompletableFuture<Loop> itself = new CompletableFuture<>();
    BlockingQueue<Long> begun = new LinkedBlockingQueue<>();
    Loop loop =
        Loop.start(
            "claim",
            () -> {
              begun.add(System.nanoTime());
              itself.join().wake();
              throw new StoreException("no route", null, StoreException.ErrorKind.UNAVAILABLE);
            });
    itself.complete(loop);

    long last = begun.take();
    for (int i = 0; i < FAILURES; i++) {
      long next = begun.take();
      assertThat(Duration.ofNanos(next - last)).isGreaterThanOrEqualTo(Loop.waitAfterFailure(i));
      last = next;
    }
    loop.stop();
    assertThat(loop.join(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void it_waits_for_longer_after_each_failure_up_to_a_second() {
    assertThat(IntStream.of(0, 1, 5, 6, 7, 1_000, Integer.MAX_VALUE))
        .extracting(n -> Loop.waitAfterFailure(n).toMillis())
        .containsExactly(20L, 40L, 640L, 1_280L, 1_280L, 1_280L, 1_280L);
  }
}
