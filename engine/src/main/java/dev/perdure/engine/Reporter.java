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

  /** Every sign there is, in as many writes as it takes; tells how many. */
  int runOnce() {
    int signs = 0;
    List<SignOfLife> batch = new ArrayList<>();
    for (Running running : inFlight.all()) {
      SignOfLife sign = running.takeSign();
      if (sign != null) {
        batch.add(sign);
        signs++;
      }
      if (batch.size() == MOST_AT_ONCE) {
        write(batch);
        batch.clear();
      }
    }
    write(batch);
    return signs;
  }

  private void write(List<SignOfLife> signs) {
    if (signs.isEmpty()) {
      return;
    }
    List<Verdict> verdicts = written(signs);
    for (int i = 0; i < signs.size(); i++) {
      if (!verdicts.get(i).applied()) {
        refused(signs.get(i), verdicts.get(i));
      }
    }
  }

  private List<Verdict> written(List<SignOfLife> signs) {
    try {
      return store.signs(signs);
    } catch (StoreException problem) {
      signs.forEach(this::putBack);
      throw problem;
    }
  }

  private void refused(SignOfLife sign, Verdict verdict) {
    Running running = inFlight.find(sign.key());
    if (verdict.holds(sign.key())) {
      putBack(sign);
    } else if (running != null && running.lost()) {
      listener.onStale(sign.key());
    }
  }

  /** Forgotten, a sign of life would be taken for silence. */
  private void putBack(SignOfLife sign) {
    Running running = inFlight.find(sign.key());
    if (running != null) {
      running.returnSign();
    }
  }
}
