// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import org.jspecify.annotations.Nullable;

/** A call that may throw a checked exception; {@code X} is inferred from it. */
@FunctionalInterface
public interface ThrowingCall<T extends @Nullable Object, X extends Exception> {
  T call() throws X;
}
