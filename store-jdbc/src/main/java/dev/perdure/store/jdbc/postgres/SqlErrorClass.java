// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** What kind of failure an exception tells of, by its SQLState. */
enum SqlErrorClass {
  /** The transaction was rolled back and would do better the next time. */
  CONFLICT,
  /** The connection is gone, and with it the answer. */
  CONNECTION_LOST,
  /** Trying again at once does not help; later it may. */
  PERSISTENT,
  /** The database does not take what it was given: data or statement are wrong. */
  REFUSED;

  static SqlErrorClass of(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      // The pool had no connection to give.
      return failure instanceof SQLTransientConnectionException ? CONNECTION_LOST : PERSISTENT;
    }
    return switch (state) {
      // serialization_failure, deadlock_detected, lock_not_available
      case "40001", "40P01", "55P03" -> CONFLICT;
      // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
      case "57P01", "57P02", "57P03", "53300" -> CONNECTION_LOST;
      default -> byClass(state);
    };
  }

  private static SqlErrorClass byClass(String state) {
    return switch (state.substring(0, Math.min(2, state.length()))) {
      case "08" -> CONNECTION_LOST;
      // data exception, integrity constraint, syntax error or access rule
      case "22", "23", "42" -> REFUSED;
      default -> PERSISTENT;
    };
  }

  /** True when trying again at once does not help. */
  boolean isPersistent() {
    return this == PERSISTENT || this == REFUSED;
  }

  /** What to tell the engine. */
  StoreException.ErrorKind errorKind(boolean unsure) {
    if (unsure) {
      return StoreException.ErrorKind.UNKNOWN;
    }
    return this == REFUSED
        ? StoreException.ErrorKind.REFUSED
        : StoreException.ErrorKind.UNAVAILABLE;
  }
}
