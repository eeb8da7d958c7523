// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.spi.TaskStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a few limits at a time. What a limit has in use changes only in the transactions of the
 * tasks, so there should never be anything to correct; if there is, it is logged and counted.
 */
final class LimitSweeper {

  static final int MAX_BATCH_SIZE = 200;

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final TaskStore store;
  private final EngineListener listener;
  private String after = "";

  LimitSweeper(TaskStore store, EngineListener listener) {
    this.store = store;
    this.listener = listener;
  }

  /** Checks the next limits, and begins anew after the last; returns how many it corrected. */
  synchronized int runOnce() {
    LimitSweep sweep = store.maintenance().sweepLimits(after, MAX_BATCH_SIZE);
    String last = sweep.last();
    after = last == null ? "" : last;
    if (sweep.corrected() > 0) {
      LOG.atWarn()
          .log("{} limits had a wrong number of tasks in use; corrected", sweep.corrected());
      listener.onLimitsCorrected(sweep.corrected());
    }
    return sweep.corrected();
  }
}
