// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import org.jspecify.annotations.Nullable;

/** A call that can be handed over. */
@FunctionalInterface
public interface DurableCall<T extends @Nullable Object, X extends Exception> {
  T call(DurableContext context) throws X;
}
