// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Lease;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
final class SqliteProcessesTest {

  private static final int TASKS = 1_000;
  private static final int ROUNDS = 3;

  @TempDir Path folder;

  @Test
  void two_stores_and_another_process_never_claim_a_task_twice() throws Exception {
    Path file = folder.resolve("tasks.db");
    try (SqliteStore one = SqliteTestTasks.open(file);
        SqliteStore two = SqliteTestTasks.open(file)) {
      Submission submission = SqliteTestTasks.many(TASKS);
      // The other process claims its first task before the two stores of this process start.
      one.submit(submission);
      Process process = OtherProcess.start("claim", file);
      try (BufferedReader lines = process.inputReader()) {
        List<UUID> claimed = new ArrayList<>();
        claimed.add(UUID.fromString(lines.readLine()));
        CompletableFuture<List<UUID>> byOne = CompletableFuture.supplyAsync(() -> claimAll(one));
        CompletableFuture<List<UUID>> byTwo = CompletableFuture.supplyAsync(() -> claimAll(two));
        lines.lines().map(UUID::fromString).forEach(claimed::add);
        assertThat(process.waitFor()).isZero();
        claimed.addAll(byOne.join());
        claimed.addAll(byTwo.join());
        assertThat(claimed)
            .doesNotHaveDuplicates()
            .containsExactlyInAnyOrderElementsOf(
                submission.tasks().stream().map(NewTaskRow::id).toList());
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void acknowledged_tasks_survive_a_killed_process() throws Exception {
    Path file = folder.resolve("tasks.db");
    List<UUID> acknowledged = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      acknowledged.addAll(killedAfter(100 * round, file));
    }
    try (SqliteStore store = SqliteTestTasks.open(file)) {
      assertThat(acknowledged)
          .hasSizeGreaterThanOrEqualTo(600)
          .allMatch(id -> store.reader().find(id).isPresent());
    }
  }

  /** Returns the ids printed by a process that is killed after it has printed this many. */
  private static List<UUID> killedAfter(int count, Path file) throws IOException {
    Process process = OtherProcess.start("submit", file);
    List<UUID> ids = new ArrayList<>();
    try (BufferedReader lines = process.inputReader()) {
      while (ids.size() < count) {
        ids.add(UUID.fromString(lines.readLine()));
      }
      // Not Process.destroyForcibly, which would close the output before it is read.
      process.toHandle().destroyForcibly();
      // The rest of what it printed before it died, except an incomplete last line.
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.length() == 36) {
          ids.add(UUID.fromString(line));
        }
      }
    } finally {
      process.destroyForcibly();
    }
    return ids;
  }

  private static List<UUID> claimAll(SqliteStore store) {
    List<UUID> claimed = new ArrayList<>();
    List<Lease> leases = store.claim(SqliteTestTasks.upTo(7)).leases();
    while (!leases.isEmpty()) {
      leases.forEach(lease -> claimed.add(lease.task().id()));
      leases = store.claim(SqliteTestTasks.upTo(7)).leases();
    }
    return claimed;
  }
}
