// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.TaskStore.Subscription;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.docs.DataSourceGuide;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

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
  void listening_takes_no_connection_from_the_applications_pool() throws Exception {
    try (HikariDataSource pool = pool();
        JdbcStore store = JdbcStore.open(pool);
        Engine engine = Engine.on(store)) {
      CountDownLatch ran = new CountDownLatch(1);
      engine.register("mail", String.class, (to, context) -> ran.countDown());
      engine.start();
      awaitListening();
      engine.submit(NewTask.of("mail", "ada"));
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
      engine.stop(Duration.ofSeconds(60));

      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
      Semaphore woken = new Semaphore(0);
      store.listen(woken::release);
      other.wake();
      assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
    assertThat(listeners()).isZero();
  }

  @Test
  void a_wrapped_pool_is_recognized() throws Exception {
    try (HikariDataSource pool = pool();
        JdbcStore store = JdbcStore.open(new Wrapper(pool, true))) {
      store.listen(() -> {});
      awaitListening();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  void an_unknown_pool_is_not_used_for_listening() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (HikariDataSource pool = pool();
        JdbcStore store = JdbcStore.open(new Wrapper(pool, false))) {
      store.listen(calls::incrementAndGet);
      store.wake();
      assertThat(calls).hasValue(1);
      assertThat(listeners()).isZero();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  void an_unknown_pool_can_have_a_data_source_for_listening() throws Exception {
    try (HikariDataSource pool = pool();
        JdbcStore store = DataSourceGuide.open(new Wrapper(pool, false), scenario.dataSource())) {
      Semaphore woken = new Semaphore(0);
      store.listen(woken::release);
      awaitListening();
      other.wake();
      assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  /** The smallest pool that an application can have. */
  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        scenario.database.url().replace("postgres://postgres@", "jdbc:postgresql://"));
    config.setUsername("postgres");
    config.setMaximumPoolSize(1);
    config.setLeakDetectionThreshold(Duration.ofSeconds(2).toMillis());
    return new HikariDataSource(config);
  }

  /** A data source around another one, as a framework may put it; some cannot be unwrapped. */
  private static final class Wrapper extends PGSimpleDataSource {

    private final HikariDataSource pool;
    private final boolean unwraps;

    Wrapper(HikariDataSource pool, boolean unwraps) {
      this.pool = pool;
      this.unwraps = unwraps;
    }

    @Override
    public Connection getConnection() throws SQLException {
      return pool.getConnection();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
      return unwraps && pool.isWrapperFor(type);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      return pool.unwrap(type);
    }
  }

  /** Waits until a connection has executed LISTEN. */
  private void awaitListening() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (listeners() == 0) {
      LockSupport.parkNanos(1_000_000);
      assertThat(System.nanoTime()).as("no connection listens").isLessThan(end);
    }
  }

  /** Counts the connections whose last statement was LISTEN. */
  private long listeners() throws SQLException {
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(
          connection,
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle' AND query ILIKE 'LISTEN%'
          """);
    }
  }
}
