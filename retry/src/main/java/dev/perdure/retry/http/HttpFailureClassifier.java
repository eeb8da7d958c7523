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

/** Reads answers and exceptions of an HTTP client as failures. */
final class HttpFailureClassifier implements FailureClassifier, ResultClassifier {

  private static final int FIRST_ERROR = 400;

  private final TimeProvider timeProvider;
  private final boolean repeatable;

  /**
   * @param repeatable whether the request may be applied twice; if not, only a failure that cannot
   *     have reached the server leaves it to the policy
   */
  HttpFailureClassifier(TimeProvider timeProvider, boolean repeatable) {
    this.timeProvider = timeProvider;
    this.repeatable = repeatable;
  }

  @Override
  public @Nullable Failure classify(@Nullable Object result) {
    if (!(result instanceof HttpResponse<?> answer) || answer.statusCode() < FIRST_ERROR) {
      return null;
    }
    return Failure.http(answer.statusCode())
        .withRetryAfter(retryAfter(answer.headers()).orElse(null))
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

  /** True when the request cannot have reached the server, so that any method may be repeated. */
  private static boolean neverSent(Throwable thrown) {
    return thrown instanceof ConnectException
        || thrown instanceof HttpConnectTimeoutException
        || thrown instanceof UnknownHostException
        || thrown instanceof UnresolvedAddressException
        || thrown instanceof CircuitOpenException;
  }

  /** The server's Retry-After; or else the time until its rate limit allows more. */
  private Optional<Duration> retryAfter(HttpHeaders headers) {
    Instant own = timeProvider.now();
    Instant now =
        headers
            .firstValue("Date")
            .flatMap(date -> RetryAfterHeader.parseHttpDate(date.strip(), own))
            .orElse(own);
    Optional<Duration> asked = RetryAfterHeader.longest(headers.allValues("Retry-After"), now);
    return asked.isPresent() ? asked : RateLimitHeader.timeToReset(headers);
  }
}
