// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HandOverRequestTest {

  private static FailedAttempt attempt(long number) {
    return new FailedAttempt(number, Failure.timeout(), null, ofSeconds(2), ofSeconds(1), ZERO);
  }

  private static List<FailedAttempt> attempts(long... numbers) {
    return LongStream.of(numbers).mapToObj(HandOverRequestTest::attempt).toList();
  }

  private static HandOverRequest request(
      String kind, String key, Duration age, List<FailedAttempt> attempts) {
    return new HandOverRequest(kind, null, RetryPolicy.queue(), key, age, attempts);
  }

  @Test
  void may_contain_only_the_newest_attempts() {
    assertThat(request("a", "k", ZERO, attempts(7, 8)).failedAttempts()).hasSize(2);
  }

  @Test
  void rejects_attempts_with_gaps() {
    for (List<FailedAttempt> invalid :
        List.of(attempts(0, 2), attempts(1, 0), attempts(0, 0), attempts())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> request("a", "k", ZERO, invalid))
          .withMessageStartingWith("failedAttempts:");
    }
  }

  @Test
  void rejects_too_many_attempts() {
    long[] many = LongStream.rangeClosed(0, HandOverRequest.MAX_ATTEMPTS).toArray();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request("a", "k", ZERO, attempts(many)))
        .withMessageStartingWith("failedAttempts:");
  }

  @Test
  void accepts_as_many_attempts_and_characters_as_allowed() {
    long[] most = LongStream.range(0, HandOverRequest.MAX_ATTEMPTS).toArray();
    String kind = "x".repeat(HandOverRequest.MAX_KIND_LENGTH);
    String key = "x".repeat(HandOverRequest.MAX_KEY_LENGTH);

    HandOverRequest request = request(kind, key, ZERO, attempts(most));

    assertThat(request.failedAttempts()).hasSize(HandOverRequest.MAX_ATTEMPTS);
    assertThat(HandOverRequest.requireKind(kind)).isEqualTo(kind);
    assertThat(HandOverRequest.requireKey(key)).isEqualTo(key);
  }

  @Test
  void rejects_kinds_and_keys_that_cannot_be_stored() {
    for (String invalid : List.of("", " ", "x".repeat(256), "a\0b", "\0b")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> request(invalid, "k", ZERO, attempts(0)))
          .withMessageStartingWith("kind:");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> request("a", invalid, ZERO, attempts(0)))
          .withMessageStartingWith("idempotencyKey:");
    }
  }

  @Test
  void rejects_impossible_times() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request("a", "k", ofSeconds(-1), attempts(0)))
        .withMessageStartingWith("age:");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FailedAttempt(0, Failure.timeout(), null, ZERO, ofSeconds(1), ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FailedAttempt(0, Failure.timeout(), null, ZERO, ZERO, ofSeconds(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FailedAttempt(0, Failure.timeout(), null, ZERO, ofSeconds(-1), ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> attempt(-1));
    assertThatNoException()
        .isThrownBy(() -> new FailedAttempt(0, Failure.timeout(), null, ZERO, ZERO, ZERO));
  }
}
