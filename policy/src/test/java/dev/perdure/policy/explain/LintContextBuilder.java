// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds lint contexts for tests and runs the linter. */
final class LintContextBuilder {

  private int clients = Linter.LintContext.DEFAULT.clients();
  private @Nullable String method;
  private boolean key;
  private Duration keyLifetime = Linter.LintContext.DEFAULT.keyLifetime();
  private int layers = Linter.LintContext.DEFAULT.layers();
  private double bound = Linter.LintContext.DEFAULT.amplificationBound();

  private @Nullable Instant now;

  private LintContextBuilder() {}

  static LintContextBuilder context() {
    return new LintContextBuilder();
  }

  LintContextBuilder clients(int value) {
    clients = value;
    return this;
  }

  LintContextBuilder method(String value) {
    method = value;
    return this;
  }

  LintContextBuilder key(Duration lifetime) {
    key = true;
    keyLifetime = lifetime;
    return this;
  }

  LintContextBuilder layers(int value) {
    layers = value;
    return this;
  }

  LintContextBuilder bound(double value) {
    bound = value;
    return this;
  }

  LintContextBuilder now(Instant value) {
    now = value;
    return this;
  }

  Linter.LintContext build() {
    return new Linter.LintContext(clients, method, key, keyLifetime, layers, bound, now);
  }

  static List<String> ids(RetryPolicy policy, Linter.LintContext context) {
    return Linter.lint(policy, context).stream().map(Linter.Warning::id).toList();
  }

  /** Returns the only warning with this id. */
  static Linter.Warning warningOf(String id, RetryPolicy policy, Linter.LintContext context) {
    List<Linter.Warning> found =
        Linter.lint(policy, context).stream().filter(warning -> warning.id().equals(id)).toList();
    if (found.size() != 1) {
      throw new AssertionError("expected one warning %s, found %s".formatted(id, found));
    }
    return found.getFirst();
  }
}
