// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a test says about policies that cannot be. */
final class PolicyErrorAssertions {

  private PolicyErrorAssertions() {}

  /** It is refused with exactly these problems, written {@code path: message}. */
  static void refuses(ThrowingCallable making, String... problems) {
    InvalidPolicyException thrown = catchThrowableOfType(InvalidPolicyException.class, making);
    assertThat(thrown).as("a refusal").isNotNull();
    assertThat(thrown.errors()).extracting(FieldError::toString).containsExactly(problems);
    assertThat(thrown).hasMessage("invalid retry policy: " + String.join("; ", problems));
  }

  /** It is refused with problems at exactly these paths. */
  static void refusesAt(ThrowingCallable making, String... paths) {
    InvalidPolicyException thrown = catchThrowableOfType(InvalidPolicyException.class, making);
    assertThat(thrown).as("a refusal").isNotNull();
    assertThat(paths(thrown.errors())).containsExactly(paths);
  }

  /** What a caller without null checks hands over. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  static <T> T missing() {
    return null;
  }

  static List<String> paths(List<FieldError> fieldErrors) {
    return fieldErrors.stream().map(FieldError::path).toList();
  }
}
