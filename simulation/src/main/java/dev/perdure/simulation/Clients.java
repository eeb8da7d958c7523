// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Batch;
import dev.perdure.engine.BusyException;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Clients that submit tasks and operators that control them. */
final class Clients {

  private static final int MAX_SUBMISSIONS = 40;
  private static final int PERCENT_GRAPHS = 50;

  private final World world;
  private final Cluster cluster;
  private int submissions;

  Clients(World world, Cluster cluster) {
    this.world = world;
    this.cluster = cluster;
  }

  /** Sends a request from time to time, until the faults end. */
  void scheduleNext() {
    world.scheduler.after(world.random.millis(0, 5000), this::runNext);
  }

  private void runNext() {
    if (world.faults.hasEnded()) {
      return;
    }
    NodeProcess process = cluster.anyProcess();
    if (process != null) {
      sendRandomRequest(process);
    }
    scheduleNext();
  }

  private void sendRandomRequest(NodeProcess process) {
    if (submissions < MAX_SUBMISSIONS && world.random.percent(60)) {
      submissions++;
      String submission = Integer.toString(submissions);
      Batch batch =
          world.random.percent(PERCENT_GRAPHS)
              ? GraphGenerator.generate(world, submission)
              : independentTasks(submission);
      process.run(() -> submit(process, submission, batch));
    } else if (!world.checker.tasks().isEmpty()) {
      boolean again = world.random.oneIn(2);
      UUID id = again ? anyFailedTask() : anyTask();
      int action = again ? world.random.between(6, 11) : world.random.between(0, 8);
      process.run(() -> operate(process, id, action));
    }
  }

  private Batch independentTasks(String submission) {
    List<NewTask> tasks = new ArrayList<>();
    for (int i = world.random.between(1, 3); i > 0; i--) {
      tasks.add(TaskGenerator.generate(world, submission));
    }
    return Batch.of(tasks);
  }

  /** Returns a random task that failed or was canceled, or any if there is none. */
  private UUID anyFailedTask() {
    List<TaskChecker> failed =
        world.checker.tasks().stream()
            .filter(task -> task.last().state().isTerminal())
            .filter(task -> task.last().state() != TaskState.SUCCESS)
            .toList();
    return failed.isEmpty() ? anyTask() : world.random.pick(failed).id();
  }

  /** Returns a random task, often a leased one, because those have the most races. */
  private UUID anyTask() {
    List<TaskChecker> leased =
        world.checker.tasks().stream().filter(task -> task.last().state().isLeased()).toList();
    boolean running = !leased.isEmpty() && world.random.oneIn(2);
    return world.random.pick(running ? leased : List.copyOf(world.checker.tasks())).id();
  }

  private void submit(NodeProcess process, String submission, Batch batch) {
    try {
      List<UUID> ids = process.engine().submit(batch).ids();
      world.trace.line("client", "submission " + submission + " is acknowledged");
      world.checker.acknowledged(ids);
    } catch (StoreException failure) {
      world.trace.line("client", "submission " + submission + ": " + failure.getMessage());
      if (failure.unknown()) {
        world.checker.submitUnknown(submission);
      } else {
        world.checker.submitFailed(submission);
      }
    }
  }

  private void operate(NodeProcess process, UUID id, int action) {
    Engine engine = process.engine();
    try {
      switch (action) {
        case 0 -> engine.cancel(id);
        case 1 -> {
          // Revives at once, while the handler may not know of the cancel yet.
          engine.cancel(id);
          engine.revive(id);
        }
        case 2 -> engine.pause(id);
        case 3 -> engine.resume(id);
        case 4 -> engine.retryNow(id);
        case 5 -> engine.reschedule(id, world.now().plus(world.random.millis(0, 30_000)));
        case 6, 7 -> engine.revive(id);
        case 8 -> engine.stopBatch(world.checker.last(id).batch());
        case 9 -> engine.reviveIgnoringDependencies(id);
        case 10 -> engine.resolve(id, "resolved", "it was done by hand");
        default -> runAgain(engine, world.checker.last(id).batch());
      }
    } catch (IllegalTransitionException | BusyException | StoreException failure) {
      world.trace.line("operator", "" + failure.getMessage());
    }
  }

  private void runAgain(Engine engine, UUID batch) {
    try {
      engine.runBatchAgain(batch);
    } catch (IllegalStateException live) {
      world.trace.line("operator", "" + live.getMessage());
    }
  }

  /** Resumes every paused task, repeatedly, because a response can be lost. */
  void resumeAll() {
    @Nullable NodeProcess process = cluster.anyProcess();
    if (process != null) {
      world.checker.tasks().stream()
          .filter(task -> task.isUnfinished() && task.last().paused())
          .forEach(task -> process.run(() -> operate(process, task.id(), 3)));
    }
    world.scheduler.after(Duration.ofSeconds(20), this::resumeAll);
  }
}
