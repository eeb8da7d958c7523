// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hanging peers hold their share of the slots and nothing more. */
@Timeout(60)
class SlowPeersTest {

  private static final int MANY = 500;
  private static final int CONCURRENCY = 16;
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final BlockingQueue<CallResult> results = new LinkedBlockingQueue<>();

  private List<Thread> calls(GuardedHttpSender sender, String url, Duration timeout) {
    return IntStream.range(0, MANY)
        .mapToObj(i -> TestSenders.get(url.replace("{i}", "" + i), timeout))
        .map(call -> Thread.ofVirtual().start(() -> results.add(sender.send(call))))
        .toList();
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static SenderOptions options() {
    return TestSenders.options().withConcurrency(CONCURRENCY);
  }

  /** A call that waited for the hanging host would hold a slot that others need. */
  @Test
  void five_hundred_calls_to_a_hanging_host_leave_slots_for_others() throws Exception {
    List<Thread> stuck;
    try (ScriptedPeer hanging = ScriptedPeer.hanging();
        ScriptedPeer quick = ScriptedPeer.respondingWith(OK);
        GuardedHttpSender sender =
            TestSenders.allowing("127.0.0.1", TestSenders.NO_NAMES, options())) {
      stuck = calls(sender, hanging.url(), TestSenders.LONG);
      hanging.awaitArrivals(CONCURRENCY / 4);
      for (int i = 0; i < MANY - CONCURRENCY / 4; i++) {
        assertThat(results.take()).isInstanceOf(CallResult.Throttled.class);
      }

      assertThat(sender.send(TestSenders.get(quick.url(), Duration.ofSeconds(10))))
          .hasToString("response 200");
      assertThat(hanging.accepted()).isEqualTo(CONCURRENCY / 4);
    }
    join(stuck);
    assertThat(results).hasSize(CONCURRENCY / 4).allMatch(CallResult.TimedOut.class::isInstance);
  }

  @Test
  void many_hanging_hosts_hold_all_slots_and_no_more() throws Exception {
    List<Thread> stuck;
    try (ScriptedPeer hanging = ScriptedPeer.hanging();
        ScriptedPeer quick = ScriptedPeer.respondingWith(OK);
        GuardedHttpSender sender =
            TestSenders.allowing("127.0.0.1", TestSenders.resolvingTo("127.0.0.1"), options())) {
      stuck = calls(sender, hostsAt(hanging), TestSenders.LONG);
      hanging.awaitArrivals(CONCURRENCY);

      assertThat(sender.send(TestSenders.get(quick.url(), Duration.ofMillis(300))))
          .isInstanceOf(CallResult.Throttled.class);
      assertThat(hanging.accepted()).isEqualTo(CONCURRENCY);
      assertThat(quick.accepted()).isZero();
    }
    join(stuck);
  }

  @Test
  void hanging_hosts_release_their_slots_at_the_timeout() throws Exception {
    try (ScriptedPeer hanging = ScriptedPeer.hanging();
        ScriptedPeer quick = ScriptedPeer.respondingWith(OK);
        GuardedHttpSender sender =
            TestSenders.allowing("127.0.0.1", TestSenders.resolvingTo("127.0.0.1"), options())) {
      join(calls(sender, hostsAt(hanging), Duration.ofMillis(500)));

      assertThat(sender.send(TestSenders.get(quick.url(), TestSenders.LONG)))
          .hasToString("response 200");
      assertThat(results)
          .hasSize(MANY)
          .anyMatch(CallResult.TimedOut.class::isInstance)
          .allMatch(
              result ->
                  result instanceof CallResult.TimedOut || result instanceof CallResult.Throttled);
    }
  }

  private static String hostsAt(ScriptedPeer peer) {
    return "http://host{i}.test:" + peer.port() + "/";
  }

  @Test
  void hanging_look_ups_do_not_block_the_carrier_threads() throws Exception {
    Queue<Boolean> virtual = new ConcurrentLinkedQueue<>();
    NameResolver stuck =
        host -> {
          virtual.add(Thread.currentThread().isVirtual());
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new UnknownHostException(host);
        };
    SenderOptions manySlots = TestSenders.options().withConcurrency(2 * MANY);
    try (ScriptedPeer quick = ScriptedPeer.respondingWith(OK);
        GuardedHttpSender sender = TestSenders.allowing("127.0.0.1", stuck, manySlots)) {
      List<Thread> waiting = calls(sender, "http://host{i}.test/", Duration.ofMillis(300));

      assertThat(sender.send(TestSenders.get(quick.url(), TestSenders.LONG)))
          .hasToString("response 200");
      join(waiting);
      assertThat(virtual).isNotEmpty().doesNotContain(true);
    }
  }

  @Test
  void hanging_names_do_not_make_another_name_fail() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    NameResolver uninterruptible =
        host -> {
          while (free.getCount() > 0) {
            // Ignores interrupts, like native code.
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
          }
          throw new UnknownHostException(host);
        };
    SenderOptions many = TestSenders.options().withConcurrency(4 * BoundedResolver.MAX_CONCURRENT);
    try (GuardedHttpSender sender =
        TestSenders.allowing(
            "127.0.0.1", uninterruptible, many.withConnectTimeout(Duration.ofMillis(300)))) {
      join(calls(sender, "http://host{i}.test/", TestSenders.LONG));

      assertThat(sender.send(TestSenders.get("http://another.test/")))
          .isInstanceOf(CallResult.Throttled.class);
      assertThat(results.stream().filter(CallResult.TimedOut.class::isInstance))
          .hasSize(BoundedResolver.MAX_CONCURRENT);
    } finally {
      free.countDown();
    }
  }
}
