// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread of a store that writes to the SQLite file. It takes all queued operations, runs
 * them in one transaction, and completes them after one commit. While a commit is synced to disk,
 * the next group forms in the queue. A single operation is written alone and at once.
 *
 * <p>Each operation runs within a savepoint, so that a failed one rolls back only its own writes.
 * If SQLite rolls back the whole transaction by itself, for example because the disk is full, the
 * operations are repeated, each in its own transaction. A failed commit fails all operations of its
 * group.
 *
 * <p>After any failure beyond a single operation the connection is closed and replaced, because its
 * state is unknown. Closing it rolls back uncommitted writes.
 *
 * <p>Only {@link #close} ends the thread. Even an OutOfMemoryError does not, because callers would
 * wait forever.
 */
final class GroupCommitWriter implements AutoCloseable {

  static final int MAX_QUEUED = 1_024;
  static final int MAX_GROUP_SIZE = 256;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommitWriter.class);

  private final SqliteFile file;
  private final StoreSettings settings;
  private final BusyRetry busyRetry;
  private final WriteQueue queue = new WriteQueue(MAX_QUEUED);
  private final AtomicLong commits = new AtomicLong();
  private final Thread thread;
  private @Nullable WriteSession session;

  private GroupCommitWriter(SqliteFile file, StoreSettings settings) {
    this.file = file;
    this.settings = settings;
    this.busyRetry = new BusyRetry(settings.retryTimeout());
    this.thread = Thread.ofPlatform().name("perdure-sqlite-writer").daemon().unstarted(this::run);
  }

  static GroupCommitWriter start(SqliteFile file, StoreSettings settings) {
    GroupCommitWriter writer = new GroupCommitWriter(file, settings);
    writer.thread.start();
    return writer;
  }

  /** Runs the operation and returns when its writes are durable. */
  <T> T write(SqliteOperation<T> operation) {
    WriteRequest<T> request = new WriteRequest<>(operation);
    queue.add(request);
    return request.await();
  }

  /** Returns the number of committed transactions. */
  long commits() {
    return commits.get();
  }

  /** Returns the number of queued operations. */
  int queued() {
    return queue.size();
  }

  /** Returns how often the thread waited for another writer's lock. */
  long lockWaits() {
    return busyRetry.waitCount();
  }

  /** Finishes the queued operations within a time limit and fails the remaining ones. */
  @Override
  public void close() {
    queue.close();
    boolean interrupted = false;
    try {
      thread.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    List<WriteRequest<?>> remaining = queue.take(MAX_QUEUED);
    remaining.forEach(request -> request.fail(SqliteErrors.storeClosed()));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        more = writeNext();
      } catch (RuntimeException | Error e) {
        logFailure("the writer of {} continues after an error", e);
      }
    }
    discardSession();
  }

  /** Returns false once the queue is closed and empty. */
  private boolean writeNext() {
    List<WriteRequest<?>> group = queue.take(MAX_GROUP_SIZE);
    try {
      write(group);
    } catch (RuntimeException | Error e) {
      Throwable cause = SqliteErrors.commitFailed(e);
      group.forEach(request -> request.fail(cause));
    }
    return !group.isEmpty();
  }

  private void write(List<WriteRequest<?>> group) {
    if (group.isEmpty() || writeTogether(group)) {
      return;
    }
    if (group.size() == 1) {
      group.getFirst().complete();
    } else {
      group.forEach(request -> write(List.of(request)));
    }
  }

  /**
   * Returns false if one operation made SQLite roll back the whole transaction. No request is
   * completed then.
   */
  private boolean writeTogether(List<WriteRequest<?>> group) {
    boolean committing = false;
    try {
      WriteSession open = busyRetry.run(this::beginTransaction);
      for (WriteRequest<?> request : group) {
        if (!runInSavepoint(open, request)) {
          discardSession();
          return false;
        }
      }
      committing = true;
      busyRetry.run(open::commit);
    } catch (Throwable e) { // also Errors, because the thread must survive
      discardSession();
      Throwable cause = committing ? SqliteErrors.commitFailed(e) : e;
      group.forEach(request -> request.fail(cause));
      return true;
    }
    commits.incrementAndGet();
    group.forEach(WriteRequest::complete);
    return true;
  }

  private boolean runInSavepoint(WriteSession open, WriteRequest<?> request) throws SQLException {
    open.savepoint();
    try {
      request.run(open.session(), open.session().now(settings.now()));
      open.releaseSavepoint();
      return true;
    } catch (SQLException | RuntimeException e) {
      request.setFailure(e);
      return open.rollbackToSavepoint();
    }
  }

  private WriteSession beginTransaction() throws SQLException {
    WriteSession open = session;
    if (open == null) {
      open = file.openForWriting();
      session = open;
    }
    open.begin();
    return open;
  }

  private void discardSession() {
    WriteSession open = session;
    session = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (SQLException | RuntimeException | Error e) {
      logFailure("the connection to {} could not be closed", e);
    }
  }

  /** Logs a failure. Without memory, logging can fail too. */
  private void logFailure(String what, Throwable problem) {
    try {
      LOG.warn(what, file, problem);
    } catch (RuntimeException | Error ignored) {
      // Ignored, because the thread must survive.
    }
  }
}
