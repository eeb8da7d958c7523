// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.NodeLeaseOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills worker processes, or the PostgreSQL server, at random. */
@Tag("slow")
final class PostgresCrashTest {

  private static final int WORKERS = 3;
  private static final Duration VALIDITY = Duration.ofSeconds(6);

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
  void every_acknowledged_task_ends_once_when_its_processes_are_killed() throws Exception {
    String url = postgres.createDatabase("killed_processes");
    NodeLeaseOptions leases = leases(Duration.ofMillis(400));
    Duration job = Duration.ofMillis(500);
    try (CrashTrial trial =
        new CrashTrial("PostgreSQL, killed processes", folder, url, leases, job)) {
      List<ChildProcess> workers = startWorkers(trial);
      ChildProcess submitter = trial.startSubmitter();
      trial.start(workers);
      Random random = trial.random();
      while (trial.isRunning()) {
        if (random.nextInt(4) > 0) {
          // Otherwise the kill could hit a process that is still opening its store.
          workers.getFirst().awaitReady();
        }
        trial.sleepUpTo(Duration.ofSeconds(1));
        // Sometimes kill all workers at once.
        int victims = random.nextInt(5) == 0 ? WORKERS : 1;
        for (int i = 0; i < victims; i++) {
          trial.kill(workers.removeFirst());
        }
        for (int i = 0; i < victims; i++) {
          workers.add(random.nextInt(workers.size() + 1), trial.startWorker());
        }
        if (random.nextInt(4) == 0) {
          trial.kill(submitter);
          submitter = trial.startSubmitter();
        }
      }
      trial.finishAndCheck(submitter, workers);
    }
  }

  @Test
  void nothing_is_lost_when_the_server_is_killed() throws Exception {
    String url = postgres.createDatabase("killed_server");
    // After an outage the nodes need time to come back before they may be marked dead.
    NodeLeaseOptions leases = leases(Duration.ofSeconds(10));
    // Some jobs run longer than a node waits for the database before it stops its own work.
    Duration job = Duration.ofSeconds(4);
    try (CrashTrial trial = new CrashTrial("PostgreSQL, killed server", folder, url, leases, job)) {
      List<ChildProcess> workers = startWorkers(trial);
      ChildProcess submitter = trial.startSubmitter();
      trial.start(workers);
      boolean longer = trial.random().nextBoolean();
      while (trial.isRunning()) {
        trial.sleepUpTo(Duration.ofSeconds(2));
        trial.kill(postgres);
        // Outages alternate between too short for a node to stop its work and long enough for all
        // node rows to expire.
        trial.sleepUpTo(Duration.ofMillis(500));
        if (longer) {
          LockSupport.parkNanos(VALIDITY.toNanos());
        }
        longer = !longer;
        postgres.start();
      }
      trial.finishAndCheck(submitter, workers);
    }
  }

  private static List<ChildProcess> startWorkers(CrashTrial trial) throws Exception {
    List<ChildProcess> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(trial.startWorker());
    }
    return workers;
  }

  private static NodeLeaseOptions leases(Duration steady) {
    return new NodeLeaseOptions(Duration.ofMillis(250), VALIDITY, Duration.ofSeconds(1), steady);
  }
}
