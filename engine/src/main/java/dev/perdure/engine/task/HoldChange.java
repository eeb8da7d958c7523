// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/**
 * How a change sets and clears {@link HoldFlags}.
 *
 * @param set the flags to set
 * @param clear the flags to clear
 */
public record HoldChange(int set, int clear) {

  public static final HoldChange UNCHANGED = new HoldChange(0, 0);

  /** The flags after the change. */
  public int after(int before) {
    return (before & ~clear) | set;
  }
}
