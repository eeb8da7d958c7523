// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The limits of all tasks of a kind, on all nodes together, whatever the tasks themselves say.
 *
 * @param limits a limit on concurrency, a rate, or both, for the same metadata fields
 * @param updatedAt by the database's clock
 */
public record KindLimit(String kind, List<Limit> limits, Source source, Instant updatedAt) {

  /** Who has set the limits of a kind. Only an operator replaces what an operator has set. */
  public enum Source {
    /** {@code PUT /limit/{kind}}, or the command line. */
    OPERATOR,
    /** {@code perdure.yaml}. */
    CONFIG,
    /** The options of a handler. */
    CODE;

    /** The name in the database and in responses. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The source with this {@link #text}. */
    public static Optional<Source> of(String text) {
      return Arrays.stream(values()).filter(source -> source.text().equals(text)).findFirst();
    }
  }

  public KindLimit {
    limits = List.copyOf(limits);
  }

  /** Throws if a kind cannot have these limits. */
  public static void require(List<Limit> limits) {
    if (limits.stream().anyMatch(limit -> limit.rule().type() == LimitType.CAPACITY)) {
      throw new IllegalArgumentException(
          "limits: a kind can have a limit on concurrency and a rate, but not on capacity: "
              + "only tasks know how many items they have");
    }
    if (limits.stream().map(limit -> limit.rule().type()).distinct().count() < limits.size()) {
      throw new IllegalArgumentException("limits: a kind can have one limit of each type");
    }
    if (limits.stream().map(Limit::fields).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "limits: all limits of a kind must count by the same metadata fields");
    }
  }
}
