// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.SQLException;

/** A system that runs no-op tasks on its own database. */
public interface DurableContender extends AutoCloseable {

  /** The kind of every task. */
  String KIND = "noop";

  /** The payload of every task, as JSON. */
  static String payload(int number) {
    return "{\"number\":" + number + "}";
  }

  /** Stores tasks in one batch. They are durable when this method returns. Thread-safe. */
  void submit(int first, int count) throws SQLException;

  /** Starts to run tasks, including those that are submitted later. */
  void start();

  /** Waits until this many tasks have durably ended. */
  void awaitEnded(int tasks) throws InterruptedException;

  /** Counts the tasks in the tables. Call it after {@link #close()}. */
  Counts counts() throws SQLException;

  @Override
  void close();

  /**
   * The state of the tables after a round.
   *
   * @param ran number of executions
   * @param ended number of tasks that succeeded
   * @param remaining number of tasks that have not succeeded, plus failed attempts
   */
  record Counts(long ran, long ended, long remaining) {

    /** Throws unless each task ran and succeeded exactly once. */
    void requireExactly(String contender, int tasks) {
      if (ran != tasks || ended != tasks || remaining != 0) {
        throw new IllegalStateException(
            "%s got %d tasks, but the result is %s".formatted(contender, tasks, this));
      }
    }
  }
}
