// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameSuggestionTest {

  private static final List<String> KNOWN =
      List.of("max_retries", "max_delay", "backoff", "jitter", "retry_on", "never_on", "on");

  @ParameterizedTest
  @CsvSource({
    "max_retries,max_retries",
    "maxRetries,max_retries",
    "MAX-RETRIES,max_retries",
    "max_retrys,max_retries",
    "retry_in,retry_on",
    "bakoff,backoff",
    "backofff,backoff",
    "jiter,jitter",
    "gitter,jitter",
    "om,on",
    "o,on",
  })
  void finds_the_intended_name(String typo, String expected) {
    assertThat(NameSuggestion.to(typo, KNOWN)).contains(expected);
    assertThat(NameSuggestion.hint(typo, KNOWN)).isEqualTo("; did you mean '" + expected + "'?");
  }

  @ParameterizedTest
  @CsvSource({"colour", "x", "xy", "bk"})
  void finds_nothing_when_no_name_is_close(String word) {
    assertThat(NameSuggestion.to(word, KNOWN)).isEmpty();
    assertThat(NameSuggestion.hint(word, KNOWN)).isEmpty();
  }

  @Test
  void allows_one_typo_per_three_letters() {
    assertThat(NameSuggestion.to("abXd", List.of("abcd"))).contains("abcd");
    assertThat(NameSuggestion.to("aXXd", List.of("abcd"))).isEmpty();
    assertThat(NameSuggestion.to("abXXef", List.of("abcdef"))).contains("abcdef");
    assertThat(NameSuggestion.to("abXXXf", List.of("abcdef"))).isEmpty();
  }

  @Test
  void prefers_the_nearest_name_and_then_the_first() {
    assertThat(NameSuggestion.to("retry_off", List.of("retry_of", "retry_off_")))
        .contains("retry_off_");
    assertThat(NameSuggestion.to("cat", List.of("bat", "rat"))).contains("bat");
  }

  @Test
  void ignores_words_that_are_too_long() {
    assertThat(NameSuggestion.to("x".repeat(64), List.of("x".repeat(64)))).isPresent();
    assertThat(NameSuggestion.to("x".repeat(65), List.of("x".repeat(65)))).isEmpty();
  }

  @Test
  void finds_nothing_among_no_names() {
    assertThat(NameSuggestion.to("on", List.of())).isEmpty();
  }

  @Test
  void counts_two_swapped_letters_as_one_typo() {
    assertThat(NameSuggestion.to("cuont", List.of("delay", "count"))).contains("count");
    assertThat(NameSuggestion.to("no", List.of("delay", "on"))).contains("on");
    assertThat(NameSuggestion.to("abcd", List.of("badc"))).isEmpty();
    assertThat(NameSuggestion.to("abc", List.of("xac", "bxc"))).as("not swapped").isEmpty();
  }
}
