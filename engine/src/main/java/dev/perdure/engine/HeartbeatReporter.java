// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import java.util.ArrayList;
import java.util.List;

/** Tells the store which attempts are alive, and how far they are: many signs, one write. */
final class HeartbeatReporter {

  static final int MAX_BATCH_SIZE = 1_000;

  private final TaskStore store;
  private final InFlightAttempts inFlightAttempts;
  private final EngineListener listener;

  HeartbeatReporter(TaskStore store, InFlightAttempts inFlightAttempts, EngineListener listener) {
    this.store = store;
    this.inFlightAttempts = inFlightAttempts;
    this.listener = listener;
  }

  /** Every sign there is, in as many writes as it takes; tells how many. */
  int runOnce() {
    int signs = 0;
    List<Heartbeat> batch = new ArrayList<>();
    for (RunningAttempt runningAttempt : inFlightAttempts.all()) {
      Heartbeat sign = runningAttempt.takeHeartbeat();
      if (sign != null) {
        batch.add(sign);
        signs++;
      }
      if (batch.size() == MAX_BATCH_SIZE) {
        write(batch);
        batch.clear();
      }
    }
    write(batch);
    return signs;
  }

  private void write(List<Heartbeat> signs) {
    if (signs.isEmpty()) {
      return;
    }
    List<WriteResult> writeResults = written(signs);
    for (int i = 0; i < signs.size(); i++) {
      if (!writeResults.get(i).applied()) {
        refused(signs.get(i), writeResults.get(i));
      }
    }
  }

  private List<WriteResult> written(List<Heartbeat> signs) {
    try {
      return store.heartbeat(signs);
    } catch (StoreException problem) {
      signs.forEach(this::returnHeartbeat);
      throw problem;
    }
  }

  private void refused(Heartbeat sign, WriteResult writeResult) {
    RunningAttempt runningAttempt = inFlightAttempts.find(sign.key());
    if (writeResult.isLeaseStillHeld(sign.key())) {
      returnHeartbeat(sign);
    } else if (runningAttempt != null && runningAttempt.leaseLost()) {
      listener.onStaleWrite(sign.key());
    }
  }

  /** Forgotten, a sign of life would be taken for silence. */
  private void returnHeartbeat(Heartbeat sign) {
    RunningAttempt runningAttempt = inFlightAttempts.find(sign.key());
    if (runningAttempt != null) {
      runningAttempt.returnHeartbeat();
    }
  }
}
