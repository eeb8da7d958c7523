// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.Settings;
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
final class GroupWriter implements AutoCloseable {

  static final int MOST_WAITING = 1_024;
  static final int MOST_TOGETHER = 256;

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);

  private final SqliteFile file;
  private final Settings settings;
  private final Patience patience;
  private final Orders orders = new Orders(MOST_WAITING);
  private final AtomicLong commits = new AtomicLong();
  private final Thread thread;
  private @Nullable WriteSession session;

  private GroupWriter(SqliteFile file, Settings settings) {
    this.file = file;
    this.settings = settings;
    this.patience = new Patience(settings.patience());
    this.thread = Thread.ofPlatform().name("perdure-sqlite-writer").daemon().unstarted(this::run);
  }

  static GroupWriter start(SqliteFile file, Settings settings) {
    GroupWriter writer = new GroupWriter(file, settings);
    writer.thread.start();
    return writer;
  }

  /** Does the work, and returns when it is durable. */
  <T> T write(Work<T> work) {
    Order<T> order = new Order<>(work);
    orders.add(order);
    return order.await();
  }

  /** How many transactions were committed. */
  long commits() {
    return commits.get();
  }

  /** How many operations wait. */
  int waiting() {
    return orders.size();
  }

  /** How often it has waited for somebody else's lock. */
  long waits() {
    return patience.waits();
  }

  /** Finishes what waits, within a limit; what is still waiting then is refused. */
  @Override
  public void close() {
    orders.close();
    boolean interrupted = false;
    try {
      thread.join(LONGEST_CLOSE);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    List<Order<?>> left = orders.take(MOST_WAITING);
    left.forEach(order -> order.refuse(SqliteFailures.closed()));
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
        complain("writing to {} goes on after an error", e);
      }
    }
    discard();
  }

  /** False when nothing is left, and nothing will come. */
  private boolean writeNext() {
    List<Order<?>> group = orders.take(MOST_TOGETHER);
    try {
      write(group);
    } catch (RuntimeException | Error e) {
      Throwable cause = SqliteFailures.ofCommit(e);
      group.forEach(order -> order.refuse(cause));
    }
    return !group.isEmpty();
  }

  private void write(List<Order<?>> group) {
    if (group.isEmpty() || together(group)) {
      return;
    }
    if (group.size() == 1) {
      group.getFirst().answer();
    } else {
      group.forEach(order -> write(List.of(order)));
    }
  }

  /**
   * @return false when SQLite took the whole transaction back because of one operation; then nobody
   *     has been answered
   */
  private boolean together(List<Order<?>> group) {
    boolean committing = false;
    try {
      WriteSession open = patience.wait(this::begun);
      for (Order<?> order : group) {
        if (!within(open, order)) {
          discard();
          return false;
        }
      }
      committing = true;
      patience.wait(open::commit);
    } catch (Throwable e) { // an Error too: the thread serves everybody and must live
      discard();
      Throwable cause = committing ? SqliteFailures.ofCommit(e) : e;
      group.forEach(order -> order.refuse(cause));
      return true;
    }
    commits.incrementAndGet();
    group.forEach(Order::answer);
    return true;
  }

  private boolean within(WriteSession open, Order<?> order) throws SQLException {
    open.savepoint();
    try {
      order.run(open.session(), open.session().now(settings.now()));
      open.release();
      return true;
    } catch (SQLException | RuntimeException e) {
      order.failed(e);
      return open.rollbackToSavepoint();
    }
  }

  private WriteSession begun() throws SQLException {
    WriteSession open = session;
    if (open == null) {
      open = file.openForWriting();
      session = open;
    }
    open.begin();
    return open;
  }

  private void discard() {
    WriteSession open = session;
    session = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (SQLException | RuntimeException | Error e) {
      complain("closing the connection to {} failed", e);
    }
  }

  /** Where there is no memory, saying it fails too. */
  private void complain(String what, Throwable problem) {
    try {
      LOG.warn(what, file, problem);
    } catch (RuntimeException | Error unsaid) {
      // The thread lives on, which matters more.
    }
  }
}
