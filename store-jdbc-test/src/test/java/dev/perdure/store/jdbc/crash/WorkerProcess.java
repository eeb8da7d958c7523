// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
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

/** A process that runs tasks until it is killed, or until its parent closes its input or dies. */
final class WorkerProcess {

  static final String READY = "ready";

  /** Written to the standard error when a limit had a wrong number of tasks in use. */
  static final String CORRECTED = "corrected limits";

  static final int SLOTS = 16;

  /** Higher than the default, because tasks are killed here very often and must survive it. */
  private static final int MAX_LOSSES = 20;

  private WorkerProcess() {}

  private static final EngineListener LISTENER =
      new EngineListener() {
        @Override
        public void onLimitsCorrected(int limits) {
          System.err.println(CORRECTED + ": " + limits);
        }
      };

  /**
   * Arguments: the store URL, the log file, the lease times in milliseconds, the name of the node,
   * its slots.
   */
  public static void main(String[] arguments) throws IOException {
    try (ExecutionLog log = ExecutionLog.append(Path.of(arguments[1]));
        JdbcStore store = JdbcStore.builder().url(arguments[0]).poolSize(6).open();
        Engine engine =
            Engine.builder(store)
                .nodeLease(leases(arguments[2]))
                .lossLimit(MAX_LOSSES)
                .name(arguments[3])
                .slots(Integer.parseInt(arguments[4]))
                .listener(LISTENER)
                .pollInterval(Duration.ofMillis(200))
                .build()) {
      engine.register(Job.KIND, Job.class, (job, context) -> run(job, context, log));
      engine.start();
      System.out.println(READY);
      while (System.in.read() >= 0) {
        // Nothing is ever written to the input; only its end matters.
      }
    }
  }

  private static void run(Job job, TaskContext context, ExecutionLog log) throws Exception {
    Task task = context.task();
    log.start(task);
    EndKind kind = EndKind.INTERRUPTED;
    try {
      // The latch is never counted down: this is a sleep that an interrupt ends.
      new CountDownLatch(1).await(job.millis(), TimeUnit.MILLISECONDS);
      kind = context.attempt() < job.failures() ? EndKind.FAILURE : EndKind.SUCCESS;
    } finally {
      log.end(task, kind);
    }
    if (kind == EndKind.FAILURE && job.permanent()) {
      throw context.permanent("permanent test failure");
    }
    if (kind == EndKind.FAILURE) {
      throw new IllegalStateException("test failure");
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

  /** Formats the options as an argument of {@link #main}. */
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
