// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings the tables up to date. Whoever comes while another does it waits for him. */
public final class Migrations {

  /** Our own table of what was done, so that an application's own Flyway is not disturbed. */
  private static final String HISTORY_TABLE = "perdure_schema";

  private Migrations() {}

  public static void run(DataSource dataSource, String dialect) {
    Flyway flyway =
        Flyway.configure(Migrations.class.getClassLoader())
            .dataSource(dataSource)
            .locations("classpath:dev/perdure/store/jdbc/migration-" + dialect)
            .table(HISTORY_TABLE)
            // Else an index could not be built beside running work, which a later version may need.
            .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
            // Our tables may stand beside an application's own.
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .load();
    try {
      flyway.migrate();
    } catch (FlywayException perhapsAnotherWasFirst) {
      // Flyway looks for its table before it takes its lock. When another process makes the table
      // in between, Flyway fails; the next time it sees the table. What is really wrong is so
      // again.
      flyway.migrate();
    }
  }
}
