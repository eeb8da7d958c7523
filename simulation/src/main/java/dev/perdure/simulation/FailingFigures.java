// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.Revision;
import dev.perdure.engine.store.Verdict;
import java.util.List;

/** The figures of tasks at the other end of a wire. */
final class FailingFigures implements Figures {

  private final Figures inner;
  private final Wire wire;

  FailingFigures(Figures inner, Wire wire) {
    this.inner = inner;
    this.wire = wire;
  }

  @Override
  public List<Verdict> add(List<Addition> additions) {
    return wire.write("add", () -> inner.add(additions));
  }

  @Override
  public Verdict revise(Revision revision) {
    return wire.write("revise", () -> inner.revise(revision));
  }
}
