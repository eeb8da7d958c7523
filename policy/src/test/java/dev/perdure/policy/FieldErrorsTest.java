// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.PolicyErrorAssertions.missing;
import static dev.perdure.policy.PolicyErrorAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class FieldErrorsTest {

  private final FieldErrors errors = new FieldErrors();

  @Test
  void throws_all_errors_at_once_and_in_order() {
    assertThatCode(errors::throwIfAny).doesNotThrowAnyException();

    errors.add("b", "is wrong");
    errors.add("a", "is wrong too");

    refuses(errors::throwIfAny, "b: is wrong", "a: is wrong too");
  }

  @Test
  void collects_errors_under_a_path() {
    Backoff none =
        errors.collect("overrides[0].backoff", () -> Backoff.exponential(missing(), 0.5));

    assertThat(none).isNull();
    assertThat(PolicyErrorAssertions.paths(errors.list()))
        .containsExactly("overrides[0].backoff.initial", "overrides[0].backoff.multiplier");
  }

  @Test
  void collects_errors_unchanged_without_a_path() {
    assertThat(errors.collect("", () -> RetryLimit.of(-1))).isNull();
    assertThat(PolicyErrorAssertions.paths(errors.list())).containsExactly("max_retries");
  }

  @Test
  void collects_nothing_from_a_valid_value() {
    assertThat(errors.collect("x", () -> RetryLimit.of(1))).isEqualTo(RetryLimit.of(1));
    assertThat(errors.list()).isEmpty();
  }

  @Test
  void does_not_swallow_other_exceptions() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                errors.collect(
                    "x",
                    () -> {
                      throw new IllegalStateException();
                    }));
  }

  @Test
  void returns_a_list_that_does_not_change() {
    List<FieldError> before = errors.list();

    errors.add("a", "is wrong");

    assertThat(before).isEmpty();
    assertThat(errors.list()).containsExactly(new FieldError("a", "is wrong"));
  }

  @Test
  void keeps_a_hundred_errors_and_then_notes_that_there_are_more() {
    for (int i = 1; i <= 100; i++) {
      errors.add("field" + i, "is wrong");
      assertThat(errors.count()).isEqualTo(i);
      assertThat(errors.isFull()).isFalse();
    }
    for (int i = 0; i < 3; i++) {
      errors.add("one", "too many");
      assertThat(errors.isFull()).isTrue();
      assertThat(errors.list())
          .hasSize(101)
          .endsWith(
              new FieldError("field100", "is wrong"),
              new FieldError("", "there are more than 100 errors; only the first are listed"));
    }
  }

  @Test
  void puts_the_parent_before_the_path() {
    assertThat(new FieldError("initial", "m").under("backoff")).hasToString("backoff.initial: m");
    assertThat(new FieldError("[1].on", "m").under("overrides")).hasToString("overrides[1].on: m");
    assertThat(new FieldError("", "m").under("jitter")).hasToString("jitter: m");
    assertThat(new FieldError("", "m")).hasToString("m");
  }

  @Test
  void sanitizes_quoted_input() {
    assertThat(FieldError.sanitize("a\r\n\u0000b")).isEqualTo("a???b");
    assertThat(FieldError.sanitize("x".repeat(60))).isEqualTo("x".repeat(60));
    assertThat(FieldError.sanitize("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
  }
}
