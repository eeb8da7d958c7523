// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.server.Eventually;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Look-ups that hang in native code, which cannot be interrupted. */
@Timeout(60)
class BoundedResolverTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CountDownLatch free = new CountDownLatch(1);
  private final Set<Thread> stuck = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);
  private final BoundedResolver resolver = new BoundedResolver(this::lookUp, clock::get);

  @AfterEach
  void close() {
    free.countDown();
    resolver.close();
  }

  private List<InetAddress> lookUp(String host) throws UnknownHostException {
    if (host.startsWith("stuck")) {
      stuck.add(Thread.currentThread());
      awaitUninterruptibly();
    }
    return List.of(InetAddress.getLoopbackAddress());
  }

  private void awaitUninterruptibly() {
    boolean released = false;
    while (!released) {
      try {
        free.await();
        released = true;
      } catch (InterruptedException ignored) {
        // Ignored, as native code does.
      }
    }
  }

  /** Fills all slots with abandoned look-ups. */
  private void fill() throws Exception {
    try (ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<InetAddress>>> results = new ArrayList<>();
      for (int i = 0; i < BoundedResolver.MAX_CONCURRENT; i++) {
        String host = "stuck" + i;
        results.add(waiting.submit(() -> resolver.resolve(host, SHORT)));
      }
      for (Future<List<InetAddress>> result : results) {
        assertThatThrownBy(result::get).hasCauseInstanceOf(SocketTimeoutException.class);
      }
    }
    Eventually.await(stuck::size, size -> size == BoundedResolver.MAX_CONCURRENT);
  }

  @Test
  void abandoned_look_ups_throttle_other_names_but_do_not_fail_them() throws Exception {
    fill();

    assertThatThrownBy(() -> resolver.resolve("healthy", SHORT))
        .isInstanceOf(ThrottledException.class);
    assertThat(stuck).hasSize(BoundedResolver.MAX_CONCURRENT);
  }

  @Test
  void retry_times_grow_while_look_ups_hang() throws Exception {
    fill();
    Duration first = retryIn();
    Duration second = retryIn();
    clock.set(Duration.ofHours(1));
    Duration third = retryIn();
    Duration fourth = retryIn();

    assertThat(first).isEqualTo(ConcurrencyLimit.MIN_RETRY_IN);
    assertThat(second).isGreaterThan(first);
    assertThat(fourth.minus(third)).isGreaterThan(second.minus(first).multipliedBy(100));
  }

  private Duration retryIn() {
    return catchThrowableOfType(
            ThrottledException.class, () -> resolver.resolve("healthy", Duration.ofMillis(2)))
        .retryIn();
  }

  @Test
  void a_waiting_look_up_gets_a_released_slot() throws Exception {
    fill();
    Thread.ofVirtual().start(free::countDown);

    assertThat(resolver.resolve("healthy", LONG)).hasSize(1);
  }

  @Test
  void a_failed_look_up_releases_its_slot() throws Exception {
    try (BoundedResolver failing = new BoundedResolver(TestSenders.NO_NAMES, clock::get)) {
      for (int i = 0; i < 2 * BoundedResolver.MAX_CONCURRENT; i++) {
        assertThatThrownBy(() -> failing.resolve("nowhere", LONG))
            .hasMessage("the host nowhere cannot be resolved");
      }
    }
  }

  @Test
  void after_close_no_look_up_waits_for_a_slot() {
    resolver.close();

    for (int i = 0; i < 2 * BoundedResolver.MAX_CONCURRENT; i++) {
      assertThatThrownBy(() -> resolver.resolve("healthy", LONG))
          .hasMessage("the host healthy cannot be resolved");
    }
  }
}
