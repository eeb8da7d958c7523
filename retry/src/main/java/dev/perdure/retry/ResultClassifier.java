// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import org.jspecify.annotations.Nullable;

/** Tells which results are failures in disguise, such as an answer with the status 503. */
@FunctionalInterface
public interface ResultClassifier {

  /** What is wrong with this result; null when it is a good one. */
  @Nullable Failure classify(@Nullable Object result);
}
