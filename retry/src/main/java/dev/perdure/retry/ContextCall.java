// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import org.jspecify.annotations.Nullable;

/** A call that receives the context of its attempt. */
@FunctionalInterface
public interface ContextCall<T extends @Nullable Object, X extends Exception> {
  T call(RetryContext context) throws X;
}
