// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds settings of a policy that are legal but unwise. A warning is always about something that
 * can happen. If finding out takes too long, there is no warning.
 *
 * <table>
 *   <caption>The warnings</caption>
 *   <tr><td>{@code unlimited-without-expiry}</td><td>nothing ends the retries</td></tr>
 *   <tr><td>{@code amplification}</td><td>one request becomes too many attempts</td></tr>
 *   <tr><td>{@code immediate-retries}</td><td>several retries without a delay</td></tr>
 *   <tr><td>{@code outlives-idempotency-key}</td><td>retries after the key has expired</td></tr>
 *   <tr><td>{@code no-jitter}</td><td>clients retry at the same time</td></tr>
 *   <tr><td>{@code jitter-lost-at-cap}</td><td>the same, once {@code max_delay} is reached</td></tr>
 *   <tr><td>{@code schedule-longer-than-expiry}</td><td>retries that never happen</td></tr>
 *   <tr><td>{@code expired}</td><td>nothing is retried, because it is too late</td></tr>
 *   <tr><td>{@code never-matches}</td><td>a matcher or an override without effect</td></tr>
 *   <tr><td>{@code post-without-idempotency-key}</td><td>work may be done twice</td></tr>
 * </table>
 *
 * <p>The linter checks the first 10,000 attempts of a timeline. Rules about durations ignore {@code
 * expires_at}, because an instant does not tell how long the retries last.
 */
public final class Linter {

  private Linter() {}

  /**
   * How the policy will be used.
   *
   * @param clients the number of clients that use it at the same time
   * @param method the HTTP method that it retries, if known
   * @param idempotencyKey whether the requests carry an idempotency key
   * @param keyLifetime how long the server remembers an idempotency key
   * @param layers the number of layers of the system that retry like this, one on top of the other
   * @param amplificationBound the maximum number of attempts per request before the linter warns
   * @param now the current time; null if the linter should not look at {@code expires_at}
   */
  public record LintContext(
      int clients,
      @Nullable String method,
      boolean idempotencyKey,
      Duration keyLifetime,
      int layers,
      double amplificationBound,
      @Nullable Instant now) {

    /** 1,000 clients, an unknown method, keys kept for a day, one layer, at most 6 attempts. */
    public static final LintContext DEFAULT =
        new LintContext(1_000, null, false, Duration.ofHours(24), 1, 6, null);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names every such
     *     field
     */
    public LintContext {
      List<String> errors =
          Stream.of(
                  clients >= 1 ? "" : "clients must be 1 or more, not " + clients,
                  keyLifetime.isPositive() ? "" : "keyLifetime must be more than 0",
                  layers >= 1 ? "" : "layers must be 1 or more, not " + layers,
                  amplificationBound >= 1
                      ? ""
                      : "amplificationBound must be 1 or more, not " + amplificationBound)
              .filter(error -> !error.isEmpty())
              .toList();
      if (!errors.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", errors));
      }
    }
  }

  /**
   * One warning.
   *
   * @param id a stable name, such as {@code no-jitter}
   * @param path the field that it is about; empty for the policy as a whole
   * @param message what can happen
   * @param fix what to set instead
   */
  public record Warning(String id, String path, String message, String fix) {}

  /** Returns all warnings, in the order of the fields. */
  public static List<Warning> lint(RetryPolicy policy, LintContext context) {
    if (policy.isNone()) {
      return List.of();
    }
    List<Warning> found = new ArrayList<>();
    ReachabilitySearch search = new ReachabilitySearch(policy);
    PolicyVariant base = PolicyVariant.base(policy, search);
    if (base != null) {
      LintRule.ALL.forEach(rule -> rule.warn(base, context).ifPresent(found::add));
    }
    DurationRules.expired(policy, context).ifPresent(found::add);
    Set<String> reported = new HashSet<>();
    found.forEach(warning -> reported.add(warning.id()));
    found.addAll(MatchRules.retryOn(policy, context));
    for (int i = 0; i < policy.overrides().size(); i++) {
      found.addAll(override(policy, i, search, context, reported));
    }
    return List.copyOf(found);
  }

  private static List<Warning> override(
      RetryPolicy policy,
      int index,
      ReachabilitySearch search,
      LintContext context,
      Set<String> reported) {
    PolicyOverride override = policy.overrides().get(index);
    ReachabilitySearch.Reachability reachability = search.override(index);
    PolicyVariant variant = PolicyVariant.override(policy, index, reachability);
    if (variant == null) {
      return MatchRules.unreachable(index, reachability).stream().toList();
    }
    return LintRule.ALL.stream()
        .filter(rule -> rule.appliesTo().test(override) || !reported.contains(rule.id()))
        .flatMap(rule -> rule.warn(variant, context).stream())
        .toList();
  }
}
