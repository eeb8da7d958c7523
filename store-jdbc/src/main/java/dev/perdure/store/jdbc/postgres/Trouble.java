// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** What kind of failure an exception tells of, by its SQLState. */
enum Trouble {
  /** The transaction was rolled back and would do better the next time. */
  COLLISION,
  /** The connection is gone, and with it the answer. */
  BROKEN,
  /** Trying again does not help. */
  LASTING;

  static Trouble of(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      // The pool had no connection to give.
      return failure instanceof SQLTransientConnectionException ? BROKEN : LASTING;
    }
    return switch (state) {
      // serialization_failure, deadlock_detected, lock_not_available
      case "40001", "40P01", "55P03" -> COLLISION;
      // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
      case "57P01", "57P02", "57P03", "53300" -> BROKEN;
      default -> state.startsWith("08") ? BROKEN : LASTING;
    };
  }
}
