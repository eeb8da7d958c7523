// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.simulation.bug.ForwardingBatchStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Checks what the database does to batches and their runs. */
final class CheckedBatchStore extends ForwardingBatchStore {

  private final World world;
  private final NodeProcess process;

  CheckedBatchStore(BatchStore inner, World world, NodeProcess process) {
    super(inner);
    this.world = world;
    this.process = process;
  }

  @Override
  public boolean markStopped(UUID batch) {
    boolean found = inner.markStopped(batch);
    if (found) {
      world.batches.stopped(batch);
    }
    return found;
  }

  @Override
  public boolean endRun(RunDecision decision) {
    boolean ended = inner.endRun(decision);
    if (ended) {
      world.batches.ended(decision, process);
    }
    return ended;
  }

  @Override
  public int startRun(DueRun run, Supplier<UUID> ids) {
    List<UUID> created = new ArrayList<>();
    int tasks =
        inner.startRun(
            run,
            () -> {
              created.add(ids.get());
              return created.getLast();
            });
    if (tasks > 0) {
      world.batches.started(run, created, process);
    } else {
      world.batches.notStarted(run);
    }
    return tasks;
  }

  @Override
  public boolean runAgain(DueRun run) {
    int before = inner.currentRun(run.batch()).orElse(0);
    boolean due = inner.runAgain(run);
    if (due && before < run.number()) { // Else a repetition, which changes nothing.
      world.batches.runAgain(run.batch(), process);
    }
    return due;
  }
}
