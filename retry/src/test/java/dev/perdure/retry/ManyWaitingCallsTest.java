// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that no thread waits between attempts. The memory of a waiting call is measured in bench.
 */
class ManyWaitingCallsTest {

  private static final int CALLS = 100_000;

  @Test
  void a_hundred_thousand_calls_wait_on_one_thread() {
    Retry hourly = Retry.of(RetryPolicy.fixed(ofHours(1)).build());
    int before = ManagementFactory.getThreadMXBean().getThreadCount();
    List<CompletableFuture<String>> waiting =
        Stream.generate(
                () ->
                    hourly.<String>callAsync(
                        () -> CompletableFuture.failedFuture(new IOException("down"))))
            .limit(CALLS)
            .toList();

    int more = ManagementFactory.getThreadMXBean().getThreadCount() - before;
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    // The timer, and threads that the JVM starts meanwhile.
    assertThat(more).isLessThan(10);
    assertThat(waiting).allMatch(call -> call.cancel(true));
  }
}
