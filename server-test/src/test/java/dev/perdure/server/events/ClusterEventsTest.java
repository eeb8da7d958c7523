// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.ResponseStream;
import dev.perdure.store.jdbc.JdbcStore;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one node hears of another, without the refresh every few seconds. */
class ClusterEventsTest {

  private static final String TASK = "{\"kind\": \"mail\"}";
  private static final String SCHEDULE =
      "{\"name\": \"s\", \"trigger\": {\"every\": \"1h\"}, \"task\": {\"kind\": \"a\"}}";

  @TempDir private Path folder;

  /** Keeps what it was sent. */
  private static final class Client implements ResponseStream {

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void send(byte[] chunk, Consumer<Boolean> callback) {
      new String(chunk, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("event: "))
          .forEach(events::add);
      callback.accept(true);
    }

    @Override
    public void end() {}

    @Override
    public void abort() {}

    /** Waits until nothing has come for longer than announcements are merged. */
    void awaitSilence() throws InterruptedException {
      String event;
      do {
        event = events.poll(2, TimeUnit.SECONDS);
      } while (event != null);
    }

    /** Waits for this event; returns how long it took. */
    Duration await(String name) throws InterruptedException {
      long start = System.nanoTime();
      String event = "";
      while (event != null && !event.equals("event: " + name)) {
        event = events.poll(20, TimeUnit.SECONDS);
      }
      assertThat(event).isNotNull();
      return Duration.ofNanos(System.nanoTime() - start);
    }
  }

  /** Here nothing but the other node's notification can cause an event: there is no ticker. */
  @Test
  void what_one_node_does_reaches_the_streams_of_another_at_once() throws Exception {
    String url = TestDatabase.POSTGRES.url(folder);
    Client client = new Client();
    try (TestServer other = TestServer.in(folder, Map.of(Settings.DATABASE_URL, url));
        JdbcStore store = JdbcStore.open(url);
        EventStreams streams =
            new EventStreams(9, headers -> Caller.ANYONE, () -> Duration.ZERO, () -> "{}")) {
      Request request =
          Request.of(
              "GET",
              "/events",
              QueryParameters.parse(""),
              Headers.from(each -> {}),
              () -> new byte[0]);
      Objects.requireNonNull(streams.watch(request).streaming()).open(client);
      try (TaskStore.Subscription changes =
          store.listenForChanges(
              () -> {
                streams.markOthersChanged();
                streams.flush();
              })) {
        assertThat(changes).isNotNull();
        // Until the store listens, nothing is heard.
        Eventually.await(
            () -> {
              other.post("/task", TASK);
              return client.events.poll(1, TimeUnit.SECONDS);
            },
            Objects::nonNull);
        client.awaitSilence();
        other.post("/schedule", SCHEDULE);
        client.await("schedules");

        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          String id = other.post("/task", TASK).json().get(0).get("id").stringValue();
          client.await("tasks");
          client.events.clear();
          other.request("DELETE", "/task/" + id);
          waits.add(client.await("tasks"));
        }
        // A second, and two more for a busy machine; without the notification it never came.
        assertThat(Collections.min(waits)).isLessThan(Duration.ofSeconds(3));
      }
    }
  }

  @Test
  void deliveries_and_firings_that_fail_are_announced_too() {
    List<String> calls = new ArrayList<>();
    TaskStore store =
        (TaskStore)
            Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(),
                new Class<?>[] {TaskStore.class},
                (self, method, arguments) -> {
                  calls.add(method.getName());
                  return null;
                });
    ChangeAnnouncer announcer = new ChangeAnnouncer(store);
    announcer.onDeliveryAttempted("on_failure", DeliveryOutcome.SENT, Duration.ZERO);
    announcer.onFiringFailed(List.of());

    assertThat(calls).containsExactly("announceChanges", "announceChanges");
  }

  @Test
  void an_announcement_reaches_other_stores_only_and_makes_no_one_look_for_work() throws Exception {
    String url = TestDatabase.POSTGRES.url(folder);
    CountDownLatch heard = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    AtomicInteger own = new AtomicInteger();
    try (JdbcStore one = JdbcStore.open(url);
        JdbcStore other = JdbcStore.open(url);
        TaskStore.Subscription first = one.listenForChanges(own::incrementAndGet);
        TaskStore.Subscription second = other.listenForChanges(heard::countDown);
        TaskStore.Subscription third = other.listen(woken::countDown)) {
      // The other store may still be connecting.
      for (int i = 0; i < 20 && heard.getCount() > 0; i++) {
        one.announceChanges();
        boolean unused = heard.await(1, TimeUnit.SECONDS);
      }
      assertThat(heard.getCount()).isZero();
      assertThat(woken.getCount()).isOne();
      one.wake();
      assertThat(woken.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(own.get()).isZero();
      assertThat(first).isNotSameAs(second).isNotSameAs(third);
    }
  }
}
