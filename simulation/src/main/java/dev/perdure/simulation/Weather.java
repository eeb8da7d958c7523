// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.util.EnumSet;
import java.util.Set;

/** Which faults are about; none any more once it has cleared. */
final class Weather {

  private static final int OUTAGES_ONLY_EVERY = 10;

  private final Set<Fault> faults;
  private boolean outage;
  private boolean fair;

  private Weather(Set<Fault> faults) {
    this.faults = faults;
  }

  /** Every tenth seed has outages only: then nobody else can be blamed for a loss. */
  static Weather of(long seed, Chance chance) {
    if (Math.floorMod(seed, OUTAGES_ONLY_EVERY) == 0) {
      return new Weather(EnumSet.of(Fault.OUTAGE));
    }
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    for (Fault fault : Fault.values()) {
      if (chance.percent(60)) {
        faults.add(fault);
      }
    }
    return new Weather(faults);
  }

  boolean has(Fault fault) {
    return !fair && faults.contains(fault);
  }

  boolean outage() {
    return outage;
  }

  void outage(boolean value) {
    outage = value;
  }

  /** All faults end. */
  void clear() {
    fair = true;
    outage = false;
  }

  boolean fair() {
    return fair;
  }

  @Override
  public String toString() {
    return faults.toString();
  }
}
