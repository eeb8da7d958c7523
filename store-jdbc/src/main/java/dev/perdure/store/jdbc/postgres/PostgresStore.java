// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ChannelStore;
import dev.perdure.store.jdbc.sql.Migrations;
import dev.perdure.store.jdbc.sql.StoreSettings;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store on PostgreSQL 14 or newer, for any number of processes. Almost every operation is one
 * statement, and therefore one round trip and one transaction. No transaction stays open between
 * operations.
 */
public final class PostgresStore implements JdbcStore {

  /** One connection for each engine loop that may wait for the database at the same time. */
  public static final int ENGINE_CONNECTIONS = 6;

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SOCKET_SLACK = Duration.ofSeconds(10);

  /**
   * Runs callers' requests on connections of their own. However many there are, the engine can
   * renew leases and settle attempts.
   */
  private final PostgresExecutor callerExecutor;

  private final PostgresExecutor engineExecutor;
  private final TaskRowMapper rowMapper = new TaskRowMapper(new PostgresColumnReader());
  private final PostgresSubmissionWriter submissionWriter;
  private final List<SubmissionBatcher> submissionBatchers;
  private final PostgresChangeWriter changeWriter;
  private final PostgresHeartbeatWriter heartbeatWriter;
  private final PostgresNotifier notifier;
  private final Runnable closePools;
  private final AtomicInteger claimCount = new AtomicInteger();
  private final AtomicBoolean limitedFirst = new AtomicBoolean();

  private PostgresStore(
      PostgresExecutor executor,
      PostgresExecutor engine,
      @Nullable DataSource notifierDataSource,
      Runnable closePools) {
    this.callerExecutor = executor;
    this.engineExecutor = engine;
    this.submissionWriter = new PostgresSubmissionWriter(executor);
    this.submissionBatchers =
        IntStream.range(0, shards()).mapToObj(shard -> newSubmissionBatcher()).toList();
    this.changeWriter = new PostgresChangeWriter(engine, rowMapper);
    this.heartbeatWriter = new PostgresHeartbeatWriter(engine);
    this.notifier = new PostgresNotifier(engine, notifierDataSource);
    this.closePools = closePools;
  }

  /** Opens the store with its own connection pools. */
  public static PostgresStore open(
      String url, @Nullable String user, @Nullable String password, StoreSettings settings) {
    migrate(url, user, password);
    PGSimpleDataSource direct = direct(url, user, password);
    if (direct.getSocketTimeout() == 0) {
      // Detects a server that disappeared, shortly after the statement timeout.
      direct.setSocketTimeout((int) settings.statementTimeout().plus(SOCKET_SLACK).toSeconds());
    }
    HikariDataSource callers = pool("perdure", direct, settings.poolSize());
    HikariDataSource engine = pool("perdure-engine", direct, ENGINE_CONNECTIONS);
    return new PostgresStore(
        new PostgresExecutor(callers, settings),
        new PostgresExecutor(engine, settings),
        direct,
        () -> {
          callers.close();
          engine.close();
        });
  }

  /** Migrates the tables, and returns the number of migrations that were applied. */
  public static int migrate(String url, @Nullable String user, @Nullable String password) {
    // Without the statement timeout, because building an index can take longer.
    return migrate(direct(url, user, password));
  }

  private static int migrate(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      return Migrations.run(connection, "postgres", List.of("schema.begin", "schema.lock"));
    } catch (SQLException e) {
      throw new StoreException(
          "cannot migrate the tables: " + e.getMessage(), e, ErrorKind.UNAVAILABLE);
    }
  }

  private static HikariDataSource pool(String name, DataSource direct, int size) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setPoolName(name);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    return new HikariDataSource(config);
  }

  /** Opens the store on data sources that the caller owns and closes. */
  public static PostgresStore open(
      DataSource dataSource, @Nullable DataSource notifications, StoreSettings settings) {
    migrate(dataSource);
    if (notifications == null) {
      return openMigrated(dataSource, settings);
    }
    PostgresExecutor executor = new PostgresExecutor(dataSource, settings);
    return new PostgresStore(executor, executor, notifications, () -> {});
  }

  /** Opens it on a database whose tables are up to date. */
  static PostgresStore openMigrated(DataSource dataSource, StoreSettings settings) {
    PostgresExecutor executor = new PostgresExecutor(dataSource, settings);
    NotificationDataSource notifications = NotificationDataSource.beside(dataSource);
    return new PostgresStore(executor, executor, notifications.dataSource(), notifications::close);
  }

  private static PGSimpleDataSource direct(
      String url, @Nullable String user, @Nullable String password) {
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(url);
    if (user != null) {
      direct.setUser(user);
    }
    if (password != null) {
      direct.setPassword(password);
    }
    direct.setTcpKeepAlive(true);
    direct.setApplicationName("perdure");
    return direct;
  }

  @Override
  public ConnectionCounts connections() {
    int open = 0;
    int idle = 0;
    List<DataSource> pools =
        Stream.of(callerExecutor.dataSource(), engineExecutor.dataSource()).distinct().toList();
    for (DataSource pool : pools) {
      if (pool instanceof HikariDataSource hikari && hikari.isRunning()) {
        open += hikari.getHikariPoolMXBean().getTotalConnections();
        idle += hikari.getHikariPoolMXBean().getIdleConnections();
      }
    }
    return new ConnectionCounts(open, idle);
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    submission.requireValid(shards());
    if (PostgresSubmissionWriter.isSmall(submission)) {
      submissionBatchers.get(Shards.of(submission.batch())).submit(submission);
      return submission.stored();
    }
    return callerExecutor.runIdempotent(
        "submit",
        (connection, mayHaveCommitted) ->
            submissionWriter.submitAtomically(connection, submission));
  }

  @Override
  public boolean isSubmitted(Submission.SubmissionKeyDigest key) {
    return callerExecutor.runIdempotent(
        "find a submission key",
        (connection, mayHaveCommitted) -> submissionWriter.isTaken(connection, key));
  }

  private SubmissionBatcher newSubmissionBatcher() {
    return new SubmissionBatcher(
        submissions ->
            callerExecutor.runIdempotent(
                "submit",
                (connection, mayHaveCommitted) -> {
                  submissionWriter.submitAll(connection, submissions);
                  return true;
                }),
        callerExecutor
            .settings()
            .retryTimeout()
            .plus(callerExecutor.settings().statementTimeout()));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return ShardedWrites.run(
        changes,
        TaskChange::task,
        (shard, items) ->
            items.stream().anyMatch(TaskChange::resetsRetries)
                ? new ReviveWriter(engineExecutor, changeWriter).apply(shard, items)
                : engineExecutor.runIdempotent(
                    "apply",
                    (connection, mayHaveCommitted) ->
                        changeWriter.apply(connection, shard, items, mayHaveCommitted)));
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    boolean first = limitedFirst.get();
    PostgresClaim claim = new PostgresClaim(engineExecutor, rowMapper, request, first);
    try {
      return claim.claim(nextShard());
    } finally {
      limitedFirst.set(claim.hasLimited() && !first);
    }
  }

  /** Returns a different shard each time, so that no shard is always last. */
  private int nextShard() {
    return Math.floorMod(claimCount.getAndIncrement(), callerExecutor.settings().shards());
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> heartbeats) {
    return ShardedWrites.run(
        heartbeats,
        heartbeat -> heartbeat.key().task(),
        (shard, items) ->
            engineExecutor.runIdempotent(
                "heartbeat",
                (connection, mayHaveCommitted) ->
                    heartbeatWriter.writeAll(connection, shard, items)));
  }

  @Override
  public CallerTransaction inTransaction(Connection connection) {
    return new PostgresTransactionWriter(connection, shards(), submissionWriter, changeWriter);
  }

  @Override
  public AccessStore access() {
    return new PostgresAccessStore(callerExecutor);
  }

  @Override
  public ChannelStore channels() {
    return new PostgresChannelStore(callerExecutor);
  }

  @Override
  public List<WriteResult> addProgress(List<ProgressReport> reports) {
    return new PostgresTaskUpdater(engineExecutor).add(reports);
  }

  @Override
  public WriteResult update(TaskUpdate update) {
    return new PostgresTaskUpdater(engineExecutor).update(update);
  }

  @Override
  public NodeRegistry nodes() {
    return new PostgresNodeRegistry(engineExecutor);
  }

  @Override
  public MaintenanceStore maintenance() {
    return new PostgresMaintenance(engineExecutor, rowMapper);
  }

  @Override
  public RollupStore rollups() {
    return new PostgresRollupStore(engineExecutor);
  }

  @Override
  public OverviewStore overview() {
    return new PostgresOverviewStore(callerExecutor);
  }

  @Override
  public TaskReader reader() {
    return new PostgresTaskReader(callerExecutor, rowMapper);
  }

  @Override
  public BatchStore batches() {
    return new PostgresBatchStore(callerExecutor);
  }

  @Override
  public DependencyStore dependencies() {
    return new PostgresDependencyStore(engineExecutor, this::nextShard);
  }

  @Override
  public LimitStore limits() {
    return new PostgresLimitStore(callerExecutor);
  }

  @Override
  public ScheduleStore schedules() {
    return new PostgresScheduleStore(callerExecutor, engineExecutor);
  }

  @Override
  public Outbox outbox() {
    return new PostgresOutbox(engineExecutor, this::nextShard);
  }

  @Override
  public Subscription listen(Runnable wake) {
    return notifier.listen(wake);
  }

  @Override
  public void announceChanges() {
    notifier.announceChanges();
  }

  @Override
  public Subscription listenForChanges(Runnable changed) {
    return notifier.listenForChanges(changed);
  }

  @Override
  public void wake() {
    notifier.wake();
  }

  @Override
  public Instant now() {
    return engineExecutor.runIdempotent(
        "now", (connection, mayHaveCommitted) -> engineExecutor.now(connection));
  }

  @Override
  public int shards() {
    return callerExecutor.settings().shards();
  }

  @Override
  public void close() {
    notifier.close();
    closePools.run();
  }
}
