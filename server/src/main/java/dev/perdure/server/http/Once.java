// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks once and keeps the answer. For one thread. */
final class Once<T> implements Supplier<T> {

  private final Supplier<T> question;
  private @Nullable T answer;

  Once(Supplier<T> question) {
    this.question = question;
  }

  @Override
  public T get() {
    T known = answer;
    if (known == null) {
      known = question.get();
      answer = known;
    }
    return known;
  }
}
