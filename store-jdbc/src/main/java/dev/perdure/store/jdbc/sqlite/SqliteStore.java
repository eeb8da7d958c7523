// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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
  private final StoreSettings storeSettings;
  private final GroupCommitWriter writer;
  private final ReadConnectionPool readConnections;
  private final LocalNotifier notifier;

  private SqliteStore(SqliteFile file, StoreSettings storeSettings) {
    this.file = file;
    this.storeSettings = storeSettings;
    this.notifier = LocalNotifier.of(file.path());
    this.readConnections = new ReadConnectionPool(file, storeSettings);
    this.writer = GroupCommitWriter.start(file, storeSettings);
  }

  /** Opens {@code sqlite:perdure.db} or the same with {@code jdbc:} before it. */
  public static SqliteStore open(String url, StoreSettings storeSettings) {
    return open(SqliteFile.of(url), storeSettings);
  }

  /** Opens the file that the data source's connections are on, with connections of its own. */
  public static SqliteStore open(DataSource dataSource, StoreSettings storeSettings)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return open(SqliteFile.of(connection), storeSettings);
    }
  }

  static SqliteStore open(SqliteFile file, StoreSettings storeSettings) {
    file.migrate(storeSettings);
    return openMigrated(file, storeSettings);
  }

  /** Opens a file whose tables are up to date. */
  static SqliteStore openMigrated(SqliteFile file, StoreSettings storeSettings) {
    return new SqliteStore(file, storeSettings);
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    submission.requireOneShard(storeSettings.shards());
    return write(
        (sqliteSession, now) -> new SqliteSubmissionWriter(sqliteSession, now).submit(submission));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    return taskChanges.isEmpty()
        ? List.of()
        : write(
            (sqliteSession, now) -> new SqliteChangeWriter(sqliteSession, now).apply(taskChanges));
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> signs) {
    return write(
        (sqliteSession, now) -> {
          SqliteChangeWriter writes = new SqliteChangeWriter(sqliteSession, now);
          List<WriteResult> writeResults = new ArrayList<>(signs.size());
          for (Heartbeat sign : signs) {
            writeResults.add(writes.heartbeat(sign));
          }
          return writeResults;
        });
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return write(
        (sqliteSession, now) ->
            new SqliteClaim(sqliteSession, request, storeSettings.shards(), now).claim());
  }

  @Override
  public CallersTransaction inTransaction(Connection connection) {
    try {
      SqliteFile callers = SqliteFile.of(connection);
      if (!callers.path().equals(file.path())) {
        throw new IllegalArgumentException(
            "the connection is on " + callers + ", the store on " + file);
      }
    } catch (SQLException e) {
      throw new StoreException(
          "the connection does not say its file", e, StoreException.ErrorKind.UNAVAILABLE);
    }
    return new SqliteTransactionWriter(connection, storeSettings);
  }

  @Override
  public AccessStore access() {
    return new SqliteAccessStore(this);
  }

  @Override
  public TaskCounters counters() {
    return new SqliteTaskCounters(this);
  }

  @Override
  public NodeRegistry nodes() {
    return new SqliteNodeRegistry(this);
  }

  @Override
  public MaintenanceStore maintenance() {
    return new SqliteMaintenance(this);
  }

  @Override
  public TaskReader reader() {
    return new SqliteTaskReader(this);
  }

  @Override
  public Outbox outbox() {
    return new SqliteOutbox(this);
  }

  @Override
  public Subscription listen(Runnable wake) {
    return notifier.listen(wake);
  }

  @Override
  public void wake() {
    notifier.notifyListeners();
  }

  @Override
  public Instant now() {
    return read((sqliteSession, now) -> Instant.ofEpochMilli(now));
  }

  @Override
  public int shards() {
    return storeSettings.shards();
  }

  <T> T write(SqliteOperation<T> sqliteOperation) {
    return writer.write(sqliteOperation);
  }

  <T> T read(SqliteOperation<T> sqliteOperation) {
    return readConnections.read(sqliteOperation);
  }

  /** How many transactions this store has committed. */
  long commits() {
    return writer.commits();
  }

  /** How many operations wait to be written. */
  int queuedWrites() {
    return writer.queued();
  }

  /** How often the writer has waited for somebody else's lock. */
  long lockWaits() {
    return writer.lockWaits();
  }

  @Override
  public void close() {
    readConnections.close();
    writer.close();
    notifier.close();
  }
}
