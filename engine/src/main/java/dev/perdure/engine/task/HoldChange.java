// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/**
 * What a change does to the reasons why a task is not claimed.
 *
 * @param set bits of {@link HoldFlags} to set
 * @param clear bits of {@link HoldFlags} to clear
 */
public record HoldChange(int set, int clear) {

  public static final HoldChange UNCHANGED = new HoldChange(0, 0);

  /** What follows from what held it before. */
  public int after(int before) {
    return (before & ~clear) | set;
  }
}
