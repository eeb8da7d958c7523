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

/** Names whose servers do not answer, looked up by native code that nothing can interrupt. */
@Timeout(60)
class BoundedResolverTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CountDownLatch free = new CountDownLatch(1);
  private final Set<Thread> stuck = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);
  private final BoundedResolver resolver = new BoundedResolver(this::look, clock::get);

  @AfterEach
  void close() {
    free.countDown();
    resolver.close();
  }

  private List<InetAddress> look(String host) throws UnknownHostException {
    if (host.startsWith("stuck")) {
      stuck.add(Thread.currentThread());
      awaitDeafly();
    }
    return List.of(InetAddress.getLoopbackAddress());
  }

  private void awaitDeafly() {
    boolean released = false;
    while (!released) {
      try {
        free.await();
        released = true;
      } catch (InterruptedException ignored) {
        // As native code does.
      }
    }
  }

  /** All places are taken by look-ups that everybody has given up waiting for. */
  private void fill() throws Exception {
    try (ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<InetAddress>>> answers = new ArrayList<>();
      for (int i = 0; i < BoundedResolver.MAX_CONCURRENT; i++) {
        String host = "stuck" + i;
        answers.add(waiting.submit(() -> resolver.resolve(host, SHORT)));
      }
      for (Future<List<InetAddress>> answer : answers) {
        assertThatThrownBy(answer::get).hasCauseInstanceOf(SocketTimeoutException.class);
      }
    }
    Eventually.await(stuck::size, size -> size == BoundedResolver.MAX_CONCURRENT);
  }

  @Test
  void those_that_were_abandoned_are_no_fault_of_another_name() throws Exception {
    fill();

    assertThatThrownBy(() -> resolver.resolve("healthy", SHORT))
        .isInstanceOf(ThrottledException.class);
    assertThat(stuck).hasSize(BoundedResolver.MAX_CONCURRENT);
  }

  @Test
  void who_finds_no_place_comes_again_later_the_longer_they_hang() throws Exception {
    fill();
    Duration first = turn();
    Duration second = turn();
    clock.set(Duration.ofHours(1));
    Duration third = turn();
    Duration fourth = turn();

    assertThat(first).isEqualTo(ConcurrencyLimit.MIN_RETRY_IN);
    assertThat(second).isGreaterThan(first);
    assertThat(fourth.minus(third)).isGreaterThan(second.minus(first).multipliedBy(100));
  }

  private Duration turn() {
    return catchThrowableOfType(
            ThrottledException.class, () -> resolver.resolve("healthy", Duration.ofMillis(2)))
        .retryIn();
  }

  @Test
  void who_waits_gets_the_place_of_one_that_ended() throws Exception {
    fill();
    Thread.ofVirtual().start(free::countDown);

    assertThat(resolver.resolve("healthy", LONG)).hasSize(1);
  }

  @Test
  void one_that_fails_gives_its_place_back() throws Exception {
    try (BoundedResolver failing = new BoundedResolver(TestSenders.NO_NAMES, clock::get)) {
      for (int i = 0; i < 2 * BoundedResolver.MAX_CONCURRENT; i++) {
        assertThatThrownBy(() -> failing.resolve("nowhere", LONG))
            .hasMessage("the host nowhere cannot be resolved");
      }
    }
  }

  @Test
  void after_the_end_nobody_waits_for_a_place() {
    resolver.close();

    for (int i = 0; i < 2 * BoundedResolver.MAX_CONCURRENT; i++) {
      assertThatThrownBy(() -> resolver.resolve("healthy", LONG))
          .hasMessage("the host healthy cannot be resolved");
    }
  }
}
