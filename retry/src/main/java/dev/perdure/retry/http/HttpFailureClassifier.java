// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.RetryAfterHeader;
import dev.perdure.retry.CircuitOpenException;
import dev.perdure.retry.FailureClassifier;
import dev.perdure.retry.ResultClassifier;
import dev.perdure.retry.TimeProvider;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts responses and exceptions of an HTTP client to failures. */
final class HttpFailureClassifier implements FailureClassifier, ResultClassifier {

  private static final int MIN_ERROR_STATUS = 400;

  private final TimeProvider timeProvider;
  private final boolean repeatable;

  /**
   * Creates a classifier.
   *
   * @param repeatable whether the request may be applied twice; if not, only failures that cannot
   *     have reached the server are left to the policy
   */
  HttpFailureClassifier(TimeProvider timeProvider, boolean repeatable) {
    this.timeProvider = timeProvider;
    this.repeatable = repeatable;
  }

  @Override
  public @Nullable Failure classify(@Nullable Object result) {
    if (!(result instanceof HttpResponse<?> response) || response.statusCode() < MIN_ERROR_STATUS) {
      return null;
    }
    return Failure.http(response.statusCode())
        .withRetryAfter(retryAfter(response.headers()).orElse(null))
        .withPermanent(!repeatable);
  }

  @Override
  public Failure classify(Throwable thrown) {
    Failure failure = FailureClassifier.byType().classify(thrown);
    if (thrown instanceof HttpTimeoutException) {
      failure =
          Failure.of(FailureKind.TIMEOUT)
              .withExceptionTypes(failure.exceptionTypes())
              .withMessage(failure.message());
    }
    return failure.withPermanent(!repeatable && !neverSent(thrown));
  }

  /**
   * Returns true if the request cannot have reached the server, so that any method may be repeated.
   */
  private static boolean neverSent(Throwable thrown) {
    return thrown instanceof ConnectException
        || thrown instanceof HttpConnectTimeoutException
        || thrown instanceof UnknownHostException
        || thrown instanceof UnresolvedAddressException
        || thrown instanceof CircuitOpenException;
  }

  /** Returns the server's Retry-After or, without one, the time until its rate limit resets. */
  private Optional<Duration> retryAfter(HttpHeaders headers) {
    Instant localNow = timeProvider.now();
    Instant now =
        headers
            .firstValue("Date")
            .flatMap(date -> RetryAfterHeader.parseHttpDate(date.strip(), localNow))
            .orElse(localNow);
    Optional<Duration> retryAfter = RetryAfterHeader.longest(headers.allValues("Retry-After"), now);
    return retryAfter.isPresent() ? retryAfter : RateLimitHeader.timeToReset(headers);
  }
}
