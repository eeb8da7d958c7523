// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

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
  void finds_what_was_meant(String slip, String meant) {
    assertThat(NearestName.to(slip, KNOWN)).contains(meant);
    assertThat(NearestName.hint(slip, KNOWN)).isEqualTo("; did you mean '" + meant + "'?");
  }

  @ParameterizedTest
  @CsvSource({"colour", "x", "xy", "bk"})
  void says_nothing_when_nothing_is_near(String word) {
    assertThat(NearestName.to(word, KNOWN)).isEmpty();
    assertThat(NearestName.hint(word, KNOWN)).isEmpty();
  }

  @Test
  void allows_one_slip_in_three_letters_and_no_more() {
    assertThat(NearestName.to("abXd", List.of("abcd"))).contains("abcd");
    assertThat(NearestName.to("aXXd", List.of("abcd"))).isEmpty();
    assertThat(NearestName.to("abXXef", List.of("abcdef"))).contains("abcdef");
    assertThat(NearestName.to("abXXXf", List.of("abcdef"))).isEmpty();
  }

  @Test
  void takes_the_nearest_and_of_two_as_near_the_first() {
    assertThat(NearestName.to("retry_off", List.of("retry_of", "retry_off_")))
        .contains("retry_off_");
    assertThat(NearestName.to("cat", List.of("bat", "rat"))).contains("bat");
  }

  @Test
  void does_not_compare_what_is_too_long_to_be_a_name() {
    assertThat(NearestName.to("x".repeat(64), List.of("x".repeat(64)))).isPresent();
    assertThat(NearestName.to("x".repeat(65), List.of("x".repeat(65)))).isEmpty();
  }

  @Test
  void knows_nothing_when_nothing_is_known() {
    assertThat(NearestName.to("on", List.of())).isEmpty();
  }
}
