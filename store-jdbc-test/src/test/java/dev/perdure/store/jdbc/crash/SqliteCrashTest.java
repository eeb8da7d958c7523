// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.NodeLeaseOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills processes that share one SQLite file at random. */
@Tag("slow")
final class SqliteCrashTest {

  private static final NodeLeaseOptions LEASES =
      new NodeLeaseOptions(
          Duration.ofMillis(250),
          Duration.ofSeconds(6),
          Duration.ofSeconds(1),
          Duration.ofMillis(400));

  private static final Duration JOB = Duration.ofMillis(500);

  @TempDir Path folder;

  @Test
  void every_acknowledged_task_ends_once_when_its_processes_are_killed() throws Exception {
    String url = "sqlite:" + folder.resolve("tasks.db");
    try (CrashTrial trial = new CrashTrial("SQLite, killed processes", folder, url, LEASES, JOB)) {
      ChildProcess worker = trial.startWorker();
      ChildProcess submitter = trial.startSubmitter();
      trial.start(List.of(worker));
      while (trial.isRunning()) {
        if (trial.random().nextInt(4) > 0) {
          // Otherwise the kill could hit a process that is still opening its store.
          worker.awaitReady();
        }
        trial.sleepUpTo(Duration.ofSeconds(1));
        trial.kill(worker);
        worker = trial.startWorker();
        if (trial.random().nextInt(4) == 0) {
          trial.kill(submitter);
          submitter = trial.startSubmitter();
        }
      }
      trial.finishAndCheck(submitter, List.of(worker));
    }
  }
}
