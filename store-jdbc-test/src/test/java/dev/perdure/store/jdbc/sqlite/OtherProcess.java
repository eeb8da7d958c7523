// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.Lease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a second process: it submits or claims tasks and prints each acknowledged id.
 */
final class OtherProcess {

  private static final int CLAIMED_AT_ONCE = 7;

  private OtherProcess() {}

  public static void main(String[] arguments) {
    try (SqliteStore store = SqliteTestTasks.open(Path.of(arguments[1]))) {
      switch (arguments[0]) {
        case "submit" -> submitForever(store);
        case "claim" -> claimAll(store);
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  static Process start(String what, Path file) throws IOException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    return new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            OtherProcess.class.getName(),
            what,
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Runs until the process is killed. */
  private static void submitForever(SqliteStore store) {
    while (!System.out.checkError()) {
      Submission submission = SqliteTestTasks.many(3);
      store.submit(submission);
      submission.tasks().forEach(task -> System.out.println(task.id()));
    }
  }

  private static void claimAll(SqliteStore store) {
    List<Lease> leases = store.claim(SqliteTestTasks.upTo(CLAIMED_AT_ONCE)).leases();
    while (!leases.isEmpty()) {
      leases.forEach(lease -> System.out.println(lease.task().id()));
      leases = store.claim(SqliteTestTasks.upTo(CLAIMED_AT_ONCE)).leases();
    }
  }
}
