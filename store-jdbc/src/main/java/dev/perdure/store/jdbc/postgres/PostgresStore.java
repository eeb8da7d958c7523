// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.Access;
import dev.perdure.store.jdbc.sql.Migrations;
import dev.perdure.store.jdbc.sql.Settings;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store on PostgreSQL 14 or newer, for any number of processes. Almost every operation is one
 * statement, and so one round trip and one transaction; none stays open between operations.
 */
public final class PostgresStore implements JdbcStore {

  /** One for each of the engine's loops that may be waiting for an answer at the same time. */
  public static final int ENGINE_CONNECTIONS = 6;

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SOCKET_SLACK = Duration.ofSeconds(10);

  /** What callers ask for: however much that is, leases are renewed and ends are written. */
  private final Session session;

  private final Session engine;
  private final TaskRows rows = new TaskRows(new PostgresColumns());
  private final Submitting submitting;
  private final List<SubmitLine> lines;
  private final Applying applying;
  private final Hearing hearing;
  private final Wakes wakes;
  private final Runnable closePools;
  private final AtomicInteger claims = new AtomicInteger();

  private PostgresStore(
      Session session, Session engine, DataSource listening, Runnable closePools) {
    this.session = session;
    this.engine = engine;
    this.submitting = new Submitting(session);
    this.lines = IntStream.range(0, shards()).mapToObj(shard -> line()).toList();
    this.applying = new Applying(engine, rows);
    this.hearing = new Hearing(engine);
    this.wakes = new Wakes(engine, listening);
    this.closePools = closePools;
  }

  /** Opens it with a pool of its own. */
  public static PostgresStore open(
      String url, @Nullable String user, @Nullable String password, Settings settings) {
    // Not within the time of a statement: to build an index may take longer.
    Migrations.run(direct(url, user, password), "postgres");
    PGSimpleDataSource direct = direct(url, user, password);
    if (direct.getSocketTimeout() == 0) {
      // A server that went without a word is noticed, after a statement's own limit.
      direct.setSocketTimeout((int) settings.statementTimeout().plus(SOCKET_SLACK).toSeconds());
    }
    HikariDataSource callers = pool("perdure", direct, settings.poolSize());
    HikariDataSource engine = pool("perdure-engine", direct, ENGINE_CONNECTIONS);
    return new PostgresStore(
        new Session(callers, settings),
        new Session(engine, settings),
        direct,
        () -> {
          callers.close();
          engine.close();
        });
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

  /** Opens it on the connections of a data source, which stays the caller's. */
  public static PostgresStore open(DataSource dataSource, Settings settings) {
    Migrations.run(dataSource, "postgres");
    Session session = new Session(dataSource, settings);
    return new PostgresStore(session, session, dataSource, () -> {});
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
  public Receipt submit(Submission submission) {
    submission.requireOneShard(shards());
    if (Submitting.isSmall(submission)) {
      lines.get(Shards.of(submission.batch())).submit(submission);
      return Receipt.stored(submission);
    }
    return session.repeatedly(
        "submit", (connection, unsure) -> submitting.submitTogether(connection, submission));
  }

  private SubmitLine line() {
    return new SubmitLine(
        submissions ->
            session.repeatedly(
                "submit",
                (connection, unsure) -> {
                  submitting.submitAll(connection, submissions);
                  return true;
                }),
        session.settings().patience().plus(session.settings().statementTimeout()));
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return ByShard.of(
        changes,
        Change::task,
        (shard, some) ->
            engine.repeatedly(
                "apply", (connection, unsure) -> applying.apply(connection, shard, some, unsure)));
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    return new Claiming(engine, rows, request).claim(nextShard());
  }

  /** Another each time, so that none always comes last. */
  private int nextShard() {
    return Math.floorMod(claims.getAndIncrement(), session.settings().shards());
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    return ByShard.of(
        signs,
        sign -> sign.key().task(),
        (shard, some) ->
            engine.repeatedly(
                "signs", (connection, unsure) -> hearing.hear(connection, shard, some)));
  }

  @Override
  public CallersTransaction on(Connection connection) {
    return new JoinedWriter(connection, shards(), submitting, applying);
  }

  @Override
  public Access access() {
    return new PostgresAccess(session);
  }

  @Override
  public Figures figures() {
    return new PostgresFigures(engine);
  }

  @Override
  public NodeBook nodes() {
    return new PostgresNodes(engine);
  }

  @Override
  public Sweeps sweeps() {
    return new PostgresSweeps(engine, rows);
  }

  @Override
  public TaskReader reader() {
    return new PostgresReader(session, rows);
  }

  @Override
  public Outbox outbox() {
    return new PostgresOutbox(engine, this::nextShard);
  }

  @Override
  public Listening listen(Runnable wake) {
    return wakes.listen(wake);
  }

  @Override
  public void wake() {
    wakes.wake();
  }

  @Override
  public int shards() {
    return session.settings().shards();
  }

  @Override
  public void close() {
    wakes.close();
    closePools.run();
  }
}
