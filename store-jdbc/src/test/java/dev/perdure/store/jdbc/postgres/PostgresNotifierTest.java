// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.engine.spi.TaskStore.Subscription;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A wake reaches the listeners in this and other processes. */
final class PostgresNotifierTest {

  private final PostgresScenario scenario = new PostgresScenario();
  private final JdbcStore other = JdbcStore.open(scenario.database.url());

  @AfterEach
  void close() {
    other.close();
    scenario.close();
  }

  @Test
  void a_listener_of_the_same_store_is_called_directly() {
    AtomicInteger calls = new AtomicInteger();
    scenario.store.listen(calls::incrementAndGet);
    scenario.store.wake();
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_listener_of_another_store_is_notified() throws Exception {
    Semaphore woken = new Semaphore(0);
    other.listen(woken::release);
    awaitListening();

    scenario.store.wake();
    assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void many_wakes_are_merged_into_few_notifications() throws Exception {
    Semaphore woken = new Semaphore(0);
    other.listen(woken::release);
    awaitListening();

    for (int i = 0; i < 10_000; i++) {
      scenario.store.wake();
    }
    assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    assertThat(woken.availablePermits()).isLessThan(1_000);
  }

  @Test
  void a_closed_subscription_is_not_notified() {
    AtomicInteger calls = new AtomicInteger();
    Subscription subscription = scenario.store.listen(calls::incrementAndGet);
    subscription.close();
    scenario.store.wake();
    assertThat(calls).hasValue(0);
  }

  @Test
  void all_listeners_are_woken_after_a_reconnect() throws Exception {
    Semaphore woken = new Semaphore(0);
    other.listen(woken::release);
    awaitListening();
    scenario.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ILIKE 'LISTEN%'
        """);
    assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();

    scenario.store.wake();
    assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_connection_is_returned_to_its_data_source_without_a_listen() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(scenario.dataSource());
    config.setMaximumPoolSize(2);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (JdbcStore store = JdbcStore.open(pool)) {
        Semaphore woken = new Semaphore(0);
        store.listen(woken::release);
        awaitListening();
        scenario.store.wake();
        assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
      try (Connection first = pool.getConnection();
          Connection second = pool.getConnection()) {
        String listening = "SELECT count(*) FROM pg_listening_channels()";
        assertThat(
                PostgresScenario.number(first, listening)
                    + PostgresScenario.number(second, listening))
            .isZero();
      }
    }
  }

  /** Waits until a connection has executed LISTEN. */
  private void awaitListening() throws Exception {
    try (Connection connection = scenario.database.connect()) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      String listening =
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle' AND query ILIKE 'LISTEN%'
          """;
      while (PostgresScenario.number(connection, listening) == 0) {
        LockSupport.parkNanos(1_000_000);
        assertThat(System.nanoTime()).as("no connection listens").isLessThan(end);
      }
    }
  }
}
