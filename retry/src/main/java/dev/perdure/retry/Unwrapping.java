// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Takes away what futures put around a failure. */
final class Unwrapping {

  private static final int MOST_LAYERS = 10;

  private Unwrapping() {}

  static Throwable of(Throwable thrown) {
    Throwable inner = thrown;
    for (int i = 0; i < MOST_LAYERS && isWrapper(inner); i++) {
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
