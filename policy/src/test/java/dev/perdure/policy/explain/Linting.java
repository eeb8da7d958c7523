// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes uses for the tests of the linter, and reads its warnings. */
final class Linting {

  private int clients = Linter.Use.DEFAULT.clients();
  private @Nullable String method;
  private boolean key;
  private Duration keyLifetime = Linter.Use.DEFAULT.keyLifetime();
  private int layers = Linter.Use.DEFAULT.layers();
  private double bound = Linter.Use.DEFAULT.amplificationBound();

  private Linting() {}

  static Linting use() {
    return new Linting();
  }

  Linting clients(int value) {
    clients = value;
    return this;
  }

  Linting method(String value) {
    method = value;
    return this;
  }

  Linting key(Duration lifetime) {
    key = true;
    keyLifetime = lifetime;
    return this;
  }

  Linting layers(int value) {
    layers = value;
    return this;
  }

  Linting bound(double value) {
    bound = value;
    return this;
  }

  Linter.Use build() {
    return new Linter.Use(clients, method, key, keyLifetime, layers, bound);
  }

  static List<String> ids(RetryPolicy policy, Linter.Use use) {
    return Linter.lint(policy, use).stream().map(Linter.Warning::id).toList();
  }

  /** The only warning with this id. */
  static Linter.Warning warningOf(String id, RetryPolicy policy, Linter.Use use) {
    List<Linter.Warning> found =
        Linter.lint(policy, use).stream().filter(warning -> warning.id().equals(id)).toList();
    if (found.size() != 1) {
      throw new AssertionError("expected one warning %s, found %s".formatted(id, found));
    }
    return found.getFirst();
  }
}
