// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.util.EnumSet;
import java.util.Set;

/** The faults that a seed enables, until they end. */
final class FaultPlan {

  private static final int OUTAGES_ONLY_EVERY = 10;

  private final Set<Fault> faults;
  private boolean outage;
  private boolean ended;

  private FaultPlan(Set<Fault> faults) {
    this.faults = faults;
  }

  /** Every tenth seed has only outages, so that no other fault can explain a loss. */
  static FaultPlan of(long seed, SimulationRandom random) {
    if (Math.floorMod(seed, OUTAGES_ONLY_EVERY) == 0) {
      return new FaultPlan(EnumSet.of(Fault.OUTAGE));
    }
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    for (Fault fault : Fault.values()) {
      if (random.percent(60)) {
        faults.add(fault);
      }
    }
    return new FaultPlan(faults);
  }

  boolean isActive(Fault fault) {
    return !ended && faults.contains(fault);
  }

  boolean outage() {
    return outage;
  }

  void outage(boolean value) {
    outage = value;
  }

  /** Ends all faults. */
  void end() {
    ended = true;
    outage = false;
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public String toString() {
    return faults.toString();
  }
}
