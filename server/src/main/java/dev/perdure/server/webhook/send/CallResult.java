// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What came of a call. */
public sealed interface CallResult {

  /** The code of a failure whose address was refused. */
  String REFUSED = "webhook_refused";

  /** The code of a failure whose request was never sent. */
  String UNSENT = "webhook_unsent";

  /** The code of a failure that left open whether the callee did its work. */
  String UNKNOWN = "webhook_unknown";

  /** The code of a failure for want of time. */
  String TIMEOUT = "webhook_timeout";

  /** The failure as a policy sees it; none when the callee answered that all is well. */
  Optional<Failure> failure();

  /**
   * The callee answered.
   *
   * @param retryAfter when it asked us to come back
   * @param body what it said, read as UTF-8
   * @param truncated true when it said more than that
   */
  record Responded(int status, @Nullable Duration retryAfter, String body, boolean truncated)
      implements CallResult {

    /** True for 2xx; a redirect is not followed and so is a failure. */
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
                  .withMessage("the webhook was answered with " + status));
    }

    /** Without what the callee said, which may hold secrets. */
    @Override
    public String toString() {
      return "answer " + status;
    }
  }

  /** It may not be made, and to try it again would not help: somebody has to allow it first. */
  record Refusal(String reason) implements CallResult {

    /** The guard let nobody connect there. */
    static Refusal ofAddress(String why) {
      return new Refusal("the webhook's address is refused: " + why);
    }

    /** The action was right when it was kept, and is no longer. */
    public static Refusal of(FieldErrors errors) {
      return new Refusal(
          errors.list().stream().map(FieldError::toString).collect(Collectors.joining("; ")));
    }

    @Override
    public Optional<Failure> failure() {
      return failed(REFUSED, reason).map(failure -> failure.withPermanent(true));
    }
  }

  /** No byte of the request left us: the name, the connection or the encryption failed. */
  record Unsent(String reason) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(UNSENT, "the webhook was not sent: " + reason);
    }
  }

  /**
   * It was not even tried: too much is under way, there or in all. No failure of the callee.
   *
   * @param retryIn how long to stay away
   */
  record Throttled(Duration retryIn) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(UNSENT, "the webhook was not sent: too many calls are under way");
    }
  }

  /** The request left us and no whole answer came back. */
  record Unknown(String reason) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(UNKNOWN, "the webhook may have arrived, but got no whole answer: " + reason);
    }
  }

  /** The time ran out; nobody knows whether the callee did its work. */
  record TimedOut(String reason) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(TIMEOUT, "the webhook timed out: " + reason);
    }
  }

  private static Optional<Failure> failed(String code, String message) {
    return Optional.of(Failure.of(FailureKind.WEBHOOK_FAILURE).withCode(code).withMessage(message));
  }
}
