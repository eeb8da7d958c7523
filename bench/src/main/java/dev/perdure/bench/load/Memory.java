// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.Database;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What the server holds while an hour's tasks go through it, as fast as they go. */
final class Memory {

  private static final int QUARTERS = 4;
  private static final int MOST_WARM_UP_TASKS = 10_000;
  private static final double MIB = 1024.0 * 1024;

  private final Options options;
  private final List<Look> looks = new ArrayList<>();

  Memory(Options options) {
    this.options = options;
  }

  /**
   * One look, when nothing is under way.
   *
   * @param tasks that have ended
   * @param live bytes of the heap that are reachable
   * @param resident bytes in memory, as the system sees them
   */
  record Look(long tasks, double seconds, long live, long resident, long threads) {}

  List<Look> looks() {
    return List.copyOf(looks);
  }

  void run(Store store) throws IOException, SQLException, InterruptedException {
    try (Database database = store.create();
        LoadedServer server = LoadedServer.start(options, database.url());
        Pipeline pipeline = new Pipeline(server)) {
      look(server, 0, 0);
      int first = Math.min(options.tasks, MOST_WARM_UP_TASKS);
      double seconds = pipeline.run(first);
      look(server, first, seconds);
      long tasks = first;
      for (int i = 0; i < QUARTERS; i++) {
        seconds = pipeline.run(options.hour / QUARTERS);
        tasks += options.hour / QUARTERS;
        look(server, tasks, seconds);
      }
    }
  }

  private void look(LoadedServer server, long tasks, double seconds) throws IOException {
    // Before the collection, which may give memory back.
    long resident = server.residentBytes();
    looks.add(new Look(tasks, seconds, server.liveBytes(), resident, server.threads()));
  }

  void print(PrintStream out, Store store) {
    out.printf(
        "%nmemory on %s with -Xmx%s, tasks called, called back and ended%n",
        store.name(), options.heap);
    out.printf(
        "%14s %14s %16s %16s %10s%n",
        "tasks so far", "seconds", "live, MiB", "RSS, MiB", "threads");
    for (Look look : looks) {
      out.printf(
          "%,14d %14.0f %16.1f %16.0f %10d%n",
          look.tasks(), look.seconds(), look.live() / MIB, look.resident() / MIB, look.threads());
    }
  }
}
