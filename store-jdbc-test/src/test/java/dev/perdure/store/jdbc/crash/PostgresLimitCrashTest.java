// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills worker processes whose tasks have limits. */
@Tag("slow")
final class PostgresLimitCrashTest {

  private static final int WORKERS = 3;

  @TempDir static Path server;
  private static RestartablePostgres postgres;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    postgres = new RestartablePostgres(server);
  }

  @AfterAll
  static void stop() {
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void limits_hold_and_nothing_leaks_when_worker_processes_are_killed() throws Exception {
    String url = postgres.createDatabase("limits");
    try (LimitTrial trial =
        new LimitTrial("PostgreSQL, limits", folder, url, LimitTrial.LEASES, WORKERS)) {
      trial.start();
      trial.killAll();
      trial.awaitPlacesFreed();
      trial.killAtRandom();
      trial.finishAndCheck();
    }
  }
}
