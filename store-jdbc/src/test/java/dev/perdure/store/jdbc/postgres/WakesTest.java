// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.engine.store.TaskStore.Listening;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hint reaches whoever listens, here and elsewhere. */
final class WakesTest {

  private final Scene scene = new Scene();
  private final JdbcStore other = JdbcStore.open(scene.database.url());

  @AfterEach
  void close() {
    other.close();
    scene.close();
  }

  @Test
  void a_listener_of_the_same_store_is_called_at_once() {
    AtomicInteger calls = new AtomicInteger();
    scene.store.listen(calls::incrementAndGet);
    scene.store.wake();
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_listener_of_another_store_hears_of_it() throws Exception {
    Semaphore heard = new Semaphore(0);
    other.listen(heard::release);
    untilListening();

    scene.store.wake();
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void many_wakes_are_few_notifications() throws Exception {
    Semaphore heard = new Semaphore(0);
    other.listen(heard::release);
    untilListening();

    for (int i = 0; i < 10_000; i++) {
      scene.store.wake();
    }
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    assertThat(heard.availablePermits()).isLessThan(1_000);
  }

  @Test
  void a_listener_that_ended_hears_nothing_more() {
    AtomicInteger calls = new AtomicInteger();
    Listening listening = scene.store.listen(calls::incrementAndGet);
    listening.close();
    scene.store.wake();
    assertThat(calls).hasValue(0);
  }

  @Test
  void everybody_is_woken_when_the_connection_came_back() throws Exception {
    Semaphore heard = new Semaphore(0);
    other.listen(heard::release);
    untilListening();
    scene.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ILIKE 'LISTEN%'
        """);
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();

    scene.store.wake();
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_data_source_gets_its_connection_back_silent() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(scene.dataSource());
    config.setMaximumPoolSize(2);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (JdbcStore store = JdbcStore.open(pool)) {
        Semaphore heard = new Semaphore(0);
        store.listen(heard::release);
        untilListening();
        scene.store.wake();
        assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
      try (Connection first = pool.getConnection();
          Connection second = pool.getConnection()) {
        String listening = "SELECT count(*) FROM pg_listening_channels()";
        assertThat(Scene.number(first, listening) + Scene.number(second, listening)).isZero();
      }
    }
  }

  /** Until some connection has said LISTEN. */
  private void untilListening() throws Exception {
    try (Connection connection = scene.database.connect()) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      String listening =
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle' AND query ILIKE 'LISTEN%'
          """;
      while (Scene.number(connection, listening) == 0) {
        LockSupport.parkNanos(1_000_000);
        assertThat(System.nanoTime()).as("nobody listens").isLessThan(end);
      }
    }
  }
}
