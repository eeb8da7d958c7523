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
 * The one thread that writes to a file. It takes all operations that wait, runs them in one
 * transaction and answers them after the one commit. While a commit is made durable the next group
 * gathers by itself; an operation that comes alone is written alone and at once.
 *
 * <p>Each operation of a group runs within a savepoint, so that one that fails takes back its own
 * writes only. Where SQLite takes back the whole transaction by itself (a full disk, for example)
 * the operations are done again, each in a transaction of its own. A commit that fails fails all
 * operations of its group.
 *
 * <p>After any trouble beyond one operation the connection is thrown away: what state it is in
 * needs no guessing, and closing it takes back what was not committed.
 *
 * <p>Nothing ends the thread but {@link #close}, not even a lack of memory: whoever writes would
 * wait for ever.
 */
final class GroupCommitWriter implements AutoCloseable {

  static final int MAX_QUEUED = 1_024;
  static final int MAX_GROUP_SIZE = 256;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommitWriter.class);

  private final SqliteFile file;
  private final StoreSettings storeSettings;
  private final BusyRetry busyRetry;
  private final WriteQueue queue = new WriteQueue(MAX_QUEUED);
  private final AtomicLong commits = new AtomicLong();
  private final Thread thread;
  private @Nullable WriteSession session;

  private GroupCommitWriter(SqliteFile file, StoreSettings storeSettings) {
    this.file = file;
    this.storeSettings = storeSettings;
    this.busyRetry = new BusyRetry(storeSettings.retryTimeout());
    this.thread = Thread.ofPlatform().name("perdure-sqlite-writer").daemon().unstarted(this::run);
  }

  static GroupCommitWriter start(SqliteFile file, StoreSettings storeSettings) {
    GroupCommitWriter writer = new GroupCommitWriter(file, storeSettings);
    writer.thread.start();
    return writer;
  }

  /** Does the work, and returns when it is durable. */
  <T> T write(SqliteOperation<T> sqliteOperation) {
    WriteRequest<T> writeRequest = new WriteRequest<>(sqliteOperation);
    queue.add(writeRequest);
    return writeRequest.await();
  }

  /** How many transactions were committed. */
  long commits() {
    return commits.get();
  }

  /** How many operations wait. */
  int queued() {
    return queue.size();
  }

  /** How often it has waited for somebody else's lock. */
  long lockWaits() {
    return busyRetry.waitCount();
  }

  /** Finishes what waits, within a limit; what is still waiting then is refused. */
  @Override
  public void close() {
    queue.close();
    boolean interrupted = false;
    try {
      thread.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    List<WriteRequest<?>> left = queue.take(MAX_QUEUED);
    left.forEach(writeRequest -> writeRequest.fail(SqliteErrors.storeClosed()));
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
        logFailure("writing to {} goes on after an error", e);
      }
    }
    discardSession();
  }

  /** False when nothing is left, and nothing will come. */
  private boolean writeNext() {
    List<WriteRequest<?>> group = queue.take(MAX_GROUP_SIZE);
    try {
      write(group);
    } catch (RuntimeException | Error e) {
      Throwable cause = SqliteErrors.commitFailed(e);
      group.forEach(writeRequest -> writeRequest.fail(cause));
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
      group.forEach(writeRequest -> write(List.of(writeRequest)));
    }
  }

  /**
   * @return false when SQLite took the whole transaction back because of one operation; then nobody
   *     has been answered
   */
  private boolean writeTogether(List<WriteRequest<?>> group) {
    boolean committing = false;
    try {
      WriteSession open = busyRetry.run(this::beginTransaction);
      for (WriteRequest<?> writeRequest : group) {
        if (!runInSavepoint(open, writeRequest)) {
          discardSession();
          return false;
        }
      }
      committing = true;
      busyRetry.run(open::commit);
    } catch (Throwable e) { // an Error too: the thread serves everybody and must live
      discardSession();
      Throwable cause = committing ? SqliteErrors.commitFailed(e) : e;
      group.forEach(writeRequest -> writeRequest.fail(cause));
      return true;
    }
    commits.incrementAndGet();
    group.forEach(WriteRequest::complete);
    return true;
  }

  private boolean runInSavepoint(WriteSession open, WriteRequest<?> writeRequest)
      throws SQLException {
    open.savepoint();
    try {
      writeRequest.run(open.session(), open.session().now(storeSettings.now()));
      open.releaseSavepoint();
      return true;
    } catch (SQLException | RuntimeException e) {
      writeRequest.setFailure(e);
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
      logFailure("closing the connection to {} failed", e);
    }
  }

  /** Where there is no memory, saying it fails too. */
  private void logFailure(String what, Throwable problem) {
    try {
      LOG.warn(what, file, problem);
    } catch (RuntimeException | Error unsaid) {
      // The thread lives on, which matters more.
    }
  }
}
