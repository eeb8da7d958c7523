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

/** Three worker processes on one PostgreSQL; they are killed at random, or it is. */
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
    try (CrashTrial crashTrial =
        new CrashTrial("PostgreSQL, killed processes", folder, url, leases, job)) {
      List<ChildProcess> workers = startWorkers(crashTrial);
      ChildProcess submitter = crashTrial.startSubmitter();
      crashTrial.begin(workers);
      Random random = crashTrial.random();
      while (crashTrial.isRunning()) {
        if (random.nextInt(4) > 0) {
          // Else the kill may come while the victim still opens its store.
          workers.getFirst().awaitReady();
        }
        crashTrial.sleepUpTo(Duration.ofSeconds(1));
        // Now and then all at once.
        int victims = random.nextInt(5) == 0 ? WORKERS : 1;
        for (int i = 0; i < victims; i++) {
          crashTrial.kill(workers.removeFirst());
        }
        for (int i = 0; i < victims; i++) {
          workers.add(random.nextInt(workers.size() + 1), crashTrial.startWorker());
        }
        if (random.nextInt(4) == 0) {
          crashTrial.kill(submitter);
          submitter = crashTrial.startSubmitter();
        }
      }
      crashTrial.finishAndCheck(submitter, workers);
    }
  }

  @Test
  void nothing_is_lost_when_the_server_is_killed() throws Exception {
    String url = postgres.createDatabase("killed_server");
    // After an outage everybody needs time to come back before he may be called dead.
    NodeLeaseOptions leases = leases(Duration.ofSeconds(10));
    // Some jobs are under way for longer than a node waits for the database before it stops them.
    Duration job = Duration.ofSeconds(4);
    try (CrashTrial crashTrial =
        new CrashTrial("PostgreSQL, killed server", folder, url, leases, job)) {
      List<ChildProcess> workers = startWorkers(crashTrial);
      ChildProcess submitter = crashTrial.startSubmitter();
      crashTrial.begin(workers);
      boolean longer = crashTrial.random().nextBoolean();
      while (crashTrial.isRunning()) {
        crashTrial.sleepUpTo(Duration.ofSeconds(2));
        crashTrial.kill(postgres);
        // Too short for anybody to stop, or long enough that every node's row runs out; in turn.
        crashTrial.sleepUpTo(Duration.ofMillis(500));
        if (longer) {
          LockSupport.parkNanos(VALIDITY.toNanos());
        }
        longer = !longer;
        postgres.start();
      }
      crashTrial.finishAndCheck(submitter, workers);
    }
  }

  private static List<ChildProcess> startWorkers(CrashTrial crashTrial) throws Exception {
    List<ChildProcess> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(crashTrial.startWorker());
    }
    return workers;
  }

  private static NodeLeaseOptions leases(Duration steady) {
    return new NodeLeaseOptions(Duration.ofMillis(250), VALIDITY, Duration.ofSeconds(1), steady);
  }
}
