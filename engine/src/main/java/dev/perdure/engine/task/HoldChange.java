// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Set;

/**
 * How a change sets and clears the {@link HoldReason}s of a task.
 *
 * @param set the reasons to set
 * @param clear the reasons to clear
 */
public record HoldChange(Set<HoldReason> set, Set<HoldReason> clear) {

  public static final HoldChange UNCHANGED = new HoldChange(Set.of(), Set.of());

  public HoldChange {
    set = Set.copyOf(set);
    clear = Set.copyOf(clear);
  }

  public static HoldChange setting(HoldReason... reasons) {
    return new HoldChange(Set.of(reasons), Set.of());
  }

  public static HoldChange clearing(HoldReason... reasons) {
    return new HoldChange(Set.of(), Set.of(reasons));
  }

  /** The reasons after the change. */
  public Set<HoldReason> after(Set<HoldReason> before) {
    int kept = HoldReason.bits(before) & ~HoldReason.bits(clear);
    return HoldReason.ofBits(kept | HoldReason.bits(set));
  }
}
