// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** Tells SQLite's failures apart, by result code. */
final class SqliteErrors {

  private static final int PRIMARY_CODE_MASK = 0xFF;

  private SqliteErrors() {}

  /** Somebody else writes; the same may succeed later. */
  static boolean isBusy(Throwable failure) {
    int code = code(failure);
    return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
  }

  /**
   * A failed commit. When the disk did not answer, the transaction may stand in the log whole, and
   * whoever opens the file after a crash may find it there: nobody knows.
   */
  static StoreException commitFailed(Throwable failure) {
    boolean unknown =
        !(failure instanceof SQLException) || code(failure) == SQLiteErrorCode.SQLITE_IOERR.code;
    return new StoreException(
        "the commit failed: " + failure.getMessage(),
        failure,
        unknown ? ErrorKind.UNKNOWN : errorKind(failure));
  }

  /** What to throw, in the caller's thread, for a failure in the writer's. */
  static RuntimeException toThrow(Throwable failure) {
    if (failure instanceof StoreException store) {
      return new StoreException(messageOf(store), store, store.kind());
    }
    if (failure instanceof RuntimeException unchecked) {
      return unchecked;
    }
    return new StoreException("SQLite: " + messageOf(failure), failure, errorKind(failure));
  }

  static StoreException storeClosed() {
    return new StoreException("the store is closed", null, ErrorKind.UNAVAILABLE);
  }

  /** Whether the file does not take what it was given, or only not now. */
  private static ErrorKind errorKind(Throwable failure) {
    int code = code(failure);
    boolean wrong =
        code == SQLiteErrorCode.SQLITE_CONSTRAINT.code
            || code == SQLiteErrorCode.SQLITE_MISMATCH.code
            || code == SQLiteErrorCode.SQLITE_TOOBIG.code
            || code == SQLiteErrorCode.SQLITE_RANGE.code
            || code == SQLiteErrorCode.SQLITE_ERROR.code;
    return wrong ? ErrorKind.REFUSED : ErrorKind.UNAVAILABLE;
  }

  private static int code(Throwable failure) {
    return failure instanceof SQLException sql ? sql.getErrorCode() & PRIMARY_CODE_MASK : 0;
  }

  private static String messageOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
