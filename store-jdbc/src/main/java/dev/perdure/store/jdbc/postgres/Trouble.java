// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** What kind of failure an exception tells of, by its SQLState. */
enum Trouble {
  /** The transaction was rolled back and would do better the next time. */
  COLLISION,
  /** The connection is gone, and with it the answer. */
  BROKEN,
  /** Trying again at once does not help; later it may. */
  LASTING,
  /** The database does not take what it was given: data or statement are wrong. */
  REFUSED;

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
      default -> byClass(state);
    };
  }

  private static Trouble byClass(String state) {
    return switch (state.substring(0, Math.min(2, state.length()))) {
      case "08" -> BROKEN;
      // data exception, integrity constraint, syntax error or access rule
      case "22", "23", "42" -> REFUSED;
      default -> LASTING;
    };
  }

  /** True when trying again at once does not help. */
  boolean isLasting() {
    return this == LASTING || this == REFUSED;
  }

  /** What to tell the engine. */
  StoreException.Sort sort(boolean unsure) {
    if (unsure) {
      return StoreException.Sort.UNKNOWN;
    }
    return this == REFUSED ? StoreException.Sort.REFUSED : StoreException.Sort.UNAVAILABLE;
  }
}
