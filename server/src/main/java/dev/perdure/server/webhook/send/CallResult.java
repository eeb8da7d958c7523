// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The result of a webhook call. */
public sealed interface CallResult {

  /** Failure code: the address or the action was refused. */
  String REFUSED = "webhook_refused";

  /** Failure code: the request was never sent. */
  String UNSENT = "webhook_unsent";

  /** Failure code: the request was sent, but it is unknown whether the callee did its work. */
  String UNKNOWN = "webhook_unknown";

  /** Failure code: the call timed out. */
  String TIMEOUT = "webhook_timeout";

  /** The failure for the retry policy; empty when the callee responded with a 2xx. */
  Optional<Failure> failure();

  /**
   * The callee responded.
   *
   * @param retryAfter the delay that it asked for
   * @param body the response body, read as UTF-8
   * @param truncated true when the body was longer than what is read
   */
  record Responded(int status, @Nullable Duration retryAfter, String body, boolean truncated)
      implements CallResult {

    /** True for 2xx. Redirects are not followed, so they are failures. */
    public boolean ok() {
      return status >= 200 && status < 300;
    }

    @Override
    public Optional<Failure> failure() {
      return ok()
          ? Optional.empty()
          : Optional.of(
              Failure.of(FailureKind.WEBHOOK_FAILURE)
                  .withStatus(status)
                  .withRetryAfter(retryAfter)
                  .withMessage("the webhook returned status " + status));
    }

    /** Without the body, which may contain secrets. */
    @Override
    public String toString() {
      return "response " + status;
    }
  }

  /** The call is not allowed. A retry would not help: an operator has to allow it first. */
  record Refusal(String reason) implements CallResult {

    /** The address guard refused the connection. */
    static Refusal ofAddress(String why) {
      return new Refusal("the webhook's address is not allowed: " + why);
    }

    /** The action was valid when it was submitted but no longer is. */
    public static Refusal of(FieldErrors errors) {
      return new Refusal(
          errors.list().stream().map(FieldError::toString).collect(Collectors.joining("; ")));
    }

    @Override
    public Optional<Failure> failure() {
      return failed(REFUSED, reason).map(failure -> failure.withPermanent(true));
    }
  }

  /**
   * Nothing of the request was sent: the name look-up, the connection or TLS failed.
   *
   * @param cause what policies match as {@code exception:…}
   */
  record Unsent(String reason, IOException cause) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(UNSENT, "the webhook was not sent: " + reason, cause);
    }
  }

  /**
   * The call was not tried because too many are in progress, to this host or in total. This is not
   * a failure of the callee.
   *
   * @param retryIn how long to wait before the next try
   */
  record Throttled(Duration retryIn) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(UNSENT, "the webhook was not sent: too many calls are in progress");
    }
  }

  /**
   * The request was sent, but no complete response came back.
   *
   * @param cause what policies match as {@code exception:…}
   */
  record Unknown(String reason, IOException cause) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(
          UNKNOWN,
          "the webhook may have arrived, but there is no complete response: " + reason,
          cause);
    }
  }

  /** The call timed out; it is unknown whether the callee did its work. */
  record TimedOut(String reason) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(TIMEOUT, "the webhook timed out: " + reason, new SocketTimeoutException());
    }
  }

  private static Optional<Failure> failed(String code, String message) {
    return Optional.of(Failure.of(FailureKind.WEBHOOK_FAILURE).withCode(code).withMessage(message));
  }

  private static Optional<Failure> failed(String code, String message, IOException cause) {
    return failed(code, message).map(failure -> failure.withExceptionTypes(jdkTypes(cause)));
  }

  /** Without the types of the HTTP library, which is an implementation detail. */
  private static List<String> jdkTypes(IOException cause) {
    return Failure.exception(cause).exceptionTypes().stream()
        .filter(type -> type.startsWith("java"))
        .toList();
  }
}
