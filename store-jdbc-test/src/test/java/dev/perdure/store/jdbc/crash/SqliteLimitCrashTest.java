// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.NodeLeaseOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills and restarts the process on an SQLite file whose tasks have limits. */
@Tag("slow")
final class SqliteLimitCrashTest {

  @TempDir Path folder;

  @Test
  void limits_hold_and_nothing_leaks_when_the_process_is_killed() throws Exception {
    try (LimitTrial trial = new LimitTrial("SQLite, limits", folder, url(), LimitTrial.LEASES, 1)) {
      trial.start();
      trial.killAll();
      trial.awaitPlacesFreed();
      trial.killAtRandom();
      trial.finishAndCheck();
    }
  }

  @Test
  void with_default_lease_times_places_are_free_again_within_30_seconds() throws Exception {
    NodeLeaseOptions leases = NodeLeaseOptions.DEFAULT;
    try (LimitTrial trial = new LimitTrial("SQLite, 30 seconds", folder, url(), leases, 1)) {
      trial.start();
      trial.killAll();
      trial.awaitPlacesFreed();
      trial.finishAndCheck();
    }
  }

  private String url() {
    return "jdbc:sqlite:" + folder.resolve("tasks.db");
  }
}
