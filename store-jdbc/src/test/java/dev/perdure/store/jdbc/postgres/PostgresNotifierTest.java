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

/** A hint reaches whoever listens, here and elsewhere. */
final class PostgresNotifierTest {

  private final PostgresScenario postgresScenario = new PostgresScenario();
  private final JdbcStore other = JdbcStore.open(postgresScenario.database.url());

  @AfterEach
  void close() {
    other.close();
    postgresScenario.close();
  }

  @Test
  void a_listener_of_the_same_store_is_called_at_once() {
    AtomicInteger calls = new AtomicInteger();
    postgresScenario.store.listen(calls::incrementAndGet);
    postgresScenario.store.wake();
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_listener_of_another_store_hears_of_it() throws Exception {
    Semaphore heard = new Semaphore(0);
    other.listen(heard::release);
    untilListening();

    postgresScenario.store.wake();
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void many_wakes_are_few_notifications() throws Exception {
    Semaphore heard = new Semaphore(0);
    other.listen(heard::release);
    untilListening();

    for (int i = 0; i < 10_000; i++) {
      postgresScenario.store.wake();
    }
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    assertThat(heard.availablePermits()).isLessThan(1_000);
  }

  @Test
  void a_listener_that_ended_hears_nothing_more() {
    AtomicInteger calls = new AtomicInteger();
    Subscription subscription = postgresScenario.store.listen(calls::incrementAndGet);
    subscription.close();
    postgresScenario.store.wake();
    assertThat(calls).hasValue(0);
  }

  @Test
  void everybody_is_woken_when_the_connection_came_back() throws Exception {
    Semaphore heard = new Semaphore(0);
    other.listen(heard::release);
    untilListening();
    postgresScenario.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ILIKE 'LISTEN%'
        """);
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();

    postgresScenario.store.wake();
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_data_source_gets_its_connection_back_silent() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(postgresScenario.dataSource());
    config.setMaximumPoolSize(2);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (JdbcStore store = JdbcStore.open(pool)) {
        Semaphore heard = new Semaphore(0);
        store.listen(heard::release);
        untilListening();
        postgresScenario.store.wake();
        assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
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

  /** Until some connection has said LISTEN. */
  private void untilListening() throws Exception {
    try (Connection connection = postgresScenario.database.connect()) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      String listening =
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle' AND query ILIKE 'LISTEN%'
          """;
      while (PostgresScenario.number(connection, listening) == 0) {
        LockSupport.parkNanos(1_000_000);
        assertThat(System.nanoTime()).as("nobody listens").isLessThan(end);
      }
    }
  }
}
