// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Successor;
import dev.perdure.policy.UnfinishedWork;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A successor that remembers what it was given, or is out of order. */
public final class Takeover implements Successor {

  public static final UUID TASK = UUID.fromString("019a8f00-0000-7000-8000-000000000001");

  private final List<UnfinishedWork> taken = new ArrayList<>();
  private boolean outOfOrder;

  public Takeover() {}

  @Override
  public UUID takeOver(UnfinishedWork work) {
    if (outOfOrder) {
      throw new IllegalStateException("no database");
    }
    taken.add(work);
    return TASK;
  }

  void breakDown() {
    outOfOrder = true;
  }

  public List<UnfinishedWork> taken() {
    return taken;
  }

  public UnfinishedWork only() {
    if (taken.size() != 1) {
      throw new AssertionError("taken over " + taken.size() + " times");
    }
    return taken.getFirst();
  }
}
