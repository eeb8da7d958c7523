// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Converts what a handler threw to a failure and to text. */
final class FailureConverter {

  static final int MAX_STACK_CHARACTERS = 16 * 1024;
  static final int MAX_MESSAGE_CHARACTERS = 4 * 1024;
  private static final int MAX_UNWRAPPINGS = 10;

  private FailureConverter() {}

  /** Wrappers of futures are removed; a TimeoutException has the kind {@code timeout}. */
  static Failure of(Throwable thrown) {
    Throwable inner = unwrap(thrown);
    Failure failure = exception(inner);
    String message = failure.message() == null ? inner.getClass().getName() : failure.message();
    if (inner instanceof TimeoutException) {
      failure = Failure.of(FailureKind.TIMEOUT).withExceptionTypes(failure.exceptionTypes());
    }
    return failure.withMessage(truncate(message, MAX_MESSAGE_CHARACTERS));
  }

  static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    try {
      thrown.printStackTrace(new PrintWriter(text));
    } catch (RuntimeException | Error broken) {
      text.write(thrown.getClass().getName() + ", whose stack trace cannot be printed");
    }
    return truncate(text.toString(), MAX_STACK_CHARACTERS);
  }

  /** At most this many characters, without NUL, which databases cannot store. */
  static String truncate(String text, int max) {
    String bounded = text.length() <= max ? text : text.substring(0, max - 1) + "…";
    return bounded.replace('\0', '\uFFFD');
  }

  /** The exception without the wrappers that futures add. */
  static Throwable unwrap(Throwable thrown) {
    Throwable inner = thrown;
    for (int i = 0; i < MAX_UNWRAPPINGS; i++) {
      boolean wrapper = inner instanceof CompletionException || inner instanceof ExecutionException;
      Throwable cause = inner.getCause();
      if (!wrapper || cause == null) {
        return inner;
      }
      inner = cause;
    }
    return inner;
  }

  private static Failure exception(Throwable thrown) {
    try {
      return Failure.exception(thrown);
    } catch (RuntimeException | Error broken) {
      // getMessage() of a user's class threw. The attempt must end in any case.
      return Failure.of(FailureKind.EXCEPTION)
          .withExceptionTypes(List.of(thrown.getClass().getName()));
    }
  }
}
