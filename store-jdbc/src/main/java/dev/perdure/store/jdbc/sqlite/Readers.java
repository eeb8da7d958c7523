// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.Settings;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few connections that only read. The writer never holds them up, nor they the writer. */
final class Readers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

  private final SqliteFile file;
  private final Settings settings;
  private final Patience patience;
  private final Semaphore free;
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  Readers(SqliteFile file, Settings settings) {
    this.file = file;
    this.settings = settings;
    this.patience = new Patience(settings.patience());
    this.free = new Semaphore(settings.poolSize(), true);
  }

  <T> T read(Work<T> work) {
    free.acquireUninterruptibly();
    try {
      if (closed) {
        throw SqliteFailures.closed();
      }
      return patience.wait(() -> attempt(work));
    } catch (SQLException e) {
      throw SqliteFailures.toThrow(e);
    } finally {
      free.release();
    }
  }

  private <T> T attempt(Work<T> work) throws SQLException {
    @Nullable Session session = idle.pollFirst();
    if (session == null) {
      session = new Session(file.connectForReading());
    }
    try {
      T answer = work.on(session, session.now(settings.now()));
      idle.addFirst(session);
      return answer;
    } catch (SQLException | RuntimeException e) {
      drop(session);
      throw e;
    } finally {
      if (closed) {
        dropIdle();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    dropIdle();
  }

  private void dropIdle() {
    Session session = idle.pollFirst();
    while (session != null) {
      drop(session);
      session = idle.pollFirst();
    }
  }

  private void drop(Session session) {
    try {
      session.connection().close();
    } catch (SQLException e) {
      LOG.warn("closing a connection to {} failed", file, e);
    }
  }
}
