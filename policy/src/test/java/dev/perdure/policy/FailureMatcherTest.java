// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureMatcherTest {

  @Nested
  class InText {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "*",
          "100",
          "429",
          "999",
          "500-503",
          "429-429",
          "1xx",
          "5xx",
          "9xx",
          "timeout",
          "webhook_failure",
          "explicit",
          "exception",
          "http",
          "code:no_slots",
          "code:a b",
          "code:*",
          "exception:java.io.IOException",
          "exception:IOException"
        })
    void parses_its_own_text(String text) {
      assertThat(parse(text).text()).isEqualTo(text);
      assertThat(parse(parse(text).text())).isEqualTo(parse(text));
    }

    @Test
    void parses_to_the_same_matchers_as_the_factories() {
      assertThat(parse("429")).isEqualTo(FailureMatcher.status(429));
      assertThat(parse("500-503")).isEqualTo(FailureMatcher.statuses(500, 503));
      assertThat(parse("4xx")).isEqualTo(FailureMatcher.clientErrors());
      assertThat(parse("5xx")).isEqualTo(FailureMatcher.serverErrors());
      assertThat(parse("code:no_slots")).isEqualTo(FailureMatcher.code("no_slots"));
      assertThat(parse("exception:java.io.IOException"))
          .isEqualTo(FailureMatcher.exception(IOException.class));
      assertThat(parse("http")).isEqualTo(FailureMatcher.kind(FailureKind.HTTP));
      assertThat(parse("timeout")).isEqualTo(FailureMatcher.timeout());
      assertThat(parse("*")).isEqualTo(FailureMatcher.any());
    }

    @Test
    void accepts_a_status_class_in_either_case() {
      assertThat(parse("5XX")).isEqualTo(FailureMatcher.serverErrors());
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "", " ", "**", "42", "4290", "0xx", "5x", "5xxx", "500-", "-500", "500-50", "500–503",
          "TIMEOUT", "code", "429 "
        })
    void rejects_unknown_matchers(String text) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse(text))
          .withMessageStartingWith("unknown matcher '%s'", text)
          .withMessageContaining("500-503");
    }

    @ParameterizedTest
    @CsvSource({"timeuot,timeout", "webhook-failure,webhook_failure", "Exception,exception"})
    void suggests_the_nearest_known_matcher(String typo, String expected) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse(typo))
          .withMessageContaining("did you mean '" + expected + "'?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"code:", "code: ", "code: a", "exception:", "exception:a.B "})
    void rejects_a_blank_name_and_a_name_with_surrounding_spaces(String text) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse(text))
          .withMessageContaining("needs a name of 1 to 255 characters")
          .withMessageStartingWith("'" + text);
    }

    @Test
    void limits_the_length_of_a_name() {
      String longest = "x".repeat(255);

      assertThat(parse("code:" + longest).text()).isEqualTo("code:" + longest);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse("code:" + longest + "x"))
          .withMessageContaining("…");
    }

    @ParameterizedTest
    @ValueSource(strings = {"099", "000", "099-500"})
    void rejects_a_number_that_is_not_a_status(String text) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse(text))
          .withMessageContaining("is not an HTTP status (100..999)");
    }

    @Test
    void rejects_invalid_statuses_from_java() {
      assertThatIllegalArgumentException().isThrownBy(() -> FailureMatcher.status(1000));
      assertThatIllegalArgumentException().isThrownBy(() -> FailureMatcher.statuses(500, 1000));
      assertThatIllegalArgumentException().isThrownBy(() -> new FailureMatcher.StatusClass(0));
      assertThatIllegalArgumentException().isThrownBy(() -> new FailureMatcher.StatusClass(10));
    }

    @Test
    void suggests_the_correct_order_for_a_reversed_range() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse("503-500"))
          .withMessageContaining("write 500-503");
    }
  }

  @Nested
  class Matching {

    @ParameterizedTest
    @CsvSource({
      "499,false",
      "500,true",
      "501,true",
      "503,true",
      "504,false",
    })
    void includes_both_ends_of_a_range(int status, boolean matched) {
      assertThat(parse("500-503").matches(Failure.http(status))).isEqualTo(matched);
    }

    @ParameterizedTest
    @CsvSource({"499,false", "500,true", "599,true", "600,false"})
    void matches_every_status_of_a_class(int status, boolean matched) {
      assertThat(parse("5xx").matches(Failure.http(status))).isEqualTo(matched);
    }

    @Test
    void matches_the_status_of_any_kind() {
      Failure failedStart = Failure.of(FailureKind.WEBHOOK_FAILURE).withStatus(503);

      for (String text : List.of("503", "500-503", "5xx")) {
        assertThat(parse(text).matches(failedStart)).as(text).isTrue();
      }
    }

    @Test
    void does_not_match_a_status_when_there_is_none() {
      for (String text : List.of("100", "100-999", "1xx")) {
        assertThat(parse(text).matches(Failure.timeout())).as(text).isFalse();
      }
    }

    @Test
    void compares_codes_exactly() {
      assertThat(parse("code:no_slots").matches(Failure.explicit("no_slots"))).isTrue();
      assertThat(parse("code:no_slots").matches(Failure.explicit("NO_SLOTS"))).isFalse();
      assertThat(parse("code:no_slots").matches(Failure.timeout())).isFalse();
    }

    @Test
    void distinguishes_kinds() {
      for (FailureKind kind : FailureKind.values()) {
        for (FailureKind other : FailureKind.values()) {
          assertThat(FailureMatcher.kind(kind).matches(Failure.of(other))).isEqualTo(kind == other);
        }
      }
    }

    @Test
    void matches_an_exception_and_its_subtypes() {
      Failure thrown = Failure.exception(new FileNotFoundException());

      assertThat(parse("exception:java.io.FileNotFoundException").matches(thrown)).isTrue();
      assertThat(parse("exception:java.io.IOException").matches(thrown)).isTrue();
      assertThat(parse("exception:java.io.Serializable").matches(thrown)).isTrue();
      assertThat(parse("exception:java.io.EOFException").matches(thrown)).isFalse();
      assertThat(parse("exception:java.lang.Object").matches(thrown)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
      "IOException,true",
      "o.IOException,false",
      "io.IOException,false",
      "java.io.IOException,true",
      "Exception,false",
      "xjava.io.IOException,false",
      ".IOException,false",
    })
    void compares_a_name_without_a_package_with_simple_names_only(String name, boolean matched) {
      Failure failure =
          Failure.of(FailureKind.EXCEPTION).withExceptionTypes(List.of("java.io.IOException"));

      assertThat(parse("exception:" + name).matches(failure)).isEqualTo(matched);
    }

    @Test
    void matches_nested_classes_and_classes_without_a_package_by_simple_name() {
      Failure failure =
          Failure.of(FailureKind.EXCEPTION).withExceptionTypes(List.of("a.Outer$Inner", "Alone"));

      assertThat(parse("exception:Inner").matches(failure)).isTrue();
      assertThat(parse("exception:Outer$Inner").matches(failure)).isTrue();
      assertThat(parse("exception:Alone").matches(failure)).isTrue();
      assertThat(parse("exception:nner").matches(failure)).isFalse();
      assertThat(parse("exception:lone").matches(failure)).isFalse();
    }
  }

  @Nested
  class Specific {

    /** Matches every matcher that the tests rank. */
    private final Failure failure =
        Failure.exception(new FileNotFoundException()).withStatus(503).withCode("gone");

    @Test
    void ranks_exact_then_supertype_then_range_then_class_then_kind_then_any() {
      List<String> order =
          List.of(
              "exception:java.io.FileNotFoundException",
              "exception:java.io.IOException",
              "exception:java.lang.Exception",
              "exception:java.lang.Throwable",
              "exception:java.io.Serializable",
              "500-503",
              "5xx",
              "exception",
              "*");

      assertThat(order)
          .extracting(text -> parse(text).specificity(failure))
          .isSortedAccordingTo(Collections.reverseOrder())
          .doesNotHaveDuplicates()
          .allMatch(rank -> rank > 0);
    }

    @Test
    void ranks_all_exact_matches_equally() {
      assertThat(List.of("503", "code:gone", "exception:java.io.FileNotFoundException"))
          .extracting(text -> parse(text).specificity(failure))
          .containsOnly(Integer.MAX_VALUE);
    }

    @Test
    void ranks_all_ranges_equally() {
      assertThat(parse("503-503").specificity(failure))
          .isEqualTo(parse("100-999").specificity(failure));
    }

    @Test
    void is_zero_when_nothing_matches() {
      assertThat(parse("429").specificity(failure)).isZero();
      assertThat(FailureMatcher.best(List.of(), failure)).isZero();
      assertThat(FailureMatcher.best(List.of(parse("429"), parse("timeout")), failure)).isZero();
    }

    @Test
    void is_the_highest_of_a_list_in_any_order() {
      FailureMatcher any = FailureMatcher.any();
      FailureMatcher exact = FailureMatcher.status(503);

      assertThat(FailureMatcher.best(List.of(any, exact), failure)).isEqualTo(Integer.MAX_VALUE);
      assertThat(FailureMatcher.best(List.of(exact, any), failure)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void ranks_the_farthest_supertype_above_a_range() {
      List<String> deep = Collections.nCopies(10_000, "a.B");
      Failure far = failure.withExceptionTypes(append(deep, "a.Far"));

      assertThat(parse("exception:a.Far").specificity(far))
          .isGreaterThan(parse("500-503").specificity(far))
          .isLessThan(parse("exception:a.B").specificity(far));
    }

    private static List<String> append(List<String> list, String last) {
      return Stream.concat(list.stream(), Stream.of(last)).toList();
    }
  }
}
