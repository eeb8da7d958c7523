// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;

/** Checks what the engine of one process reports to its listeners. */
final class InvariantCheckingListener implements EngineListener {

  private final World world;
  private final NodeProcess process;

  InvariantCheckingListener(World world, NodeProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    process.handlerStarting(lease);
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    world.checker.listenerNotified(change, process);
  }

  @Override
  public void onStaleWrite(LeaseKey key) {
    world.trace.line(process.name(), "wrote too late for " + Trace.shortId(key.task()));
    world.trace.covered(CoveragePoint.STALE_SETTLE_REFUSED);
  }

  @Override
  public void onStoreError(String part, RuntimeException error) {
    world.trace.line(process.name(), part + " failed: " + error.getMessage());
  }

  @Override
  public void onSelfStop() {
    world.trace.line(process.name(), "stops its own work");
    world.trace.covered(CoveragePoint.SELF_STOP);
  }
}
