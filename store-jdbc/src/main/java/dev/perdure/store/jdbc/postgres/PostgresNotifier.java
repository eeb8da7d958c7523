// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.TaskStore.Subscription;
import dev.perdure.store.jdbc.sql.InterruptibleSleep;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other processes that there may be work, and hears it from them: one connection of its own,
 * one daemon thread, begun when they are first needed. Listeners of this store are called by the
 * thread that wakes them; others hear of it by NOTIFY, at most one in {@link #POLL_INTERVAL}, never
 * inside a transaction that writes. A hint may be missing: while the connection is away, and after
 * it came back everybody is woken.
 */
final class PostgresNotifier implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);

  /** How long the socket is listened to before what is to be sent is looked at. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(30);
  private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final PostgresExecutor executor;
  private final DataSource dataSource;
  private final String sender = UUID.randomUUID().toString();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean notifyPending = new AtomicBoolean();
  private volatile boolean closed;
  private @Nullable Thread thread;

  PostgresNotifier(PostgresExecutor postgresExecutor, DataSource dataSource) {
    this.executor = postgresExecutor;
    this.dataSource = dataSource;
  }

  Subscription listen(Runnable wake) {
    Listener listener = new Listener(wake);
    listeners.add(listener);
    startThread();
    return () -> listeners.remove(listener);
  }

  void wake() {
    notifyPending.set(true);
    startThread();
    notifyListeners();
  }

  /** Two listeners may share a runnable; each ends by itself. */
  private static final class Listener implements Runnable {

    private final Runnable wake;

    Listener(Runnable wake) {
      this.wake = wake;
    }

    @Override
    public void run() {
      wake.run();
    }
  }

  private synchronized void startThread() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().name("perdure-wakes").daemon().start(this::run);
    }
  }

  private void run() {
    boolean again = false;
    while (!closed) {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(true);
        listenOn(connection, again);
      } catch (SQLException | RuntimeException e) {
        LOG.warn("not listening, tasks are found by polling: {}", e.getMessage());
        InterruptibleSleep.sleep(RECONNECT_DELAY);
      }
      again = true;
    }
  }

  private void listenOn(Connection connection, boolean again) throws SQLException {
    execute(connection, "node.listen");
    if (again) {
      notifyListeners();
    }
    PGConnection postgres = connection.unwrap(PGConnection.class);
    long spoke = System.nanoTime();
    while (!closed) {
      // A connection on which nobody speaks may be dead for hours before anybody notices.
      boolean silent = System.nanoTime() - spoke > KEEPALIVE_INTERVAL.toNanos();
      if (notifyPending.getAndSet(false) || silent) {
        sendNotify(connection);
        spoke = System.nanoTime();
      }
      receive(postgres.getNotifications((int) POLL_INTERVAL.toMillis()));
    }
    // It may go back to a pool, where nobody listens.
    execute(connection, "node.unlisten");
  }

  private void execute(Connection connection, String name) throws SQLException {
    try (NamedParameterStatement namedParameterStatement = executor.statement(connection, name)) {
      namedParameterStatement.update();
    }
  }

  private void sendNotify(Connection connection) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "node.notify")) {
      namedParameterStatement.text("sender", sender).query();
    }
  }

  private void receive(PGNotification @Nullable [] notifications) {
    if (notifications == null) {
      return;
    }
    for (PGNotification notification : notifications) {
      if (!notification.getParameter().equals(sender)) {
        notifyListeners();
        return;
      }
    }
  }

  private void notifyListeners() {
    for (Runnable listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        LOG.warn("a listener failed", e);
      }
    }
  }

  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
    }
    listeners.clear();
    if (running == null) {
      return;
    }
    running.interrupt();
    try {
      running.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
