// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Expiry;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.PolicyDraft;
import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of reading one policy: its draft, errors and limits, and the paths of its dialect. */
final class PolicyParseState {

  private final FieldErrors errors;
  private final @Nullable PolicyDialect dialect;
  private final @Nullable PolicyLimits limits;
  private final Instant earliestExpiry;
  private final PathTranslator paths = new PathTranslator();
  private PolicyDraft draft = new PolicyDraft();
  private boolean neverRetries;

  /**
   * @param dialect null if the policy is in no known form
   */
  PolicyParseState(
      FieldErrors errors, @Nullable PolicyDialect dialect, @Nullable ServerPolicyLimits server) {
    this.errors = errors;
    this.dialect = dialect;
    this.limits =
        server == null ? null : dialect == PolicyDialect.TASK ? server.task() : server.others();
    this.earliestExpiry = server == null ? Instant.MIN : server.earliestExpiry();
  }

  PolicyDraft draft() {
    return draft;
  }

  PathTranslator paths() {
    return paths;
  }

  FieldErrors errors() {
    return errors;
  }

  /** Replaces the draft with the fields of this preset, cut to the limits. */
  void startFrom(RetryPolicy preset) {
    draft = PolicyDraft.from(limits == null ? preset : limits.cut(preset));
  }

  /** Returns the default of a delay, cut to the limits. */
  Duration cut(Duration delay) {
    return limits == null || delay.compareTo(limits.maxDelay()) < 0 ? delay : limits.maxDelay();
  }

  /** Returns the default number of retries, cut to the limits. */
  int cut(int retries) {
    return limits == null ? retries : Math.min(retries, limits.maxRetries());
  }

  /** Reads the instant at which the policy expires. */
  @Nullable Expiry expiresAt(JsonValueReader value) {
    Instant instant = value.instant();
    if (instant == null) {
      return null;
    }
    if (instant.isBefore(earliestExpiry)) {
      value.addError("%s is in the past: choose a later time".formatted(InstantText.of(instant)));
    }
    return Expiry.at(instant);
  }

  /** Makes the result the policy that never retries. The other fields must still be valid. */
  void neverRetries() {
    neverRetries = true;
  }

  /** Returns the policy, or throws with all errors. */
  WrittenPolicy result() {
    errorsIn(draft).forEach(error -> errors.add(paths.translate(error)));
    errors.throwIfAny();
    if (dialect == null) {
      throw new IllegalStateException("the policy has no known form, but no error was reported");
    }
    return new WrittenPolicy(policy(), dialect, paths);
  }

  private RetryPolicy policy() {
    if (neverRetries) {
      return RetryPolicy.none();
    }
    RetryPolicy policy = draft.build(errors);
    return limits == null ? policy : limits.cut(policy);
  }

  /**
   * Returns the errors in the combination of the fields that could be read, and in their limits.
   */
  List<FieldError> errorsIn(PolicyDraft readable) {
    FieldErrors found = new FieldErrors();
    readable.check(found);
    if (limits != null && !neverRetries) {
      limits.check(readable).forEach(found::add);
    }
    return found.list();
  }
}
