// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** An action that can be handed over. */
@FunctionalInterface
public interface DurableAction<X extends Exception> {
  void run(DurableContext context) throws X;
}
