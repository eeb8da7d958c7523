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
 * Wakes listeners in this and other processes with LISTEN and NOTIFY when there may be work. It
 * uses one connection and one daemon thread, which it starts on first use. Listeners of this store
 * are called directly on the waking thread. Other processes get at most one NOTIFY per {@link
 * #POLL_INTERVAL}, never inside a transaction that writes. Notifications can be lost while the
 * connection is down; after a reconnect all listeners are woken. Without a data source for the
 * connection, it wakes only the listeners of this store.
 */
final class PostgresNotifier implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);

  /** How long one read of the socket waits for notifications before pending ones are sent. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** How often at most other processes are told that tasks have changed. */
  private static final Duration ANNOUNCE_INTERVAL = Duration.ofSeconds(1);

  /** Ends the payload that says that tasks have changed. Without it, there may be work. */
  private static final String CHANGED = ":changed";

  private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(30);
  private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final PostgresExecutor executor;
  private final @Nullable DataSource dataSource;
  private final String sender = UUID.randomUUID().toString();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> changeListeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean notifyPending = new AtomicBoolean();
  private final AtomicBoolean changesPending = new AtomicBoolean();
  private volatile boolean closed;
  private @Nullable Thread thread;

  PostgresNotifier(PostgresExecutor executor, @Nullable DataSource dataSource) {
    this.executor = executor;
    this.dataSource = dataSource;
  }

  Subscription listen(Runnable wake) {
    return add(listeners, wake);
  }

  Subscription listenForChanges(Runnable changed) {
    return add(changeListeners, changed);
  }

  private Subscription add(List<Runnable> all, Runnable callback) {
    Listener listener = new Listener(callback);
    all.add(listener);
    startThread();
    return () -> all.remove(listener);
  }

  void announceChanges() {
    if (!changesPending.getAndSet(true)) {
      startThread();
    }
  }

  void wake() {
    notifyPending.set(true);
    startThread();
    notifyAll(listeners);
  }

  /** Gives each subscription its own identity, because two subscriptions can share a runnable. */
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
    DataSource connections = dataSource;
    if (thread == null && connections != null && !closed) {
      thread = Thread.ofPlatform().name("perdure-notifier").daemon().start(() -> run(connections));
    }
  }

  private void run(DataSource connections) {
    boolean reconnected = false;
    while (!closed) {
      try (Connection connection = connections.getConnection()) {
        connection.setAutoCommit(true);
        listenOn(connection, reconnected);
      } catch (SQLException | RuntimeException e) {
        if (closed) {
          return; // Closing interrupts the connection.
        }
        LOG.warn(
            "LISTEN failed, tasks are found by polling until it works again: {}", e.getMessage());
        InterruptibleSleep.sleep(RECONNECT_DELAY);
      }
      reconnected = true;
    }
  }

  private void listenOn(Connection connection, boolean reconnected) throws SQLException {
    execute(connection, "node.listen");
    if (reconnected) {
      notifyAll(listeners);
      notifyAll(changeListeners);
    }
    PGConnection postgres = connection.unwrap(PGConnection.class);
    long lastSent = System.nanoTime();
    long lastAnnounced = lastSent - ANNOUNCE_INTERVAL.toNanos();
    while (!closed) {
      // An idle connection can be dead for hours before the driver notices.
      boolean idle = System.nanoTime() - lastSent > KEEPALIVE_INTERVAL.toNanos();
      if (notifyPending.getAndSet(false) || idle) {
        sendNotify(connection, sender);
        lastSent = System.nanoTime();
      }
      boolean mayAnnounce = System.nanoTime() - lastAnnounced >= ANNOUNCE_INTERVAL.toNanos();
      if (mayAnnounce && changesPending.getAndSet(false)) {
        sendNotify(connection, sender + CHANGED);
        lastAnnounced = System.nanoTime();
      }
      receive(postgres.getNotifications((int) POLL_INTERVAL.toMillis()));
    }
    // It may return to a pool that the caller owns, where nothing reads notifications.
    execute(connection, "node.unlisten");
  }

  private void execute(Connection connection, String name) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, name)) {
      statement.update();
    }
  }

  private void sendNotify(Connection connection, String payload) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "node.notify")) {
      statement.text("sender", payload).query();
    }
  }

  private void receive(PGNotification @Nullable [] notifications) {
    if (notifications == null) {
      return;
    }
    boolean woken = false;
    boolean changed = false;
    for (PGNotification notification : notifications) {
      String payload = notification.getParameter();
      if (!payload.startsWith(sender)) {
        changed |= payload.endsWith(CHANGED);
        woken |= !payload.endsWith(CHANGED);
      }
    }
    if (woken) {
      notifyAll(listeners);
    }
    if (changed) {
      notifyAll(changeListeners);
    }
  }

  private static void notifyAll(List<Runnable> all) {
    for (Runnable listener : all) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        LOG.warn("a wake listener failed", e);
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
    changeListeners.clear();
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
