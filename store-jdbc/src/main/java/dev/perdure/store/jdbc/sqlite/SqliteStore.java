// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.Access;
import dev.perdure.store.jdbc.sql.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Tasks in one SQLite file. One thread writes, many operations in one transaction; others read
 * meanwhile. Several stores, also in several processes, may share the file: they wait for one
 * another, and only those of one process wake one another.
 */
public final class SqliteStore implements JdbcStore {

  private final SqliteFile file;
  private final Settings settings;
  private final GroupWriter writer;
  private final Readers readers;
  private final Bell bell;

  private SqliteStore(SqliteFile file, Settings settings) {
    this.file = file;
    this.settings = settings;
    this.bell = Bell.of(file.path());
    this.readers = new Readers(file, settings);
    this.writer = GroupWriter.start(file, settings);
  }

  /** Opens {@code sqlite:perdure.db} or the same with {@code jdbc:} before it. */
  public static SqliteStore open(String url, Settings settings) {
    return open(SqliteFile.of(url), settings);
  }

  /** Opens the file that the data source's connections are on, with connections of its own. */
  public static SqliteStore open(DataSource dataSource, Settings settings) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return open(SqliteFile.of(connection), settings);
    }
  }

  static SqliteStore open(SqliteFile file, Settings settings) {
    file.migrate(settings);
    return new SqliteStore(file, settings);
  }

  @Override
  public Receipt submit(Submission submission) {
    submission.requireOneShard(settings.shards());
    return write((session, now) -> new Submitting(session, now).submit(submission));
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return changes.isEmpty()
        ? List.of()
        : write((session, now) -> new TaskWrites(session, now).apply(changes));
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    return write(
        (session, now) -> {
          TaskWrites writes = new TaskWrites(session, now);
          List<Verdict> verdicts = new ArrayList<>(signs.size());
          for (SignOfLife sign : signs) {
            verdicts.add(writes.sign(sign));
          }
          return verdicts;
        });
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    return write((session, now) -> new Claiming(session, request, settings.shards(), now).claim());
  }

  @Override
  public CallersTransaction on(Connection connection) {
    try {
      SqliteFile callers = SqliteFile.of(connection);
      if (!callers.path().equals(file.path())) {
        throw new IllegalArgumentException(
            "the connection is on " + callers + ", the store on " + file);
      }
    } catch (SQLException e) {
      throw new StoreException(
          "the connection does not say its file", e, StoreException.Sort.UNAVAILABLE);
    }
    return new JoinedWriter(connection, settings);
  }

  @Override
  public Access access() {
    return new SqliteAccess(this);
  }

  @Override
  public Figures figures() {
    return new SqliteFigures(this);
  }

  @Override
  public NodeBook nodes() {
    return new SqliteNodes(this);
  }

  @Override
  public Sweeps sweeps() {
    return new SqliteSweeps(this);
  }

  @Override
  public TaskReader reader() {
    return new SqliteReader(this);
  }

  @Override
  public Outbox outbox() {
    return new SqliteOutbox(this);
  }

  @Override
  public Listening listen(Runnable wake) {
    return bell.listen(wake);
  }

  @Override
  public void wake() {
    bell.ring();
  }

  @Override
  public int shards() {
    return settings.shards();
  }

  <T> T write(Work<T> work) {
    return writer.write(work);
  }

  <T> T read(Work<T> work) {
    return readers.read(work);
  }

  /** How many transactions this store has committed. */
  long commits() {
    return writer.commits();
  }

  /** How many operations wait to be written. */
  int waiting() {
    return writer.waiting();
  }

  /** How often the writer has waited for somebody else's lock. */
  long waits() {
    return writer.waits();
  }

  @Override
  public void close() {
    readers.close();
    writer.close();
    bell.close();
  }
}
