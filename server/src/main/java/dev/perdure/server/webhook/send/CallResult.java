// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.Optional;
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

  /** True when the callee may have done what it was asked, whatever we know of it. */
  boolean maybeApplied();

  /** The failure as a policy sees it; none when the callee answered that all is well. */
  Optional<Failure> failure();

  /**
   * The callee answered.
   *
   * @param retryAfter when it asked us to come back
   * @param body what it said, read as UTF-8
   * @param cut true when it said more than that
   */
  record Answer(int status, @Nullable Duration retryAfter, String body, boolean cut)
      implements CallResult {

    /** True for 2xx; a redirect is not followed and so is a failure. */
    public boolean ok() {
      return status >= 200 && status < 300;
    }

    @Override
    public boolean maybeApplied() {
      return true;
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

  /** The guard let nobody connect there. */
  record Refusal(String why) implements CallResult {

    @Override
    public boolean maybeApplied() {
      return false;
    }

    @Override
    public Optional<Failure> failure() {
      return failed(REFUSED, "the webhook's address is refused: " + why);
    }
  }

  /** No byte of the request left us: the name, the connection or the encryption failed. */
  record Unsent(String why) implements CallResult {

    @Override
    public boolean maybeApplied() {
      return false;
    }

    @Override
    public Optional<Failure> failure() {
      return failed(UNSENT, "the webhook was not sent: " + why);
    }
  }

  /** It was not even tried: too many calls are under way, there or in all. */
  record NoRoom() implements CallResult {

    @Override
    public boolean maybeApplied() {
      return false;
    }

    @Override
    public Optional<Failure> failure() {
      return failed(UNSENT, "the webhook was not sent: too many calls are under way");
    }
  }

  /** The request left us and no whole answer came back. */
  record Unknown(String why) implements CallResult {

    @Override
    public boolean maybeApplied() {
      return true;
    }

    @Override
    public Optional<Failure> failure() {
      return failed(UNKNOWN, "the webhook may have arrived, but got no whole answer: " + why);
    }
  }

  /**
   * The time ran out.
   *
   * @param maybeApplied true when the request had left us
   */
  record TimedOut(boolean maybeApplied, String why) implements CallResult {

    @Override
    public Optional<Failure> failure() {
      return failed(TIMEOUT, "the webhook timed out: " + why);
    }
  }

  private static Optional<Failure> failed(String code, String message) {
    return Optional.of(Failure.of(FailureKind.WEBHOOK_FAILURE).withCode(code).withMessage(message));
  }
}
