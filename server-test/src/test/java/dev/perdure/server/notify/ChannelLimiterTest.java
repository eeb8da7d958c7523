// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.notify.Admission.LeaveOut;
import dev.perdure.server.notify.Admission.Send;
import dev.perdure.server.notify.Admission.SendSummary;
import dev.perdure.server.notify.Admission.Wait;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.ChannelStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelLimiterTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Channel OPS =
      new Channel("ops", ChannelType.SLACK, WebhookUrl.parse("https://a.b/c"), null, null);

  @TempDir private Path folder;
  private volatile Instant now = START;

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void many_threads_of_two_nodes_send_twenty_and_count_the_rest(TestDatabase database)
      throws Exception {
    String url = database.url(folder);
    try (JdbcStore one = JdbcStore.builder().url(url).clock(() -> now).open();
        JdbcStore two = JdbcStore.builder().url(url).clock(() -> now).open()) {
      List<ChannelLimiter> nodes =
          List.of(
              new ChannelLimiter(one.channels(), id -> Optional.of(START)),
              new ChannelLimiter(two.channels(), id -> Optional.of(START)));
      Map<UUID, Admission> answers = admitAtOnce(nodes, 300);

      Map<Class<?>, Long> counts =
          answers.values().stream()
              .collect(Collectors.groupingBy(Admission::getClass, Collectors.counting()));
      assertThat(counts).isEqualTo(Map.of(Send.class, 20L, Wait.class, 1L, LeaveOut.class, 279L));
      now = START.plus(Duration.ofMinutes(1));
      UUID carrier =
          answers.entrySet().stream()
              .filter(answer -> answer.getValue() instanceof Wait)
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow();
      SendSummary summary = (SendSummary) nodes.get(1).admit(OPS, carrier, NotifyEvent.FAILURE);
      assertThat(summary.summary().leftOut()).containsExactly(Map.entry(NotifyEvent.FAILURE, 280L));
      assertThat(nodes.get(0).summarySent(OPS, summary.summary())).isZero();
    }
  }

  private static Map<UUID, Admission> admitAtOnce(List<ChannelLimiter> nodes, int count)
      throws Exception {
    Map<UUID, Admission> answers = new ConcurrentHashMap<>();
    List<Future<?>> asked = new ArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        UUID id = new UUID(0, i);
        ChannelLimiter node = nodes.get(i % nodes.size());
        asked.add(
            threads.submit(
                () -> {
                  go.await();
                  return answers.put(id, node.admit(OPS, id, NotifyEvent.FAILURE));
                }));
      }
      go.countDown();
    }
    for (Future<?> one : asked) {
      one.get();
    }
    return answers;
  }

  /** A store that another node writes to all the time, or that is away. */
  private static final class ScriptedStore implements ChannelStore {
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private volatile boolean away;
    private volatile boolean busy;

    @Override
    public ChannelUsage find(String channel) {
      reads.incrementAndGet();
      try {
        mayRead.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (away) {
        throw new StoreException("down", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      return new ChannelUsage(0, null, START);
    }

    @Override
    public boolean write(String channel, long version, String usage) {
      writes.incrementAndGet();
      return !busy;
    }
  }

  @Test
  void messages_that_wait_are_decided_together() throws Exception {
    ScriptedStore store = new ScriptedStore();
    ChannelLimiter limiter = new ChannelLimiter(store, id -> Optional.of(START));
    CountDownLatch started = new CountDownLatch(100);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        UUID id = new UUID(0, i);
        threads.execute(
            () -> {
              started.countDown();
              limiter.admit(OPS, id, NotifyEvent.FAILURE);
            });
      }
      started.await();
      while (limiter.waiting("ops") < 90) {
        Thread.onSpinWait();
      }
      store.mayRead.countDown();
    }
    assertThat(store.writes.get()).isLessThanOrEqualTo(11);
  }

  @Test
  void a_message_waits_while_other_nodes_write_all_the_time() {
    ScriptedStore store = new ScriptedStore();
    store.mayRead.countDown();
    store.busy = true;
    ChannelLimiter limiter = new ChannelLimiter(store, id -> Optional.of(START));

    assertThat(limiter.admit(OPS, new UUID(0, 1), NotifyEvent.FAILURE))
        .isEqualTo(new Wait(Duration.ofSeconds(1)));
    assertThat(store.reads).hasValue(50);
  }

  @Test
  void an_unreachable_database_fails_each_message_that_asks() {
    ScriptedStore store = new ScriptedStore();
    store.mayRead.countDown();
    store.away = true;
    ChannelLimiter limiter = new ChannelLimiter(store, id -> Optional.of(START));

    assertThatThrownBy(() -> limiter.admit(OPS, new UUID(0, 1), NotifyEvent.FAILURE))
        .isInstanceOf(StoreException.class);
    store.away = false;
    assertThat(limiter.admit(OPS, new UUID(0, 1), NotifyEvent.FAILURE)).isEqualTo(new Send());
  }
}
