// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.Refusing.missing;
import static dev.perdure.policy.Refusing.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemsTest {

  private final Problems problems = new Problems();

  @Test
  void are_thrown_all_at_once_and_in_order() {
    assertThatCode(problems::throwIfAny).doesNotThrowAnyException();

    problems.add("b", "is wrong");
    problems.add("a", "is wrong too");

    refuses(problems::throwIfAny, "b: is wrong", "a: is wrong too");
  }

  @Test
  void of_a_part_are_told_under_its_path() {
    Backoff none =
        problems.collect("overrides[0].backoff", () -> Backoff.exponential(missing(), 0.5));

    assertThat(none).isNull();
    assertThat(Refusing.paths(problems.found()))
        .containsExactly("overrides[0].backoff.initial", "overrides[0].backoff.multiplier");
  }

  @Test
  void of_a_part_without_a_path_are_told_as_they_are() {
    assertThat(problems.collect("", () -> RetryLimit.of(-1))).isNull();
    assertThat(Refusing.paths(problems.found())).containsExactly("max_retries");
  }

  @Test
  void are_none_when_the_part_is_good() {
    assertThat(problems.collect("x", () -> RetryLimit.of(1))).isEqualTo(RetryLimit.of(1));
    assertThat(problems.found()).isEmpty();
  }

  @Test
  void of_another_sort_are_not_swallowed() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                problems.collect(
                    "x",
                    () -> {
                      throw new IllegalStateException();
                    }));
  }

  @Test
  void found_so_far_do_not_change_later() {
    List<Problem> before = problems.found();

    problems.add("a", "is wrong");

    assertThat(before).isEmpty();
    assertThat(problems.found()).containsExactly(new Problem("a", "is wrong"));
  }

  @Test
  void have_paths_that_grow_at_the_front() {
    assertThat(new Problem("initial", "m").under("backoff")).hasToString("backoff.initial: m");
    assertThat(new Problem("[1].on", "m").under("overrides")).hasToString("overrides[1].on: m");
    assertThat(new Problem("", "m").under("jitter")).hasToString("jitter: m");
    assertThat(new Problem("", "m")).hasToString("m");
  }

  @Test
  void quote_an_input_without_letting_it_spoil_the_message() {
    assertThat(Problem.quotable("a\r\n\u0000b")).isEqualTo("a???b");
    assertThat(Problem.quotable("x".repeat(60))).isEqualTo("x".repeat(60));
    assertThat(Problem.quotable("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
  }
}
