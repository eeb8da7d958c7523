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
  void has_only_a_kind_when_created_from_one() {
    Failure failure = Failure.of(FailureKind.EXPLICIT);

    assertThat(failure)
        .isEqualTo(new Failure(FailureKind.EXPLICIT, 0, null, List.of(), null, null, false, null));
    assertThat(failure.hasStatus()).isFalse();
  }

  @Test
  void can_be_created_by_factories() {
    assertThat(Failure.timeout().kind()).isEqualTo(FailureKind.TIMEOUT);
    assertThat(Failure.explicit("no_slots").kind()).isEqualTo(FailureKind.EXPLICIT);
    assertThat(Failure.explicit("no_slots").code()).isEqualTo("no_slots");
    assertThat(Failure.http(503).kind()).isEqualTo(FailureKind.HTTP);
    assertThat(Failure.http(503).status()).isEqualTo(503);
    assertThat(Failure.http(503).hasStatus()).isTrue();
  }

  @Test
  void has_the_types_and_message_of_an_exception() {
    Failure failure = Failure.exception(new IOException("gone"));

    assertThat(failure.kind()).isEqualTo(FailureKind.EXCEPTION);
    assertThat(failure.message()).isEqualTo("gone");
    assertThat(failure.exceptionTypes())
        .startsWith("java.io.IOException", "java.lang.Exception", "java.lang.Throwable");
    assertThat(failure.permanent()).isFalse();
  }

  @Test
  void has_no_message_if_the_exception_cannot_give_it() {
    RuntimeException broken =
        new RuntimeException() {
          @Override
          public String getMessage() {
            throw new IllegalStateException("no message");
          }
        };

    assertThat(Failure.exception(broken).message()).isNull();
  }

  @Test
  void sets_fields_one_by_one() {
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
  void rejects_a_number_that_is_not_a_status(int status) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Failure.http(status))
        .withMessageContaining("100..999");
  }

  @Test
  void requires_a_kind() {
    assertThatNullPointerException().isThrownBy(() -> Failure.of(missing())).withMessage("kind");
  }

  @Test
  void copies_its_list_of_exception_types() {
    List<String> types = new ArrayList<>(List.of("a.B"));
    Failure failure = Failure.of(FailureKind.EXCEPTION).withExceptionTypes(types);

    types.clear();

    assertThat(failure.exceptionTypes()).containsExactly("a.B");
  }

  @Test
  void kinds_have_their_json_names() {
    assertThat(FailureKind.values())
        .extracting(FailureKind::text)
        .containsExactly("timeout", "webhook_failure", "explicit", "exception", "http");
    for (FailureKind kind : FailureKind.values()) {
      assertThat(FailureKind.of(kind.text())).contains(kind);
    }
    assertThat(FailureKind.of("HTTP")).isEmpty();
  }

  @Test
  void give_up_reasons_have_their_json_names() {
    assertThat(GiveUpReason.values())
        .extracting(GiveUpReason::text)
        .containsExactly("no_policy", "not_retryable", "exhausted", "expired");
  }
}
