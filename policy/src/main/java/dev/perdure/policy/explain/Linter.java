// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is legal in a policy but unwise. A warning is always about something that can happen;
 * when it would take too long to find out whether it can, there is none.
 *
 * <table>
 *   <caption>The warnings</caption>
 *   <tr><td>{@code unlimited-without-expiry}</td><td>nothing ends the retries</td></tr>
 *   <tr><td>{@code amplification}</td><td>one request becomes too many attempts</td></tr>
 *   <tr><td>{@code immediate-retries}</td><td>several retries without any wait</td></tr>
 *   <tr><td>{@code outlives-idempotency-key}</td><td>retries after the key is forgotten</td></tr>
 *   <tr><td>{@code no-jitter}</td><td>clients come back together</td></tr>
 *   <tr><td>{@code jitter-lost-at-cap}</td><td>they do once {@code max_delay} is reached</td></tr>
 *   <tr><td>{@code schedule-longer-than-expiry}</td><td>retries that never happen</td></tr>
 *   <tr><td>{@code never-matches}</td><td>a matcher or an override without effect</td></tr>
 *   <tr><td>{@code post-without-idempotency-key}</td><td>work done twice</td></tr>
 * </table>
 *
 * <p>Timelines are looked at for their first 10,000 attempts. An expiry at an instant says nothing
 * about how long the retries last, so that warnings about lengths do not look at it.
 */
public final class Linter {

  private Linter() {}

  /**
   * Where the policy will be used.
   *
   * @param clients how many clients follow it at once
   * @param method the HTTP method it retries, when that is known
   * @param idempotencyKey whether the requests carry an idempotency key
   * @param keyLifetime how long a server remembers such a key
   * @param layers how many layers of the system, one above the other, retry like this
   * @param amplificationBound how many times the usual load retries may make of it
   */
  public record LintContext(
      int clients,
      @Nullable String method,
      boolean idempotencyKey,
      Duration keyLifetime,
      int layers,
      double amplificationBound) {

    /** 1,000 clients, an unknown method, a key kept for a day, one layer, at most 6 times. */
    public static final LintContext DEFAULT =
        new LintContext(1_000, null, false, Duration.ofHours(24), 1, 6);

    /**
     * @throws IllegalArgumentException when a number makes no sense; the message names every field
     */
    public LintContext {
      List<String> wrong =
          Stream.of(
                  clients >= 1 ? "" : "clients must be 1 or more, not " + clients,
                  keyLifetime.isPositive() ? "" : "keyLifetime must be more than 0",
                  layers >= 1 ? "" : "layers must be 1 or more, not " + layers,
                  amplificationBound >= 1
                      ? ""
                      : "amplificationBound must be 1 or more, not " + amplificationBound)
              .filter(problem -> !problem.isEmpty())
              .toList();
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
    }
  }

  /**
   * One thing that is unwise.
   *
   * @param id a stable name, such as {@code no-jitter}
   * @param path the field it is about; empty for the policy as a whole
   * @param message what can happen
   * @param fix what to write instead
   */
  public record Warning(String id, String path, String message, String fix) {}

  /** All warnings, in the order of the fields. */
  public static List<Warning> lint(RetryPolicy policy, LintContext lintContext) {
    if (policy.isNone()) {
      return List.of();
    }
    List<Warning> found = new ArrayList<>();
    ReachabilitySearch reachabilitySearch = new ReachabilitySearch(policy);
    PolicyVariant own = PolicyVariant.base(policy, reachabilitySearch);
    if (own != null) {
      LintRule.ALL.forEach(rule -> rule.warn(own, lintContext).ifPresent(found::add));
    }
    Set<String> told = new HashSet<>();
    found.forEach(warning -> told.add(warning.id()));
    found.addAll(MatchRules.retryOn(policy, lintContext));
    for (int i = 0; i < policy.overrides().size(); i++) {
      found.addAll(override(policy, i, reachabilitySearch, lintContext, told));
    }
    return List.copyOf(found);
  }

  private static List<Warning> override(
      RetryPolicy policy,
      int index,
      ReachabilitySearch reachabilitySearch,
      LintContext lintContext,
      Set<String> told) {
    PolicyOverride override = policy.overrides().get(index);
    ReachabilitySearch.Reachability reachability = reachabilitySearch.override(index);
    PolicyVariant policyVariant = PolicyVariant.override(policy, index, reachability);
    if (policyVariant == null) {
      return MatchRules.unreachable(index, reachability).stream().toList();
    }
    return LintRule.ALL.stream()
        .filter(rule -> rule.appliesTo().test(override) || !told.contains(rule.id()))
        .flatMap(rule -> rule.warn(policyVariant, lintContext).stream())
        .toList();
  }
}
