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

  private final FieldErrors fieldErrors = new FieldErrors();

  @Test
  void are_thrown_all_at_once_and_in_order() {
    assertThatCode(fieldErrors::throwIfAny).doesNotThrowAnyException();

    fieldErrors.add("b", "is wrong");
    fieldErrors.add("a", "is wrong too");

    refuses(fieldErrors::throwIfAny, "b: is wrong", "a: is wrong too");
  }

  @Test
  void of_a_part_are_told_under_its_path() {
    Backoff none =
        fieldErrors.collect("overrides[0].backoff", () -> Backoff.exponential(missing(), 0.5));

    assertThat(none).isNull();
    assertThat(PolicyErrorAssertions.paths(fieldErrors.list()))
        .containsExactly("overrides[0].backoff.initial", "overrides[0].backoff.multiplier");
  }

  @Test
  void of_a_part_without_a_path_are_told_as_they_are() {
    assertThat(fieldErrors.collect("", () -> RetryLimit.of(-1))).isNull();
    assertThat(PolicyErrorAssertions.paths(fieldErrors.list())).containsExactly("max_retries");
  }

  @Test
  void are_none_when_the_part_is_good() {
    assertThat(fieldErrors.collect("x", () -> RetryLimit.of(1))).isEqualTo(RetryLimit.of(1));
    assertThat(fieldErrors.list()).isEmpty();
  }

  @Test
  void of_another_sort_are_not_swallowed() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                fieldErrors.collect(
                    "x",
                    () -> {
                      throw new IllegalStateException();
                    }));
  }

  @Test
  void found_so_far_do_not_change_later() {
    List<FieldError> before = fieldErrors.list();

    fieldErrors.add("a", "is wrong");

    assertThat(before).isEmpty();
    assertThat(fieldErrors.list()).containsExactly(new FieldError("a", "is wrong"));
  }

  @Test
  void are_told_up_to_a_hundred_and_then_that_there_are_more() {
    for (int i = 1; i <= 100; i++) {
      fieldErrors.add("field" + i, "is wrong");
      assertThat(fieldErrors.count()).isEqualTo(i);
    }
    for (int i = 0; i < 3; i++) {
      fieldErrors.add("one", "too many");
      assertThat(fieldErrors.list())
          .hasSize(101)
          .endsWith(
              new FieldError("field100", "is wrong"),
              new FieldError("", "there are more problems than these 100"));
    }
  }

  @Test
  void have_paths_that_grow_at_the_front() {
    assertThat(new FieldError("initial", "m").under("backoff")).hasToString("backoff.initial: m");
    assertThat(new FieldError("[1].on", "m").under("overrides")).hasToString("overrides[1].on: m");
    assertThat(new FieldError("", "m").under("jitter")).hasToString("jitter: m");
    assertThat(new FieldError("", "m")).hasToString("m");
  }

  @Test
  void quote_an_input_without_letting_it_spoil_the_message() {
    assertThat(FieldError.sanitize("a\r\n\u0000b")).isEqualTo("a???b");
    assertThat(FieldError.sanitize("x".repeat(60))).isEqualTo("x".repeat(60));
    assertThat(FieldError.sanitize("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
  }
}
