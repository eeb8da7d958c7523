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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("slow")
@Isolated
class LoopTest {

  private static final int FAILURES = 4;

  /** Returns what is logged while the work fails {@code FAILURES} times and then succeeds. */
  private static CapturedLog logOfFailures(Runnable failing) throws InterruptedException {
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch successes = new CountDownLatch(2);
    CapturedLog capturedLog = new CapturedLog();
    Loop loop =
        Loop.start(
            "claim",
            () -> {
              if (rounds.getAndIncrement() < FAILURES) {
                failing.run();
              }
              successes.countDown();
              return Duration.ZERO;
            });
    assertThat(successes.await(30, TimeUnit.SECONDS)).isTrue();
    loop.stop();
    assertThat(loop.join(Duration.ofSeconds(60))).isTrue();
    capturedLog.close();
    return capturedLog;
  }

  private static Runnable throwing(RuntimeException failure) {
    return () -> {
      throw failure;
    };
  }

  @Test
  void a_store_outage_is_logged_once_when_it_begins_and_once_when_it_ends() throws Exception {
    StoreException unavailable =
        new StoreException("no route", null, StoreException.ErrorKind.UNAVAILABLE);

    assertThat(logOfFailures(throwing(unavailable)).lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("WARN", "component=claim").endsWith("no route"),
            last ->
                assertThat(last).contains("INFO", "component=claim").endsWith("after 4 failures"));
  }

  @Test
  void any_other_exception_is_logged_each_time_with_its_stack_trace() throws Exception {
    assertThat(logOfFailures(throwing(new IllegalStateException("bug"))).lines())
        .filteredOn(line -> line.contains("IllegalStateException: bug"))
        .hasSize(FAILURES);
  }

  @Test
  void an_exception_that_cannot_be_logged_does_not_end_the_loop() throws Exception {
    RuntimeException unloggable =
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new OutOfMemoryError("on purpose");
          }
        };

    assertThat(logOfFailures(throwing(unloggable)).lines())
        .last()
        .asString()
        .contains("works again");
  }

  @Test
  void an_error_of_the_work_does_not_end_the_loop() throws Exception {
    Runnable noMemory =
        () -> {
          throw new OutOfMemoryError("on purpose");
        };

    assertThat(logOfFailures(noMemory).lines()).last().asString().contains("works again");
  }

  /** Otherwise work that fails at once would run in a tight loop while hints arrive. */
  @Test
  void a_wake_up_does_not_shorten_the_wait_after_a_failure() throws Exception {
    CompletableFuture<Loop> self = new CompletableFuture<>();
    BlockingQueue<Long> starts = new LinkedBlockingQueue<>();
    Loop loop =
        Loop.start(
            "claim",
            () -> {
              starts.add(System.nanoTime());
              self.join().wake();
              throw new StoreException("no route", null, StoreException.ErrorKind.UNAVAILABLE);
            });
    self.complete(loop);

    long last = starts.take();
    for (int i = 0; i < FAILURES; i++) {
      long next = starts.take();
      assertThat(Duration.ofNanos(next - last)).isGreaterThanOrEqualTo(Loop.waitAfterFailure(i));
      last = next;
    }
    loop.stop();
    assertThat(loop.join(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void the_wait_doubles_after_each_failure_up_to_1280_ms() {
    assertThat(IntStream.of(0, 1, 5, 6, 7, 1_000, Integer.MAX_VALUE))
        .extracting(n -> Loop.waitAfterFailure(n).toMillis())
        .containsExactly(20L, 40L, 640L, 1_280L, 1_280L, 1_280L, 1_280L);
  }
}
