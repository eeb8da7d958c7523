// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions about invalid policies. */
final class PolicyErrorAssertions {

  private PolicyErrorAssertions() {}

  /** Asserts that the call fails with exactly these errors, written {@code path: message}. */
  static void refuses(ThrowingCallable call, String... errors) {
    InvalidPolicyException thrown = catchThrowableOfType(InvalidPolicyException.class, call);
    assertThat(thrown).as("InvalidPolicyException").isNotNull();
    assertThat(thrown.errors()).extracting(FieldError::toString).containsExactly(errors);
    assertThat(thrown).hasMessage("invalid retry policy: " + String.join("; ", errors));
  }

  /** Asserts that the call fails with errors at exactly these paths. */
  static void refusesAt(ThrowingCallable call, String... paths) {
    InvalidPolicyException thrown = catchThrowableOfType(InvalidPolicyException.class, call);
    assertThat(thrown).as("InvalidPolicyException").isNotNull();
    assertThat(paths(thrown.errors())).containsExactly(paths);
  }

  /** Returns null, as a caller without null checks could pass it. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  static <T> T missing() {
    return null;
  }

  static List<String> paths(List<FieldError> errors) {
    return errors.stream().map(FieldError::path).toList();
  }
}
