// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names whose servers do not answer, looked up by native code that nothing can interrupt. */
@Timeout(60)
class LookupsTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CountDownLatch free = new CountDownLatch(1);
  private final Set<Thread> stuck = ConcurrentHashMap.newKeySet();
  private final Lookups lookups = new Lookups(this::look);

  @AfterEach
  void close() {
    free.countDown();
    lookups.close();
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
  private void fill() throws InterruptedException {
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < Lookups.MOST; i++) {
      String host = "stuck" + i;
      waiting.add(
          Thread.ofVirtual()
              .start(
                  () ->
                      assertThatThrownBy(() -> lookups.addresses(host, SHORT))
                          .isInstanceOf(SocketTimeoutException.class)));
    }
    for (Thread thread : waiting) {
      thread.join();
    }
  }

  @Test
  void those_that_were_abandoned_are_no_fault_of_another_name() throws Exception {
    fill();

    assertThatThrownBy(() -> lookups.addresses("healthy", SHORT))
        .isInstanceOf(NoRoomException.class);
    assertThat(stuck).hasSize(Lookups.MOST);
  }

  @Test
  void who_waits_gets_the_place_of_one_that_ended() throws Exception {
    fill();
    Thread.ofVirtual().start(free::countDown);

    assertThat(lookups.addresses("healthy", LONG)).hasSize(1);
  }

  @Test
  void one_that_fails_gives_its_place_back() throws Exception {
    try (Lookups failing = new Lookups(Senders.NO_NAMES)) {
      for (int i = 0; i < 2 * Lookups.MOST; i++) {
        assertThatThrownBy(() -> failing.addresses("nowhere", LONG))
            .hasMessage("the name nowhere cannot be found");
      }
    }
  }

  @Test
  void after_the_end_nobody_waits_for_a_place() {
    lookups.close();

    for (int i = 0; i < 2 * Lookups.MOST; i++) {
      assertThatThrownBy(() -> lookups.addresses("healthy", LONG))
          .hasMessage("the name healthy cannot be found");
    }
  }
}
