// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.Sweeps;
import java.time.Duration;

/** The sweeps, at the other end of a wire. */
final class FailingSweeps implements Sweeps {

  private final Sweeps inner;
  private final Wire wire;

  FailingSweeps(Sweeps inner, Wire wire) {
    this.inner = inner;
    this.wire = wire;
  }

  @Override
  public Reading orphans(int limit) {
    return wire.read("orphans", () -> inner.orphans(limit));
  }

  @Override
  public Reading silent(int limit) {
    return wire.read("silent", () -> inner.silent(limit));
  }

  @Override
  public Reading pastDeadline(int limit) {
    return wire.read("past deadline", () -> inner.pastDeadline(limit));
  }

  @Override
  public int purge(Duration age, int limit) {
    return wire.write("purge", () -> inner.purge(age, limit));
  }

  @Override
  public int forget(int limit) {
    return wire.write("forget", () -> inner.forget(limit));
  }
}
