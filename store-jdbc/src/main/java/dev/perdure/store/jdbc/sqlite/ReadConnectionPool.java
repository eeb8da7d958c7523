// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few connections that only read. The writer never holds them up, nor they the writer. */
final class ReadConnectionPool implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadConnectionPool.class);

  private final SqliteFile file;
  private final StoreSettings storeSettings;
  private final BusyRetry busyRetry;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<SqliteSession> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  ReadConnectionPool(SqliteFile file, StoreSettings storeSettings) {
    this.file = file;
    this.storeSettings = storeSettings;
    this.busyRetry = new BusyRetry(storeSettings.retryTimeout());
    this.permits = new Semaphore(storeSettings.poolSize(), true);
  }

  <T> T read(SqliteOperation<T> sqliteOperation) {
    permits.acquireUninterruptibly();
    try {
      if (closed) {
        throw SqliteErrors.storeClosed();
      }
      return busyRetry.run(() -> tryRead(sqliteOperation));
    } catch (SQLException e) {
      throw SqliteErrors.toThrow(e);
    } finally {
      permits.release();
    }
  }

  private <T> T tryRead(SqliteOperation<T> sqliteOperation) throws SQLException {
    @Nullable SqliteSession sqliteSession = idle.pollFirst();
    if (sqliteSession == null) {
      sqliteSession = new SqliteSession(file.connectForReading());
    }
    try {
      T answer = sqliteOperation.run(sqliteSession, sqliteSession.now(storeSettings.now()));
      idle.addFirst(sqliteSession);
      return answer;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(sqliteSession);
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
    SqliteSession sqliteSession = idle.pollFirst();
    while (sqliteSession != null) {
      closeQuietly(sqliteSession);
      sqliteSession = idle.pollFirst();
    }
  }

  private void closeQuietly(SqliteSession sqliteSession) {
    try {
      sqliteSession.connection().close();
    } catch (SQLException e) {
      LOG.warn("closing a connection to {} failed", file, e);
    }
  }
}
