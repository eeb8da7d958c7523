// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.TaskRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Those who submit tasks, and those who meddle with them. */
final class Clients {

  private static final int MOST_ORDERS = 40;

  private final World world;
  private final Cluster cluster;
  private int orders;

  Clients(World world, Cluster cluster) {
    this.world = world;
    this.cluster = cluster;
  }

  /** Keeps asking for something until the weather clears. */
  void begin() {
    world.scheduler.after(world.chance.millis(0, 5000), this::goOn);
  }

  private void goOn() {
    if (world.weather.fair()) {
      return;
    }
    NodeProcess process = cluster.anyProcess();
    if (process != null) {
      askSomething(process);
    }
    begin();
  }

  private void askSomething(NodeProcess process) {
    if (orders < MOST_ORDERS && world.chance.percent(60)) {
      orders++;
      String order = Integer.toString(orders);
      List<NewTask> tasks = new ArrayList<>();
      for (int i = world.chance.between(1, 3); i > 0; i--) {
        tasks.add(Orders.draw(world, order));
      }
      process.run(() -> submit(process, order, tasks));
    } else if (!world.ledger.tasks().isEmpty()) {
      UUID id = anyTask();
      int act = world.chance.between(0, 6);
      process.run(() -> act(process, id, act));
    }
  }

  /** Often one that runs: that is where two may meet. */
  private UUID anyTask() {
    List<TaskHistory> held =
        world.ledger.tasks().stream().filter(task -> task.last().state().isHeld()).toList();
    boolean running = !held.isEmpty() && world.chance.oneIn(2);
    return world.chance.pick(running ? held : List.copyOf(world.ledger.tasks())).id();
  }

  private void submit(NodeProcess process, String order, List<NewTask> tasks) {
    try {
      List<UUID> ids = process.engine().submit(tasks);
      world.trace.line("client", "order " + order + " is acknowledged");
      world.ledger.acknowledged(ids);
    } catch (StoreException problem) {
      world.trace.line("client", "order " + order + ": " + problem.getMessage());
      if (problem.unknown()) {
        world.ledger.unanswered(order);
      } else {
        world.ledger.refused(order);
      }
    }
  }

  private void act(NodeProcess process, UUID id, int act) {
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
    } catch (TaskRefusedException | StoreException problem) {
      world.trace.line("operator", "" + problem.getMessage());
    }
  }

  /** Lets everything run that somebody paused, again and again, since an answer may be lost. */
  void resumeAll() {
    @Nullable NodeProcess process = cluster.anyProcess();
    if (process != null) {
      world.ledger.tasks().stream()
          .filter(task -> task.isUnfinished() && task.last().paused())
          .forEach(task -> process.run(() -> act(process, task.id(), 3)));
    }
    world.scheduler.after(Duration.ofSeconds(20), this::resumeAll);
  }
}
