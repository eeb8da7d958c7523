// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * Migrates the tables to the current version. A process that starts while another one migrates
 * waits for it.
 */
public final class Migrations {

  /** A separate history table, so that an application can use Flyway for its own tables. */
  private static final String HISTORY_TABLE = "perdure_schema";

  private Migrations() {}

  /**
   * Migrates the tables, and returns the number of migrations that were applied.
   *
   * @throws StoreException with {@link ErrorKind#REFUSED} when another version of the migrations
   *     created the tables
   */
  public static int run(DataSource dataSource, String dialect) {
    Flyway flyway =
        Flyway.configure(Migrations.class.getClassLoader())
            .dataSource(dataSource)
            .locations("classpath:dev/perdure/store/jdbc/migration-" + dialect)
            .table(HISTORY_TABLE)
            // A transactional lock would prevent CREATE INDEX CONCURRENTLY, which a later version
            // may need.
            .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
            // The schema may already contain an application's own tables.
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .load();
    try {
      return migrate(flyway);
    } catch (FlywayValidateException e) {
      throw new StoreException(
          "the tables were created by another version of Perdure; open them with that version, or"
              + " use a new database",
          e,
          ErrorKind.REFUSED);
    } catch (FlywayException e) {
      throw new StoreException(
          "cannot migrate the tables: " + e.getMessage(), e, ErrorKind.UNAVAILABLE);
    }
  }

  private static int migrate(Flyway flyway) {
    try {
      return flyway.migrate().migrationsExecuted;
    } catch (FlywayException maybeConcurrentMigration) {
      // Flyway checks for its history table before it takes its lock. If another process creates
      // the table in between, Flyway fails, and the second run finds the table. Any other error
      // occurs again.
      return flyway.migrate().migrationsExecuted;
    }
  }
}
