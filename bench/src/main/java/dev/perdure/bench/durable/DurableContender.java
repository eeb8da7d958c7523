// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.SQLException;

/** Somebody who runs no-op tasks on a database of his own. */
public interface DurableContender extends AutoCloseable {

  /** The kind of every task. */
  String KIND = "noop";

  /** The payload of every task, as JSON. */
  static String payload(int number) {
    return "{\"number\":" + number + "}";
  }

  /** Stores so many tasks in one batch; they are durable when this returns. Called by several. */
  void submit(int first, int count) throws SQLException;

  /** Begins to run what was and what will be submitted. */
  void start();

  /** Waits until so many have ended and their ends are durable. */
  void awaitEnded(int tasks) throws InterruptedException;

  /** What the tables say; asked after {@link #close()}. */
  Counts counts() throws SQLException;

  @Override
  void close();

  /**
   * What is found when all is over.
   *
   * @param ran how often a task was run
   * @param ended how many tasks ended well
   * @param remaining how many are still there to be run, or were tried in vain
   */
  record Counts(long ran, long ended, long remaining) {

    /** Refuses figures of work that was not done exactly once. */
    void requireExactly(String who, int tasks) {
      if (ran != tasks || ended != tasks || remaining != 0) {
        throw new IllegalStateException(
            "%s was given %d tasks, but %s".formatted(who, tasks, this));
      }
    }
  }
}
