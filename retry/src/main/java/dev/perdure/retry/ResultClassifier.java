// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import org.jspecify.annotations.Nullable;

/** Decides which results count as failures, such as a response with status 503. */
@FunctionalInterface
public interface ResultClassifier {

  /** Returns the failure that this result counts as, or null if it is a success. */
  @Nullable Failure classify(@Nullable Object result);
}
