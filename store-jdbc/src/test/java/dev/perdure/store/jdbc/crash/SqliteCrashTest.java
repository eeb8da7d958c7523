// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.LeaseTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one SQLite file, killed at random. */
final class SqliteCrashTest {

  private static final LeaseTimes LEASES =
      new LeaseTimes(
          Duration.ofMillis(250),
          Duration.ofSeconds(6),
          Duration.ofSeconds(1),
          Duration.ofMillis(400));

  private static final Duration JOB = Duration.ofMillis(500);

  @TempDir Path folder;

  @Test
  void every_acknowledged_task_ends_once_when_its_processes_are_killed() throws Exception {
    String url = "sqlite:" + folder.resolve("tasks.db");
    try (Trial trial = new Trial("SQLite, killed processes", folder, url, LEASES, JOB)) {
      Child worker = trial.startWorker();
      Child submitter = trial.startSubmitter();
      trial.begin(List.of(worker));
      while (trial.goesOn()) {
        if (trial.random().nextInt(4) > 0) {
          // Else the kill may come while it still opens its store.
          worker.awaitReady();
        }
        trial.pass(Duration.ofSeconds(1));
        trial.kill(worker);
        worker = trial.startWorker();
        if (trial.random().nextInt(4) == 0) {
          trial.kill(submitter);
          submitter = trial.startSubmitter();
        }
      }
      trial.endsWell(submitter, List.of(worker));
    }
  }
}
