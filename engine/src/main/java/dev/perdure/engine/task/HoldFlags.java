// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

/**
 * Flags that keep a task from being claimed. They can be combined; 0 means that it can be claimed.
 */
public final class HoldFlags {

  /** An operator paused it. */
  public static final int PAUSED = 1;

  /** A concurrency limit is reached. */
  public static final int BLOCKED = 2;

  /** It depends on tasks that have not ended. */
  public static final int WAITING = 4;

  /** No handler here can read or run it; it waits until an operator resumes it. */
  public static final int PARKED = 8;

  private HoldFlags() {}

  public static boolean isSet(int hold, int bit) {
    return (hold & bit) != 0;
  }
}
