// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A supplier that is called once and keeps the value. Not thread-safe. */
final class Lazy<T> implements Supplier<T> {

  private final Supplier<T> supplier;
  private @Nullable T value;

  Lazy(Supplier<T> supplier) {
    this.supplier = supplier;
  }

  @Override
  public T get() {
    T known = value;
    if (known == null) {
      known = supplier.get();
      value = known;
    }
    return known;
  }
}
