// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;

/** Listens to one process, as those do who act on what they are told. */
final class Hearsay implements EngineListener {

  private final World world;
  private final NodeProcess process;

  Hearsay(World world, NodeProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    process.starts(lease);
  }

  @Override
  public void onChanged(Task before, Change change, Duration ran) {
    world.ledger.told(change, process);
  }

  @Override
  public void onStale(LeaseKey key) {
    world.trace.line(process.name(), "was too late for " + Trace.brief(key.task()));
    world.trace.saw(Situation.STALE_SETTLE_REFUSED);
  }

  @Override
  public void onStoreError(String part, RuntimeException error) {
    world.trace.line(process.name(), part + " failed: " + error.getMessage());
  }

  @Override
  public void onSelfStop() {
    world.trace.line(process.name(), "stops its own work");
    world.trace.saw(Situation.SELF_STOP);
  }
}
