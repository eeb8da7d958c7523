// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureJsonTest {

  @Test
  void reads_all_fields() {
    Failure failure =
        FailureJson.read(
            """
            {"kind": "webhook_failure", "status": 503, "code": "no_slots",
             "exception_types": ["a.B", "java.lang.Exception"], "retry_after_ms": 1500,
             "requested_delay_ms": 0, "permanent": true, "message": "too\\nlate"}""");

    assertThat(failure)
        .isEqualTo(
            new Failure(
                FailureKind.WEBHOOK_FAILURE,
                503,
                "no_slots",
                List.of("a.B", "java.lang.Exception"),
                Duration.ofMillis(1_500),
                Duration.ZERO,
                true,
                "too\nlate"));
  }

  @Test
  void requires_only_a_kind() {
    assertThat(FailureJson.read("{\"kind\": \"timeout\", \"code\": null, \"status\": null}"))
        .isEqualTo(Failure.timeout());
  }

  @Test
  void reads_a_number_as_an_http_status() {
    assertThat(FailureJson.read("502")).isEqualTo(Failure.http(502));

    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, () -> FailureJson.read("42"));
    assertThat(thrown.errors())
        .containsExactly(new FieldError("", "must be a whole number from 100 to 999, not 42"));
  }

  @Test
  void reports_every_error() {
    InvalidPolicyException thrown =
        catchThrowableOfType(
            InvalidPolicyException.class,
            () ->
                FailureJson.read(
                    """
                    {"kind": "tiemout", "status": 42, "code": 7, "exception_types": ["a", 1],
                     "retry_after_ms": -1, "requested_delay_ms": "5s", "permanent": 1,
                     "message": {}, "retry_after": 5, "code": "x"}"""));

    assertThat(thrown.errors())
        .extracting(FieldError::path)
        .containsExactlyInAnyOrder(
            "code",
            "kind",
            "status",
            "code",
            "exception_types[1]",
            "retry_after_ms",
            "requested_delay_ms",
            "permanent",
            "message",
            "retry_after");
    assertThat(thrown).hasMessageContaining("did you mean 'timeout'?");
  }

  @Test
  void rejects_values_that_are_not_failures() {
    for (String text : List.of("null", "[]", "7", "{}", "")) {
      assertThat(catchThrowableOfType(InvalidPolicyException.class, () -> FailureJson.read(text)))
          .as(text)
          .isNotNull();
    }
  }
}
