// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** An action that may throw a checked exception; {@code X} is inferred from it. */
@FunctionalInterface
public interface ThrowingAction<X extends Exception> {
  void run() throws X;
}
