// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorFingerprintTest {

  private static ErrorFingerprint of(@Nullable String message) {
    return ErrorFingerprint.of("exception", Failure.NO_STATUS, null, message, List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "card 4711 declined: insufficient funds|card ‹n› declined: insufficient funds",
        "card 9 declined: insufficient funds|card ‹n› declined: insufficient funds",
        "the webhook returned status 503.|the webhook returned status 503.",
        "status 5034 is unknown|status ‹n› is unknown",
        "HTTP 503 from https://pay.example/charge/912: upstream|HTTP 503 from pay.example: upstream",
        "GET http://user:pw@pay.example:8080/a?b=1#c failed.|GET pay.example failed.",
        "see https://pay.example.|see pay.example.",
        "calling https://10.0.0.7:80/x: no|calling ‹address›: no",
        "calling http://[::1]:80/x|calling ‹address›",
        "no route to 10.1.2.3:5432|no route to ‹address›",
        "no route to fe80::1:2|no route to ‹address›",
        "order 0198f0c2-7be3-7a81-9f2c-41d07be3a815 is gone|order ‹id› is gone",
        "commit 9f2c41d07be3a815 is gone|commit ‹n› is gone",
        "commit 12345678 is gone|commit ‹n› is gone",
        "at 0x7ffd is nothing|at ‹n› is nothing",
        "com.acme.Order@1b2c3d4e is closed|com.acme.Order@‹n› is closed",
        "user ann.b+c@mail.example is blocked|user ‹email› is blocked",
        "column \"größe\" does not exist|column ‹text› does not exist",
        "can't read 'a b' or `c`|can't read ‹text› or ‹text›",
        "took 1.5 s at 12:30:45|took ‹n› s at ‹n›",
        "charge ch_3PqX9aLkdQw81zzB failed|charge ‹id› failed",
        "order912 is gone|order‹n› is gone",
        "S3 said no over HTTP/2|S3 said no over HTTP/‹n›",
        "the effaced facade|the effaced facade",
      })
  void replaces_what_differs(String message, String title) {
    assertThat(of(message).title()).isEqualTo(title);
  }

  @Test
  void messages_with_one_template_have_one_fingerprint() {
    assertThat(of("card 1 of \"Ann\" declined")).isEqualTo(of("card 234 of \"Bob\" declined"));
    assertThat(of("card 1 declined").id()).isNotEqualTo(of("card 1 blocked").id());
  }

  @Test
  void the_id_is_16_hexadecimal_digits_and_never_changes() {
    assertThat(of("card 4711 declined").id()).matches("[0-9a-f]{16}").isEqualTo("81e65c9871f39d49");
  }

  @Test
  void kind_status_code_and_first_exception_tell_errors_apart() {
    List<String> ids =
        List.of(
            ErrorFingerprint.of("http", 503, null, "no", List.of()).id(),
            ErrorFingerprint.of("http", 502, null, "no", List.of()).id(),
            ErrorFingerprint.of("webhook_failure", 503, null, "no", List.of()).id(),
            ErrorFingerprint.of("http", 503, "busy", "no", List.of()).id(),
            ErrorFingerprint.of("http", 503, null, "no", List.of("java.io.IOException")).id());
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void later_exceptions_and_generated_names_do_not_count() {
    ErrorFingerprint one =
        ErrorFingerprint.of(
            "exception", Failure.NO_STATUS, null, "no", List.of("a.B$C$$Lambda/0x1", "a.D"));
    assertThat(
            ErrorFingerprint.of(
                "exception", Failure.NO_STATUS, null, "no", List.of("a.B$C$$Lambda/0x2")))
        .isEqualTo(one);
  }

  @Test
  void the_status_stays_in_the_title() {
    assertThat(ErrorFingerprint.of("http", 503, null, "got 503 after 12 s", List.of()).title())
        .isEqualTo("got 503 after ‹n› s");
  }

  @Test
  void without_a_message_the_title_says_what_is_known() {
    assertThat(
            ErrorFingerprint.of("explicit", Failure.NO_STATUS, "no_slots", null, List.of()).title())
        .isEqualTo("no_slots");
    assertThat(ErrorFingerprint.of("http", 503, null, null, List.of()).title())
        .isEqualTo("HTTP 503");
    assertThat(
            ErrorFingerprint.of("exception", Failure.NO_STATUS, null, "", List.of("a.b.Broken"))
                .title())
        .isEqualTo("Broken");
    assertThat(
            ErrorFingerprint.of("webhook_failure", Failure.NO_STATUS, null, null, List.of())
                .title())
        .isEqualTo("webhook failure");
    assertThat(ErrorFingerprint.of(null, Failure.NO_STATUS, null, null, List.of()).title())
        .isEqualTo("failure");
  }

  @Test
  void only_the_beginning_of_the_message_counts() {
    String same = "x y ".repeat(60);
    assertThat(of(same + "a").id()).isEqualTo(of(same + "b").id());
    assertThat(of(same).title()).hasSize(ErrorFingerprint.MAX_TITLE);
  }

  @Test
  void a_quotation_that_is_cut_off_does_not_count() {
    assertThat(of("bad JSON: \"" + "a ".repeat(5_000)))
        .isEqualTo(of("bad JSON: \"" + "b".repeat(9_999)));
  }

  @Test
  void no_character_is_split() {
    String title = of("a" + "😀".repeat(300)).title();
    assertThat(title).hasSize(ErrorFingerprint.MAX_TITLE - 1).endsWith("😀");
    assertThat(of("\uD83D broken \uDE00").id()).hasSize(16);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "9", "a9", "-", "a-", "'", "\"", "'a", "@", "a@", "a.", "http://", "://", ":", "::",
        "1:", "1.", "f", "0x", "[", "\n", "\0", "😀", "‹n›", "$1\\", "a+"
      })
  void any_huge_message_has_a_fingerprint(String part) {
    ErrorFingerprint found = of(part.repeat(3_000_000 / part.length()));
    assertThat(found.id()).hasSize(16);
    assertThat(found.title().length()).isLessThanOrEqualTo(ErrorFingerprint.MAX_TITLE);
  }

  @Test
  void a_task_that_gave_up_without_a_failed_attempt_has_the_reason_as_its_error() {
    assertThat(ErrorFingerprint.of(TaskGiveUpReason.LOST).title())
        .isEqualTo("its workers were lost");
    assertThat(List.of(TaskGiveUpReason.values()))
        .extracting(reason -> ErrorFingerprint.of(reason).id())
        .doesNotHaveDuplicates();
    assertThat(ErrorFingerprint.of(AttemptDetails.of(AttemptOutcome.LOST))).isNull();
  }
}
