// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/** Why a task that could be claimed is not: bits that are set together; 0 means nothing does. */
public final class HoldFlags {

  /** An operator paused it. */
  public static final int PAUSED = 1;

  /** A limit on what runs together. */
  public static final int BLOCKED = 2;

  /** It waits for other tasks. */
  public static final int WAITING = 4;

  /** Its payload could not be read by the handler of its kind; it waits for a better one. */
  public static final int PARKED = 8;

  private HoldFlags() {}

  public static boolean isSet(int hold, int bit) {
    return (hold & bit) != 0;
  }
}
