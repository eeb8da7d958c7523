// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What an SQLState means for a retry. */
enum SqlErrorClass {
  /** The transaction was rolled back and may succeed if it is repeated. */
  CONFLICT,
  /** The connection is lost, and the response with it. */
  CONNECTION_LOST,
  /** An immediate retry does not help; a later one may. */
  PERSISTENT,
  /** The database rejects the data or the statement. */
  REFUSED;

  static SqlErrorClass of(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      // The pool could not provide a connection in time.
      return failure instanceof SQLTransientConnectionException ? CONNECTION_LOST : PERSISTENT;
    }
    if (isDedupeKeyTaken(failure)) {
      return CONFLICT;
    }
    return switch (state) {
      // serialization_failure, deadlock_detected, lock_not_available
      case "40001", "40P01", "55P03" -> CONFLICT;
      // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
      case "57P01", "57P02", "57P03", "53300" -> CONNECTION_LOST;
      default -> byClass(state);
    };
  }

  /** Returns whether another live task has the dedupe key. A repetition finds that task. */
  static boolean isDedupeKeyTaken(SQLException failure) {
    if (!"23505".equals(failure.getSQLState()) || !(failure instanceof PSQLException postgres)) {
      return false;
    }
    ServerErrorMessage message = postgres.getServerErrorMessage();
    return message != null && "perdure_task_state_dedupe".equals(message.getConstraint());
  }

  /** Returns the code, and which constraint is violated if it is known; never any data. */
  static String code(SQLException failure) {
    ServerErrorMessage message =
        failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    String constraint = message == null ? null : message.getConstraint();
    return "SQLState " + failure.getSQLState() + (constraint == null ? "" : " " + constraint);
  }

  private static SqlErrorClass byClass(String state) {
    return switch (state.substring(0, Math.min(2, state.length()))) {
      case "08" -> CONNECTION_LOST;
      // data exception, integrity constraint, syntax error or access rule
      case "22", "23", "42" -> REFUSED;
      default -> PERSISTENT;
    };
  }

  /** Returns whether an immediate retry is useless. */
  boolean isPersistent() {
    return this == PERSISTENT || this == REFUSED;
  }

  /** Returns the kind of error to report to the engine. */
  StoreException.ErrorKind errorKind(boolean mayHaveCommitted) {
    if (mayHaveCommitted) {
      return StoreException.ErrorKind.UNKNOWN;
    }
    return this == REFUSED
        ? StoreException.ErrorKind.REFUSED
        : StoreException.ErrorKind.UNAVAILABLE;
  }
}
