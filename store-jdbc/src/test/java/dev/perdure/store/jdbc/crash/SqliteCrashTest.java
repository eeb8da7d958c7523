// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.NodeLeaseOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one SQLite file, killed at random. */
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
    try (CrashTrial crashTrial =
        new CrashTrial("SQLite, killed processes", folder, url, LEASES, JOB)) {
      ChildProcess worker = crashTrial.startWorker();
      ChildProcess submitter = crashTrial.startSubmitter();
      crashTrial.begin(List.of(worker));
      while (crashTrial.isRunning()) {
        if (crashTrial.random().nextInt(4) > 0) {
          // Else the kill may come while it still opens its store.
          worker.awaitReady();
        }
        crashTrial.sleepUpTo(Duration.ofSeconds(1));
        crashTrial.kill(worker);
        worker = crashTrial.startWorker();
        if (crashTrial.random().nextInt(4) == 0) {
          crashTrial.kill(submitter);
          submitter = crashTrial.startSubmitter();
        }
      }
      crashTrial.finishAndCheck(submitter, List.of(worker));
    }
  }
}
