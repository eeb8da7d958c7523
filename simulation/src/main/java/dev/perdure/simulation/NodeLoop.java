// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** One loop of a node. It does its work, then waits until it is due again or woken. */
final class NodeLoop {

  private final World world;
  private final NodeProcess process;
  private final Supplier<Duration> work;
  private final Fiber fiber;
  private long waitId = -1;
  private int failures;

  /** Starts the loop. The work returns how long to wait before it runs again. */
  NodeLoop(World world, NodeProcess process, Supplier<Duration> work) {
    this.world = world;
    this.process = process;
    this.work = work;
    this.fiber = process.fiber(this::run);
    world.scheduler.after(world.random.millis(0, 50), process, () -> world.scheduler.resume(fiber));
  }

  /** Starts a loop that always waits for the same time. */
  static NodeLoop every(World world, NodeProcess process, Duration every, Runnable work) {
    return new NodeLoop(
        world,
        process,
        () -> {
          work.run();
          return every;
        });
  }

  /** Starts a loop that runs again at once while it has work, and then wakes another one. */
  static NodeLoop waking(World world, NodeProcess process, IntSupplier work, NodeLoop other) {
    Duration every = world.random.seconds(1, 3);
    return new NodeLoop(
        world,
        process,
        () -> {
          if (work.getAsInt() == 0) {
            return every;
          }
          other.wake();
          return Duration.ZERO;
        });
  }

  private void run() {
    // Ends when the process dies.
    while (true) {
      Duration wait = runOnce();
      waitId = fiber.currentWait() + 1;
      world.scheduler.sleep(process, wait);
    }
  }

  private Duration runOnce() {
    try {
      Duration wait = work.get();
      failures = 0;
      return wait;
    } catch (StoreException failure) {
      Duration wait = ManualEngine.waitAfterFailure(failures);
      failures++;
      return wait;
    }
  }

  /** Runs the work again soon, unless the loop waits after an error or for the store. */
  void wake() {
    if (failures == 0 && fiber.isInWait(waitId)) {
      long wait = waitId;
      world.scheduler.after(
          world.random.millis(0, 10), process, () -> world.scheduler.wake(fiber, wait));
    }
  }
}
