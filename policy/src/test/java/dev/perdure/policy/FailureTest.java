// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.PolicyErrorAssertions.missing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTest {

  @Test
  void of_a_kind_carries_nothing_more() {
    Failure failure = Failure.of(FailureKind.EXPLICIT);

    assertThat(failure)
        .isEqualTo(new Failure(FailureKind.EXPLICIT, 0, null, List.of(), null, null, false, null));
    assertThat(failure.hasStatus()).isFalse();
  }

  @Test
  void is_made_by_what_happened() {
    assertThat(Failure.timeout().kind()).isEqualTo(FailureKind.TIMEOUT);
    assertThat(Failure.explicit("no_slots").kind()).isEqualTo(FailureKind.EXPLICIT);
    assertThat(Failure.explicit("no_slots").code()).isEqualTo("no_slots");
    assertThat(Failure.http(503).kind()).isEqualTo(FailureKind.HTTP);
    assertThat(Failure.http(503).status()).isEqualTo(503);
    assertThat(Failure.http(503).hasStatus()).isTrue();
  }

  @Test
  void of_an_exception_carries_its_types_and_its_message() {
    Failure failure = Failure.exception(new IOException("gone"));

    assertThat(failure.kind()).isEqualTo(FailureKind.EXCEPTION);
    assertThat(failure.message()).isEqualTo("gone");
    assertThat(failure.exceptionTypes())
        .startsWith("java.io.IOException", "java.lang.Exception", "java.lang.Throwable");
    assertThat(failure.permanent()).isFalse();
  }

  @Test
  void changes_one_thing_at_a_time() {
    Failure failure =
        Failure.of(FailureKind.WEBHOOK_FAILURE)
            .withStatus(429)
            .withCode("slow")
            .withExceptionTypes(List.of("a.B"))
            .withRetryAfter(Duration.ofSeconds(1))
            .withRequestedDelay(Duration.ofSeconds(2))
            .withPermanent(true)
            .withMessage("slow down");

    assertThat(failure)
        .isEqualTo(
            new Failure(
                FailureKind.WEBHOOK_FAILURE,
                429,
                "slow",
                List.of("a.B"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                true,
                "slow down"));
    assertThat(failure.withStatus(Failure.NO_STATUS).hasStatus()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 99, 1000})
  void refuses_a_number_that_is_no_status(int status) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Failure.http(status))
        .withMessageContaining("100..999");
  }

  @Test
  void needs_a_kind() {
    assertThatNullPointerException().isThrownBy(() -> Failure.of(missing())).withMessage("kind");
  }

  @Test
  void keeps_its_types_when_the_list_it_was_given_changes() {
    List<String> types = new ArrayList<>(List.of("a.B"));
    Failure failure = Failure.of(FailureKind.EXCEPTION).withExceptionTypes(types);

    types.clear();

    assertThat(failure.exceptionTypes()).containsExactly("a.B");
  }

  @Test
  void kinds_have_the_words_of_the_json_form() {
    assertThat(FailureKind.values())
        .extracting(FailureKind::text)
        .containsExactly("timeout", "webhook_failure", "explicit", "exception", "http");
    for (FailureKind kind : FailureKind.values()) {
      assertThat(FailureKind.of(kind.text())).contains(kind);
    }
    assertThat(FailureKind.of("HTTP")).isEmpty();
  }

  @Test
  void reasons_have_the_words_of_the_json_form() {
    assertThat(GiveUpReason.values())
        .extracting(GiveUpReason::text)
        .containsExactly("no_policy", "not_retryable", "exhausted", "expired");
  }
}
