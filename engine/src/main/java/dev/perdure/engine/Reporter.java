// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Tells the store which attempts are alive, and how far they are: many signs, one write. */
final class Reporter {

  static final int MOST_AT_ONCE = 1_000;

  private final TaskStore store;
  private final InFlight inFlight;
  private final EngineListener listener;

  Reporter(TaskStore store, InFlight inFlight, EngineListener listener) {
    this.store = store;
    this.inFlight = inFlight;
    this.listener = listener;
  }

  /** One batch; tells how many signs it wrote. */
  int runOnce() {
    List<SignOfLife> signs = new ArrayList<>();
    for (Running running : inFlight.all()) {
      SignOfLife sign = signs.size() < MOST_AT_ONCE ? running.takeSign() : null;
      if (sign != null) {
        signs.add(sign);
      }
    }
    if (signs.isEmpty()) {
      return 0;
    }
    List<Verdict> verdicts = written(signs);
    for (int i = 0; i < signs.size(); i++) {
      if (!verdicts.get(i).applied()) {
        stale(signs.get(i));
      }
    }
    return signs.size();
  }

  private List<Verdict> written(List<SignOfLife> signs) {
    try {
      return store.signs(signs);
    } catch (StoreException problem) {
      // Forgotten, a sign of life would be taken for silence.
      for (SignOfLife sign : signs) {
        Running running = inFlight.find(sign.key());
        if (running != null) {
          running.returnSign();
        }
      }
      throw problem;
    }
  }

  private void stale(SignOfLife sign) {
    Running running = inFlight.find(sign.key());
    // When its end is just being written, the refusal says nothing bad.
    if (running != null && !running.ended()) {
      running.stop(Running.Stop.NOT_OURS);
      listener.onStale(sign.key());
    }
  }
}
