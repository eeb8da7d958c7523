// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A small pool of read-only connections. Readers and the writer do not block each other. */
final class ReadConnectionPool implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadConnectionPool.class);

  private final SqliteFile file;
  private final StoreSettings settings;
  private final BusyRetry busyRetry;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<SqliteSession> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  ReadConnectionPool(SqliteFile file, StoreSettings settings) {
    this.file = file;
    this.settings = settings;
    this.busyRetry = new BusyRetry(settings.retryTimeout());
    this.permits = new Semaphore(settings.poolSize(), true);
  }

  <T> T read(SqliteOperation<T> operation) {
    permits.acquireUninterruptibly();
    try {
      if (closed) {
        throw SqliteErrors.storeClosed();
      }
      return busyRetry.run(() -> tryRead(operation));
    } catch (SQLException e) {
      throw SqliteErrors.toThrow(e);
    } finally {
      permits.release();
    }
  }

  /** Returns the number of connections that are open and not in use. */
  int idle() {
    return idle.size();
  }

  int inUse() {
    return settings.poolSize() - permits.availablePermits();
  }

  private <T> T tryRead(SqliteOperation<T> operation) throws SQLException {
    @Nullable SqliteSession session = idle.pollFirst();
    if (session == null) {
      session = new SqliteSession(file.connectForReading());
    }
    try {
      T result = operation.run(session, session.now(settings.now()));
      idle.addFirst(session);
      return result;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(session);
      throw e;
    } finally {
      if (closed) {
        closeIdle();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }

  private void closeIdle() {
    SqliteSession session = idle.pollFirst();
    while (session != null) {
      closeQuietly(session);
      session = idle.pollFirst();
    }
  }

  private void closeQuietly(SqliteSession session) {
    try {
      session.connection().close();
    } catch (SQLException e) {
      LOG.warn("a connection to {} could not be closed", file, e);
    }
  }
}
