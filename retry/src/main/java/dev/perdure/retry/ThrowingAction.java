// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** Something to do that may fail with a checked exception of its own. */
@FunctionalInterface
public interface ThrowingAction<X extends Exception> {
  void run() throws X;
}
