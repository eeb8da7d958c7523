// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Creates submissions and claim requests for the SQLite tests. */
final class SqliteTestTasks {

  static final String KIND = "noop";

  private static final long SEVENTH_VERSION = 7L << 12;
  private static final long VARIANT = 1L << 63;
  private static final int SHARD_BITS = 12;
  private static final AtomicLong COUNT = new AtomicLong(System.nanoTime() & 0xFFFFFFFFL);

  private SqliteTestTasks() {}

  static UUID id() {
    long high = (System.currentTimeMillis() << 16) | SEVENTH_VERSION;
    return new UUID(high, VARIANT | (COUNT.incrementAndGet() << SHARD_BITS));
  }

  static Submission one() {
    return many(1);
  }

  static Submission many(int size) {
    return many(size, "{}");
  }

  static Submission many(int size, String payload) {
    List<NewTaskRow> rows = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      rows.add(new NewTaskRow(id(), TaskDefinition.of(KIND, payload), DueTime.now()));
    }
    return new Submission(id(), rows);
  }

  static UUID first(Submission submission) {
    return submission.tasks().getFirst().id();
  }

  static ClaimRequest upTo(int limit) {
    return new ClaimRequest(
        new LeaseOwner.RemoteOwner(
            "worker-" + ProcessHandle.current().pid(), Duration.ofMinutes(5)),
        List.of(new ClaimRequest.QueueCapacity(KIND, limit)),
        limit,
        true);
  }

  static StoreSettings settings() {
    return SqliteFixture.settings(null, 1);
  }

  static SqliteStore open(Path file) {
    return SqliteStore.open("sqlite:" + file, settings());
  }
}
