// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import java.util.ArrayList;
import java.util.List;

/** Writes the heartbeats and progress of this node's attempts, many in one write. */
final class HeartbeatReporter {

  static final int MAX_BATCH_SIZE = 1_000;

  private final TaskStore store;
  private final InFlightAttempts inFlight;
  private final EngineListener listener;

  HeartbeatReporter(TaskStore store, InFlightAttempts inFlight, EngineListener listener) {
    this.store = store;
    this.inFlight = inFlight;
    this.listener = listener;
  }

  /** Writes all pending heartbeats; returns how many. */
  int runOnce() {
    int count = 0;
    List<Heartbeat> batch = new ArrayList<>();
    for (RunningAttempt running : inFlight.all()) {
      Heartbeat heartbeat = running.takeHeartbeat();
      if (heartbeat != null) {
        batch.add(heartbeat);
        count++;
      }
      if (batch.size() == MAX_BATCH_SIZE) {
        write(batch);
        batch.clear();
      }
    }
    write(batch);
    return count;
  }

  private void write(List<Heartbeat> heartbeats) {
    if (heartbeats.isEmpty()) {
      return;
    }
    List<WriteResult> results = written(heartbeats);
    for (int i = 0; i < heartbeats.size(); i++) {
      if (!results.get(i).applied()) {
        refused(heartbeats.get(i), results.get(i));
      }
    }
  }

  private List<WriteResult> written(List<Heartbeat> heartbeats) {
    try {
      return store.heartbeat(heartbeats);
    } catch (StoreException problem) {
      heartbeats.forEach(this::returnHeartbeat);
      throw problem;
    }
  }

  private void refused(Heartbeat heartbeat, WriteResult result) {
    RunningAttempt running = inFlight.find(heartbeat.key());
    if (result.isLeaseStillHeld(heartbeat.key())) {
      returnHeartbeat(heartbeat);
    } else if (running != null && running.leaseLost()) {
      listener.onStaleWrite(heartbeat.key());
    }
  }

  /** A heartbeat that is dropped would look like inactivity. */
  private void returnHeartbeat(Heartbeat heartbeat) {
    RunningAttempt running = inFlight.find(heartbeat.key());
    if (running != null) {
      running.returnHeartbeat();
    }
  }
}
