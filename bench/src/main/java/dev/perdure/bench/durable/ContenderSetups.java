// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DbSchedulerContender.DbSchedulerSettings;
import java.util.ArrayList;
import java.util.List;

/** All contenders, in the order in which they take turns. */
final class ContenderSetups {

  static final String POSTGRES = "postgres";
  static final String POSTGRES_DB_SCHEDULER = "postgres-db-scheduler";
  static final String POSTGRES_BASELINE = "postgres-baseline";
  static final String SQLITE = "sqlite";
  static final String SQLITE_DB_SCHEDULER = "sqlite-db-scheduler";
  static final String SQLITE_BASELINE = "sqlite-baseline";

  static final List<String> NAMES =
      List.of(
          POSTGRES,
          POSTGRES_DB_SCHEDULER,
          POSTGRES_BASELINE,
          SQLITE,
          SQLITE_DB_SCHEDULER,
          SQLITE_BASELINE);

  private static final DbSchedulerSettings SQLITE_SETTINGS = new DbSchedulerSettings(10, 0.5, 3.0);

  private final PostgresServer server;
  private final DurableBenchOptions options;

  ContenderSetups(PostgresServer server, DurableBenchOptions options) {
    this.server = server;
    this.options = options;
  }

  /** The contenders that the options select. */
  List<ContenderSetup> chosen(DbSchedulerSettings best) {
    List<ContenderSetup> chosen = new ArrayList<>();
    for (String name : NAMES) {
      if (options.contenders.contains(name)) {
        chosen.add(of(name, best));
      }
    }
    return chosen;
  }

  private ContenderSetup of(String name, DbSchedulerSettings best) {
    return switch (name) {
      case POSTGRES -> postgres(name, database -> new EngineContender(database, options.slots));
      case POSTGRES_DB_SCHEDULER -> dbScheduler(best);
      case POSTGRES_BASELINE ->
          postgres(name, database -> new PostgresBaseline(database, options.batch));
      case SQLITE ->
          sqlite(name, options.tasks, database -> new EngineContender(database, options.slots));
      case SQLITE_DB_SCHEDULER ->
          sqlite(
              name,
              options.slowMaxTasks,
              database -> DbSchedulerContender.onSqlite(database, SQLITE_SETTINGS));
      case SQLITE_BASELINE ->
          sqlite(
              name, options.tasks, database -> new SqliteBaseline(database, options.sqliteBatch));
      default -> throw new IllegalArgumentException("Unknown contender: " + name);
    };
  }

  /** db-scheduler on PostgreSQL with these settings. */
  ContenderSetup dbScheduler(DbSchedulerSettings settings) {
    return postgres(
        POSTGRES_DB_SCHEDULER, database -> DbSchedulerContender.onPostgres(database, settings));
  }

  private ContenderSetup postgres(String name, ContenderSetup.ContenderFactory factory) {
    return new ContenderSetup(name, options.batch, options.tasks, server::create, factory);
  }

  private ContenderSetup sqlite(
      String name, int maxTasks, ContenderSetup.ContenderFactory factory) {
    return new ContenderSetup(name, options.sqliteBatch, maxTasks, SqliteDatabase::create, factory);
  }
}
