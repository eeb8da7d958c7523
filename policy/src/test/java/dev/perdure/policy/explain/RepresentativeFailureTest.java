// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.RetryPolicyBuilder;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RepresentativeFailureTest {

  private static final Failure EXPLICIT = Failure.of(FailureKind.EXPLICIT);

  @Test
  void is_explicit_if_that_is_retried() {
    assertThat(RepresentativeFailure.of(RetryPolicy.queue())).isEqualTo(EXPLICIT);
  }

  @Test
  void is_explicit_if_nothing_is_retried() {
    assertThat(RepresentativeFailure.of(RetryPolicy.none())).isEqualTo(EXPLICIT);
    assertThat(typical(retrying("503").neverOn(matchers("503")))).isEqualTo(EXPLICIT);
    assertThat(typical(retrying("503").maxRetries(0))).isEqualTo(EXPLICIT);
  }

  @Test
  void is_503_for_the_http_preset() {
    assertThat(RepresentativeFailure.of(RetryPolicy.http())).isEqualTo(Failure.http(503));
  }

  @Test
  void is_an_io_exception_for_the_transient_preset() {
    Failure failure = RepresentativeFailure.of(RetryPolicy.transientErrors());

    assertThat(failure.kind()).isEqualTo(FailureKind.EXCEPTION);
    assertThat(failure.exceptionTypes()).containsExactly(IOException.class.getName());
  }

  @Nested
  class SamplesOfMatchers {

    @Test
    void have_the_property_that_the_matcher_checks() {
      assertThat(typical(retrying("418"))).isEqualTo(Failure.http(418));
      assertThat(typical(retrying("500-503"))).isEqualTo(Failure.http(500));
      assertThat(typical(retrying("5xx"))).isEqualTo(Failure.http(503));
      assertThat(typical(retrying("4xx"))).isEqualTo(Failure.http(429));
      assertThat(typical(retrying("3xx"))).isEqualTo(Failure.http(300));
      assertThat(typical(retrying("code:no_slots"))).isEqualTo(Failure.explicit("no_slots"));
      assertThat(typical(retrying("timeout"))).isEqualTo(Failure.timeout());
      assertThat(typical(retrying("webhook_failure")))
          .isEqualTo(Failure.of(FailureKind.WEBHOOK_FAILURE));
      assertThat(typical(retrying("exception:a.B")).exceptionTypes()).containsExactly("a.B");
    }

    @Test
    void skip_failures_in_never_on() {
      assertThat(typical(retrying("5xx").neverOn(matchers("503")))).isEqualTo(Failure.http(500));
      assertThat(typical(retrying("500-503").neverOn(matchers("500"))))
          .isEqualTo(Failure.http(501));
      assertThat(typical(retrying("*").neverOn(matchers("explicit")))).isEqualTo(Failure.timeout());
    }

    @Test
    void include_the_last_status_of_a_class() {
      assertThat(typical(retrying("5xx").neverOn(matchers("500-598"))))
          .isEqualTo(Failure.http(599));
    }

    @Test
    void follow_the_order_of_the_list() {
      assertThat(typical(retrying("timeout", "5xx"))).isEqualTo(Failure.timeout());
      assertThat(typical(retrying("5xx", "timeout"))).isEqualTo(Failure.http(503));
    }

    @Test
    void contain_each_status_once() {
      assertThat(SampleFailures.of(FailureMatcher.serverErrors()))
          .hasSize(100)
          .doesNotHaveDuplicates()
          .allMatch(failure -> failure.status() / 100 == 5);
    }
  }

  @Nested
  class Preferences {

    private final PolicyOverride once = PolicyOverride.on(matchers("503")).withMaxRetries(1);

    @Test
    void skip_failures_that_an_override_changes() {
      assertThat(typical(retrying("503", "504").override(once))).isEqualTo(Failure.http(504));
      assertThat(typical(retrying("5xx").override(once))).isEqualTo(Failure.http(500));
    }

    @Test
    void keep_failures_of_an_override_that_changes_nothing() {
      PolicyOverride unchanged = PolicyOverride.on(matchers("503"));

      assertThat(typical(retrying("503", "504").override(unchanged))).isEqualTo(Failure.http(503));
    }

    @Test
    void prefer_a_client_error_to_a_failure_that_an_override_changes() {
      assertThat(typical(retrying("503", "408").override(once))).isEqualTo(Failure.http(408));
    }

    @Test
    void prefer_anything_else_to_a_client_error() {
      assertThat(typical(retrying("499", "500"))).isEqualTo(Failure.http(500));
      assertThat(typical(retrying("400", "399"))).isEqualTo(Failure.http(399));
    }

    @Test
    void use_a_failure_that_an_override_changes_if_there_is_no_other() {
      assertThat(typical(retrying("503").override(once))).isEqualTo(Failure.http(503));
    }

    @Test
    void never_use_a_failure_that_an_override_does_not_retry() {
      PolicyOverride never = PolicyOverride.on(matchers("503")).withMaxRetries(0);

      assertThat(typical(retrying("503", "429").override(never))).isEqualTo(Failure.http(429));
    }
  }

  private static RetryPolicyBuilder.Plain retrying(String... matchers) {
    return RetryPolicy.fixed(ofSeconds(1)).retryOn(matchers(matchers));
  }

  private static Failure typical(RetryPolicyBuilder.Plain policy) {
    return RepresentativeFailure.of(policy.build());
  }

  private static FailureMatcher[] matchers(String... texts) {
    return Stream.of(texts).map(FailureMatcher::parse).toArray(FailureMatcher[]::new);
  }
}
