// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.BenchDatabase;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Measures the memory of the server while many tasks run through it as fast as possible. */
final class MemoryScenario {

  private static final int QUARTERS = 4;
  private static final int MAX_WARM_UP_TASKS = 10_000;
  private static final double MIB = 1024.0 * 1024;

  private final LoadOptions options;
  private final List<MemorySample> samples = new ArrayList<>();

  MemoryScenario(LoadOptions options) {
    this.options = options;
  }

  /**
   * One sample, taken when no task is in flight.
   *
   * @param tasks number of tasks that have ended
   * @param seconds duration of the tasks since the last sample
   * @param liveHeapBytes size of all reachable objects
   * @param residentBytes resident set size
   */
  record MemorySample(
      long tasks, double seconds, long liveHeapBytes, long residentBytes, long threads) {}

  List<MemorySample> samples() {
    return List.copyOf(samples);
  }

  void run(StoreKind store) throws IOException, SQLException, InterruptedException {
    try (BenchDatabase database = store.create();
        MeasuredServer server = MeasuredServer.start(options, database.url());
        CallbackPipeline pipeline = new CallbackPipeline(server)) {
      sample(server, 0, 0);
      int first = Math.min(options.tasks, MAX_WARM_UP_TASKS);
      double seconds = pipeline.run(first);
      sample(server, first, seconds);
      long tasks = first;
      for (int i = 0; i < QUARTERS; i++) {
        seconds = pipeline.run(options.memoryTasks / QUARTERS);
        tasks += options.memoryTasks / QUARTERS;
        sample(server, tasks, seconds);
      }
    }
  }

  private void sample(MeasuredServer server, long tasks, double seconds) throws IOException {
    // Read before the garbage collection, which may return memory to the system.
    long resident = server.residentBytes();
    samples.add(
        new MemorySample(tasks, seconds, server.liveHeapBytes(), resident, server.threads()));
  }

  void print(PrintStream out, StoreKind store) {
    out.printf(
        "%nmemory on %s with -Xmx%s, tasks from submission to callback%n",
        store.name(), options.heap);
    out.printf(
        "%14s %14s %16s %16s %10s%n",
        "tasks so far", "seconds", "live heap, MiB", "RSS, MiB", "threads");
    for (MemorySample sample : samples) {
      out.printf(
          "%,14d %14.0f %16.1f %16.0f %10d%n",
          sample.tasks(),
          sample.seconds(),
          sample.liveHeapBytes() / MIB,
          sample.residentBytes() / MIB,
          sample.threads());
    }
  }
}
