// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DbSchedulerContender.DbSchedulerSettings;
import java.util.ArrayList;
import java.util.List;

/** All who are compared, in the order of their turns. */
final class ContenderSetups {

  static final String POSTGRES = "postgres";
  static final String POSTGRES_SCHEDULER = "postgres-scheduler";
  static final String POSTGRES_BASELINE = "postgres-floor";
  static final String SQLITE = "sqlite";
  static final String SQLITE_SCHEDULER = "sqlite-scheduler";
  static final String SQLITE_BASELINE = "sqlite-floor";

  static final List<String> NAMES =
      List.of(
          POSTGRES,
          POSTGRES_SCHEDULER,
          POSTGRES_BASELINE,
          SQLITE,
          SQLITE_SCHEDULER,
          SQLITE_BASELINE);

  private static final DbSchedulerSettings SQLITE_SETTINGS = new DbSchedulerSettings(10, 0.5, 3.0);

  private final PostgresServer server;
  private final DurableBenchOptions options;

  ContenderSetups(PostgresServer server, DurableBenchOptions options) {
    this.server = server;
    this.options = options;
  }

  /** Those that were asked for. */
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
      case POSTGRES_SCHEDULER -> scheduler(best);
      case POSTGRES_BASELINE -> postgres(name, base -> new PostgresBaseline(base, options.batch));
      case SQLITE -> sqlite(name, options.tasks, base -> new EngineContender(base, options.slots));
      case SQLITE_SCHEDULER ->
          sqlite(
              name,
              options.slowMaxTasks,
              base -> DbSchedulerContender.onSqlite(base, SQLITE_SETTINGS));
      case SQLITE_BASELINE ->
          sqlite(name, options.tasks, base -> new SqliteBaseline(base, options.sqliteBatch));
      default -> throw new IllegalArgumentException("no subject " + name);
    };
  }

  /** db-scheduler on PostgreSQL with this setting. */
  ContenderSetup scheduler(DbSchedulerSettings settings) {
    return postgres(
        POSTGRES_SCHEDULER, database -> DbSchedulerContender.onPostgres(database, settings));
  }

  private ContenderSetup postgres(String name, ContenderSetup.ContenderFactory factory) {
    return new ContenderSetup(name, options.batch, options.tasks, server::create, factory);
  }

  private ContenderSetup sqlite(String name, int most, ContenderSetup.ContenderFactory factory) {
    return new ContenderSetup(name, options.sqliteBatch, most, SqliteDatabase::create, factory);
  }
}
