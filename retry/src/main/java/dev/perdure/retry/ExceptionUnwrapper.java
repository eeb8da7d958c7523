// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Removes the exceptions that futures wrap around a failure. */
final class ExceptionUnwrapper {

  private static final int MAX_DEPTH = 10;

  private ExceptionUnwrapper() {}

  static Throwable unwrap(Throwable thrown) {
    Throwable inner = thrown;
    for (int i = 0; i < MAX_DEPTH && isWrapper(inner); i++) {
      Throwable cause = inner.getCause();
      if (cause == null) {
        return inner;
      }
      inner = cause;
    }
    return inner;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof CompletionException || thrown instanceof ExecutionException;
  }
}
