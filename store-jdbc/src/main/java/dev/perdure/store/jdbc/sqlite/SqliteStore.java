// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ChannelStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A task store in one SQLite file. One thread writes, many operations in one transaction, while
 * other connections read. Several stores can share the file, also from several processes. They wait
 * for each other's locks, but only stores of the same process wake each other.
 */
public final class SqliteStore implements JdbcStore {

  private final SqliteFile file;
  private final StoreSettings settings;
  private final GroupCommitWriter writer;
  private final ReadConnectionPool readConnections;
  private final LocalNotifier notifier;
  private final AtomicInteger claims = new AtomicInteger();

  private SqliteStore(SqliteFile file, StoreSettings settings) {
    this.file = file;
    this.settings = settings;
    this.notifier = LocalNotifier.of(file.path());
    this.readConnections = new ReadConnectionPool(file, settings);
    this.writer = GroupCommitWriter.start(file, settings);
  }

  /** Opens {@code sqlite:perdure.db}, with or without {@code jdbc:} in front. */
  public static SqliteStore open(String url, StoreSettings settings) {
    return open(SqliteFile.of(url), settings);
  }

  /** Migrates the tables, and returns the number of migrations that were applied. */
  public static int migrate(String url) {
    return SqliteFile.of(url).migrate();
  }

  /** Opens the file of the data source's connections. The store uses its own connections. */
  public static SqliteStore open(DataSource dataSource, StoreSettings settings)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return open(SqliteFile.of(connection), settings);
    }
  }

  static SqliteStore open(SqliteFile file, StoreSettings settings) {
    file.migrate();
    return openMigrated(file, settings);
  }

  /** Opens a file whose tables are up to date. */
  static SqliteStore openMigrated(SqliteFile file, StoreSettings settings) {
    return new SqliteStore(file, settings);
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    submission.requireValid(settings.shards());
    return write((session, now) -> new SqliteSubmissionWriter(session, now).submit(submission));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return changes.isEmpty()
        ? List.of()
        : write((session, now) -> new SqliteChangeWriter(session, now).apply(changes));
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> heartbeats) {
    return write(
        (session, now) -> {
          SqliteChangeWriter changeWriter = new SqliteChangeWriter(session, now);
          List<WriteResult> results = new ArrayList<>(heartbeats.size());
          for (Heartbeat heartbeat : heartbeats) {
            results.add(changeWriter.heartbeat(heartbeat));
          }
          return results;
        });
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return write(
        (session, now) ->
            new SqliteClaim(session, request, settings.shards(), now)
                .claim(claims.getAndIncrement() % 2 == 1));
  }

  @Override
  public boolean isSubmitted(Submission.SubmissionKeyDigest key) {
    return read(
        (session, now) -> {
          CachedStatement find =
              session
                  .statement("submission_key.is_taken")
                  .number("now", now)
                  .text("id", key.id())
                  .number("retention_ms", Submission.KEY_RETENTION.toMillis());
          for (int shard = 0; shard < shards(); shard++) {
            if (find.number("shard", shard).one(row -> row.getBoolean("found")).orElse(false)) {
              return true;
            }
          }
          return false;
        });
  }

  @Override
  public BatchStore batches() {
    return new SqliteBatchStore(this);
  }

  @Override
  public DependencyStore dependencies() {
    return new SqliteDependencyStore(this);
  }

  /** Counts the connection that writes as one in use. */
  @Override
  public ConnectionCounts connections() {
    int idle = readConnections.idle();
    return new ConnectionCounts(1 + readConnections.inUse() + idle, idle);
  }

  @Override
  public CallerTransaction inTransaction(Connection connection) {
    try {
      SqliteFile callers = SqliteFile.of(connection);
      if (!callers.path().equals(file.path())) {
        throw new IllegalArgumentException(
            "the connection uses the file " + callers + " but the store uses " + file);
      }
    } catch (SQLException e) {
      throw new StoreException(
          "cannot read the file name of the connection", e, StoreException.ErrorKind.UNAVAILABLE);
    }
    return new SqliteTransactionWriter(connection, settings);
  }

  @Override
  public AccessStore access() {
    return new SqliteAccessStore(this);
  }

  @Override
  public ChannelStore channels() {
    return new SqliteChannelStore(this);
  }

  @Override
  public List<WriteResult> addProgress(List<ProgressReport> reports) {
    return new SqliteTaskUpdater(this).add(reports);
  }

  @Override
  public WriteResult update(TaskUpdate update) {
    return new SqliteTaskUpdater(this).update(update);
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
  public RollupStore rollups() {
    return new SqliteRollupStore(this);
  }

  @Override
  public OverviewStore overview() {
    return new SqliteOverviewStore(this);
  }

  @Override
  public TaskReader reader() {
    return new SqliteTaskReader(this);
  }

  @Override
  public LimitStore limits() {
    return new SqliteLimitStore(this);
  }

  @Override
  public ScheduleStore schedules() {
    return new SqliteScheduleStore(this);
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
    return read((session, now) -> Instant.ofEpochMilli(now));
  }

  @Override
  public int shards() {
    return settings.shards();
  }

  <T> T write(SqliteOperation<T> operation) {
    return writer.write(operation);
  }

  <T> T read(SqliteOperation<T> operation) {
    return readConnections.read(operation);
  }

  /** Returns the number of transactions that this store has committed. */
  long commits() {
    return writer.commits();
  }

  /** Returns the number of operations that wait for the writer. */
  int queuedWrites() {
    return writer.queued();
  }

  /** Returns how often the writer waited for another writer's lock. */
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
