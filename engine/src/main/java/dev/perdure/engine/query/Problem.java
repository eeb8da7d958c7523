// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that an operator should know.
 *
 * @param since when it began, or when it was noticed
 * @param overAt when it was over; null while it lasts
 * @param kind the kind of tasks that it is about; null if it is not about a kind
 * @param name the node or schedule that it is about; null if there is none
 * @param count how many tasks, attempts, retries or firings it is about
 * @param of how many there are in all; null if that says nothing
 * @param error the fingerprint of the error that most of the tasks have; null if unknown
 * @param errorTitle what the error is, for people; null if unknown
 * @param text a sentence or two for people
 * @param filter parameters of {@code GET /task} that list the tasks; empty if it is not about tasks
 */
public record Problem(
    ProblemId id,
    Instant since,
    @Nullable Instant overAt,
    @Nullable String kind,
    @Nullable String name,
    long count,
    @Nullable Long of,
    @Nullable String error,
    @Nullable String errorTitle,
    String text,
    Map<String, String> filter) {

  public Problem {
    filter = Map.copyOf(filter);
  }

  /** What kind of problem it is, the worst first. */
  public enum ProblemId {
    STORE_AWAY,
    KIND_FAILING,
    NOBODY_TAKES,
    NODE_DIED,
    NODE_LATE,
    BACKLOG_GROWS,
    WAVE,
    KIND_DEGRADED,
    AMPLIFIED,
    DEAD_NEW,
    SCHEDULE_MISSED,
    PARKED;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public ProblemLevel level() {
      return this == STORE_AWAY || this == KIND_FAILING
          ? ProblemLevel.TROUBLE
          : ProblemLevel.WARNING;
    }
  }

  /** How bad a problem is. */
  public enum ProblemLevel {
    TROUBLE,
    WARNING;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean isOver() {
    return overAt != null;
  }

  /** Whether both are the same problem at different times. */
  boolean isSameAs(Problem other) {
    return id == other.id && Objects.equals(kind, other.kind) && Objects.equals(name, other.name);
  }

  Problem withTimes(Instant newSince, @Nullable Instant newOverAt) {
    return new Problem(
        id, newSince, newOverAt, kind, name, count, of, error, errorTitle, text, filter);
  }

  /** The same problem with the error that causes it. */
  public Problem withError(@Nullable String newError, @Nullable String newTitle) {
    return new Problem(id, since, overAt, kind, name, count, of, newError, newTitle, text, filter);
  }
}
