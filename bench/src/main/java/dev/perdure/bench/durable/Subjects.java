// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.SchedulerContender.Setting;
import java.util.ArrayList;
import java.util.List;

/** All who are compared, in the order of their turns. */
final class Subjects {

  static final String POSTGRES = "postgres";
  static final String POSTGRES_SCHEDULER = "postgres-scheduler";
  static final String POSTGRES_FLOOR = "postgres-floor";
  static final String SQLITE = "sqlite";
  static final String SQLITE_SCHEDULER = "sqlite-scheduler";
  static final String SQLITE_FLOOR = "sqlite-floor";

  static final List<String> NAMES =
      List.of(POSTGRES, POSTGRES_SCHEDULER, POSTGRES_FLOOR, SQLITE, SQLITE_SCHEDULER, SQLITE_FLOOR);

  private static final Setting ON_SQLITE = new Setting(10, 0.5, 3.0);

  private final PostgresServer server;
  private final Options options;

  Subjects(PostgresServer server, Options options) {
    this.server = server;
    this.options = options;
  }

  /** Those that were asked for. */
  List<Subject> chosen(Setting best) {
    List<Subject> chosen = new ArrayList<>();
    for (String name : NAMES) {
      if (options.subjects.contains(name)) {
        chosen.add(of(name, best));
      }
    }
    return chosen;
  }

  private Subject of(String name, Setting best) {
    return switch (name) {
      case POSTGRES -> postgres(name, database -> new EngineContender(database, options.slots));
      case POSTGRES_SCHEDULER -> scheduler(best);
      case POSTGRES_FLOOR -> postgres(name, base -> new PostgresFloor(base, options.batch));
      case SQLITE -> sqlite(name, options.tasks, base -> new EngineContender(base, options.slots));
      case SQLITE_SCHEDULER ->
          sqlite(name, options.slowMost, base -> SchedulerContender.onSqlite(base, ON_SQLITE));
      case SQLITE_FLOOR ->
          sqlite(name, options.tasks, base -> new SqliteFloor(base, options.sqliteBatch));
      default -> throw new IllegalArgumentException("no subject " + name);
    };
  }

  /** db-scheduler on PostgreSQL with this setting. */
  Subject scheduler(Setting setting) {
    return postgres(
        POSTGRES_SCHEDULER, database -> SchedulerContender.onPostgres(database, setting));
  }

  private Subject postgres(String name, Subject.Opening opening) {
    return new Subject(name, options.batch, options.tasks, server::create, opening);
  }

  private Subject sqlite(String name, int most, Subject.Opening opening) {
    return new Subject(name, options.sqliteBatch, most, SqliteDatabase::create, opening);
  }
}
