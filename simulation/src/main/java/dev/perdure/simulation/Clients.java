// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Those who submit tasks, and those who meddle with them. */
final class Clients {

  private static final int MAX_SUBMISSIONS = 40;

  private final World world;
  private final Cluster cluster;
  private int submissions;

  Clients(World world, Cluster cluster) {
    this.world = world;
    this.cluster = cluster;
  }

  /** Keeps asking for something until the weather clears. */
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
      String order = Integer.toString(submissions);
      List<NewTask> tasks = new ArrayList<>();
      for (int i = world.random.between(1, 3); i > 0; i--) {
        tasks.add(TaskGenerator.generate(world, order));
      }
      process.run(() -> submit(process, order, tasks));
    } else if (!world.checker.tasks().isEmpty()) {
      UUID id = anyTask();
      int act = world.random.between(0, 6);
      process.run(() -> operate(process, id, act));
    }
  }

  /** Often one that runs: that is where two may meet. */
  private UUID anyTask() {
    List<TaskChecker> held =
        world.checker.tasks().stream().filter(task -> task.last().state().isLeased()).toList();
    boolean running = !held.isEmpty() && world.random.oneIn(2);
    return world.random.pick(running ? held : List.copyOf(world.checker.tasks())).id();
  }

  private void submit(NodeProcess process, String order, List<NewTask> tasks) {
    try {
      List<UUID> ids = process.engine().submitAll(tasks).ids();
      world.trace.line("client", "order " + order + " is acknowledged");
      world.checker.acknowledged(ids);
    } catch (StoreException problem) {
      world.trace.line("client", "order " + order + ": " + problem.getMessage());
      if (problem.unknown()) {
        world.checker.submitUnknown(order);
      } else {
        world.checker.submitFailed(order);
      }
    }
  }

  private void operate(NodeProcess process, UUID id, int act) {
    Engine engine = process.engine();
    try {
      switch (act) {
        case 0 -> engine.cancel(id);
        case 1 -> {
          // Who thinks better of it at once: the handler may not have heard of the first yet.
          engine.cancel(id);
          engine.revive(id);
        }
        case 2 -> engine.pause(id);
        case 3 -> engine.resume(id);
        case 4 -> engine.retryNow(id);
        default -> engine.revive(id);
      }
    } catch (IllegalTransitionException | StoreException problem) {
      world.trace.line("operator", "" + problem.getMessage());
    }
  }

  /** Lets everything run that somebody paused, again and again, since an answer may be lost. */
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
