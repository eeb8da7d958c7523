// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.Migrations;
import dev.perdure.store.jdbc.sql.Settings;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store on PostgreSQL 14 or newer, for any number of processes. Almost every operation is one
 * statement, and so one round trip and one transaction; none stays open between operations.
 */
public final class PostgresStore implements JdbcStore {

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SOCKET_SLACK = Duration.ofSeconds(10);

  private final Session session;
  private final TaskRows rows = new TaskRows(new PostgresColumns());
  private final Submitting submitting;
  private final Applying applying;
  private final Hearing hearing;
  private final Wakes wakes;
  private final Runnable closePool;
  private final AtomicInteger claims = new AtomicInteger();

  private PostgresStore(
      DataSource pool, DataSource listening, Settings settings, Runnable closePool) {
    this.session = new Session(pool, settings);
    this.submitting = new Submitting(session);
    this.applying = new Applying(session, rows);
    this.hearing = new Hearing(session);
    this.wakes = new Wakes(session, listening);
    this.closePool = closePool;
  }

  /** Opens it with a pool of its own. */
  public static PostgresStore open(
      String url, @Nullable String user, @Nullable String password, Settings settings) {
    PGSimpleDataSource direct = direct(url, user, password, settings);
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setPoolName("perdure");
    config.setMaximumPoolSize(settings.poolSize());
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    Migrations.run(direct, "postgres");
    HikariDataSource pool = new HikariDataSource(config);
    return new PostgresStore(pool, direct, settings, pool::close);
  }

  /** Opens it on the connections of a data source, which stays the caller's. */
  public static PostgresStore open(DataSource dataSource, Settings settings) {
    Migrations.run(dataSource, "postgres");
    return new PostgresStore(dataSource, dataSource, settings, () -> {});
  }

  private static PGSimpleDataSource direct(
      String url, @Nullable String user, @Nullable String password, Settings settings) {
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(url);
    if (user != null) {
      direct.setUser(user);
    }
    if (password != null) {
      direct.setPassword(password);
    }
    if (direct.getSocketTimeout() == 0) {
      // A server that went without a word is noticed, after a statement's own limit.
      direct.setSocketTimeout((int) settings.statementTimeout().plus(SOCKET_SLACK).toSeconds());
    }
    direct.setTcpKeepAlive(true);
    direct.setApplicationName("perdure");
    return direct;
  }

  @Override
  public void submit(Submission submission) {
    submitting.check(submission);
    session.repeatedly(
        "submit",
        (connection, unsure) -> {
          submitting.submitTogether(connection, submission);
          return true;
        });
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return ByShard.of(
        changes,
        Change::task,
        (shard, some) ->
            session.repeatedly(
                "apply", (connection, unsure) -> applying.apply(connection, shard, some, unsure)));
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    int first = Math.floorMod(claims.getAndIncrement(), session.settings().shards());
    return new Claiming(session, rows, request).claim(first);
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    return ByShard.of(
        signs,
        sign -> sign.key().task(),
        (shard, some) ->
            session.repeatedly(
                "signs", (connection, unsure) -> hearing.hear(connection, shard, some)));
  }

  @Override
  public CallersTransaction on(Connection connection) {
    return new JoinedWriter(connection, submitting, applying);
  }

  @Override
  public NodeBook nodes() {
    return new PostgresNodes(session);
  }

  @Override
  public Sweeps sweeps() {
    return new PostgresSweeps(session, rows);
  }

  @Override
  public TaskReader reader() {
    return new PostgresReader(session, rows);
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
    closePool.run();
  }
}
