// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.TaskStore;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.ResponseStream;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one node hears of another, without the refresh every few seconds. */
class ClusterEventsTest {

  private static final String TASK = "{\"kind\": \"mail\"}";

  @TempDir private Path folder;

  /** Counts down for each event about tasks. */
  private record Client(CountDownLatch tasks) implements ResponseStream {

    @Override
    public void send(byte[] chunk, Consumer<Boolean> callback) {
      if (new String(chunk, StandardCharsets.UTF_8).contains("event: tasks")) {
        tasks.countDown();
      }
      callback.accept(true);
    }

    @Override
    public void end() {}

    @Override
    public void abort() {}
  }

  @Test
  void the_end_of_a_task_on_one_node_reaches_the_streams_of_another() throws Exception {
    String url = TestDatabase.POSTGRES.url(folder);
    CountDownLatch heard = new CountDownLatch(1);
    try (TestServer other = TestServer.in(folder, Map.of(Settings.DATABASE_URL, url));
        JdbcStore store = JdbcStore.open(url);
        EventStreams streams =
            new EventStreams(9, headers -> Caller.ANYONE, () -> Duration.ZERO, () -> "{}")) {
      String id = other.post("/task", TASK).json().get(0).get("id").stringValue();
      Request request =
          Request.of(
              "GET",
              "/events",
              QueryParameters.parse(""),
              Headers.from(each -> {}),
              () -> new byte[0]);
      Objects.requireNonNull(streams.watch(request).streaming()).open(new Client(heard));
      try (TaskStore.Subscription changes =
          store.listenForChanges(
              () -> {
                streams.markAllChanged();
                streams.flush();
              })) {
        other.request("DELETE", "/task/" + id);

        assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(changes).isNotNull();
      }
    }
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
