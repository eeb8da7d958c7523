// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.crash.Execution.EndKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The process that runs tasks until it is killed, or until its parent closes its input or dies. */
final class WorkerProcess {

  static final String READY = "ready";

  /** High: a task is killed here more often than any task should be, and must live on. */
  private static final int MAX_LOSSES = 20;

  private static final int SLOTS = 16;

  private WorkerProcess() {}

  /** Arguments: the store's URL, the log file, the lease times in milliseconds. */
  public static void main(String[] arguments) throws IOException {
    try (ExecutionLog log = ExecutionLog.append(Path.of(arguments[1]));
        JdbcStore store = JdbcStore.builder().url(arguments[0]).poolSize(6).open();
        Engine engine =
            Engine.builder(store)
                .nodeLease(leases(arguments[2]))
                .lossLimit(MAX_LOSSES)
                .slots(SLOTS)
                .pollInterval(Duration.ofMillis(200))
                .build()) {
      engine.register(Job.KIND, Job.class, (job, context) -> run(job, context, log));
      engine.start();
      System.out.println(READY);
      while (System.in.read() >= 0) {
        // Nobody writes; the end is what is waited for.
      }
    }
  }

  private static void run(Job job, TaskContext context, ExecutionLog log) throws Exception {
    Task task = context.task();
    log.start(task);
    EndKind endKind = EndKind.INTERRUPTED;
    try {
      // Nobody counts it down: a wait that an interrupt ends.
      new CountDownLatch(1).await(job.millis(), TimeUnit.MILLISECONDS);
      endKind = context.attempt() < job.failures() ? EndKind.FAILURE : EndKind.SUCCESS;
    } finally {
      log.end(task, endKind);
    }
    if (endKind == EndKind.FAILURE && job.permanent()) {
      throw context.permanent("it is meant to fail for good");
    }
    if (endKind == EndKind.FAILURE) {
      throw new IllegalStateException("it is meant to fail");
    }
  }

  private static NodeLeaseOptions leases(String text) {
    Duration[] times =
        Stream.of(text.split(","))
            .map(Long::valueOf)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);
    return new NodeLeaseOptions(times[0], times[1], times[2], times[3]);
  }

  /** As {@link #main} wants them. */
  static String text(NodeLeaseOptions times) {
    return String.join(
        ",",
        Stream.of(
                times.renewInterval(),
                times.validity(),
                times.stopAfter(),
                times.steadyTimeBeforeReaping())
            .map(time -> "" + time.toMillis())
            .toList());
  }
}
