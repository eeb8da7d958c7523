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

/** What a handler threw, as a failure and as text. */
final class Failures {

  static final int MAX_STACK_CHARACTERS = 16 * 1024;
  static final int MAX_MESSAGE_CHARACTERS = 4 * 1024;
  private static final int MAX_UNWRAPPINGS = 10;

  private Failures() {}

  /** Wrappings of futures are taken off; a timeout is of the kind {@code timeout}. */
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
      text.write(thrown.getClass().getName() + ", which breaks when it is printed");
    }
    return truncate(text.toString(), MAX_STACK_CHARACTERS);
  }

  /** At most so many characters, without what a database cannot store. */
  static String truncate(String text, int most) {
    String bounded = text.length() <= most ? text : text.substring(0, most - 1) + "…";
    return bounded.replace('\0', '\uFFFD');
  }

  /** Without what futures put around it. */
  static Throwable unwrap(Throwable thrown) {
    Throwable inner = thrown;
    for (int i = 0; i < MAX_UNWRAPPINGS; i++) {
      boolean wrapping =
          inner instanceof CompletionException || inner instanceof ExecutionException;
      Throwable cause = inner.getCause();
      if (!wrapping || cause == null) {
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
      // It is a user's class that was asked for its message. The attempt must end all the same.
      return Failure.of(FailureKind.EXCEPTION)
          .withExceptionTypes(List.of(thrown.getClass().getName()));
    }
  }
}
