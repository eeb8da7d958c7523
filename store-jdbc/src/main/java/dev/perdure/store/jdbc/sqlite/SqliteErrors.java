// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Classifies SQLite errors by result code. */
final class SqliteErrors {

  private static final int PRIMARY_CODE_MASK = 0xFF;

  private SqliteErrors() {}

  /** Returns whether another connection holds a lock. The operation can succeed later. */
  static boolean isBusy(Throwable failure) {
    int code = code(failure);
    return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
  }

  /**
   * Returns the exception for a failed commit. After an I/O error the result is unknown: the
   * transaction may be complete in the log, and the next process that opens the file may find it
   * there.
   */
  static StoreException commitFailed(Throwable failure) {
    boolean unknown =
        !(failure instanceof SQLException) || code(failure) == SQLiteErrorCode.SQLITE_IOERR.code;
    return new StoreException(
        "the commit failed: " + failure.getMessage(),
        failure,
        unknown ? ErrorKind.UNKNOWN : errorKind(failure));
  }

  /** Returns the exception to throw in the caller's thread for a failure in the writer's thread. */
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

  private static ErrorKind errorKind(Throwable failure) {
    return isRefused(failure) ? ErrorKind.REFUSED : ErrorKind.UNAVAILABLE;
  }

  /** Returns whether SQLite rejects the data or the statement. */
  static boolean isRefused(Throwable failure) {
    int code = code(failure);
    return code == SQLiteErrorCode.SQLITE_CONSTRAINT.code
        || code == SQLiteErrorCode.SQLITE_MISMATCH.code
        || code == SQLiteErrorCode.SQLITE_TOOBIG.code
        || code == SQLiteErrorCode.SQLITE_RANGE.code
        || code == SQLiteErrorCode.SQLITE_ERROR.code;
  }

  /** Returns the name of the error code, such as SQLITE_CONSTRAINT_CHECK. */
  static String name(SQLException failure) {
    return failure instanceof SQLiteException sqlite
        ? sqlite.getResultCode().name()
        : "error " + failure.getErrorCode();
  }

  private static int code(Throwable failure) {
    return failure instanceof SQLException sql ? sql.getErrorCode() & PRIMARY_CODE_MASK : 0;
  }

  private static String messageOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
