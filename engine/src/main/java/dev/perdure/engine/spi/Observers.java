// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

/**
 * Bits that say who must learn of the end of a task. Stores write the numbers in SQL. One more bit
 * is kept with them because a claim can read it at no cost: whether the task has parents.
 */
public final class Observers {

  /** Tasks depend on it. */
  public static final int CHILDREN = 1;

  /** The run of its batch counts the tasks that have not ended. */
  public static final int RUN = 2;

  /** The run has counted its end. */
  public static final int COUNTED = 4;

  /**
   * Its batch has a retry policy: tasks of other batches learn of its end when the batch is final.
   */
  public static final int MAY_RUN_AGAIN = 8;

  /** It is canceled when all tasks that depend on it have ended. */
  public static final int DEAD_END = 16;

  /** A task that it depends on is canceled when all its dependents have ended. */
  public static final int PARENT_DEAD_END = 32;

  /** The bits with which the end of a task is recorded as an event; the others cost nothing. */
  public static final int RECORDED = CHILDREN | RUN | PARENT_DEAD_END;

  /** It depends on tasks. */
  public static final int HAS_PARENTS = 64;

  /** It was revived or resolved, and its run does not know yet. */
  public static final int CHANGED = 128;

  private Observers() {}
}
