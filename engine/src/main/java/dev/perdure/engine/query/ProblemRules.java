// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static dev.perdure.engine.query.ProblemText.age;
import static dev.perdure.engine.query.ProblemText.are;
import static dev.perdure.engine.query.ProblemText.count;
import static dev.perdure.engine.query.ProblemText.number;

import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.SystemStatus.LatenessSample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is wrong. Pure: the same status and the same earlier problems give the same answer.
 */
public final class ProblemRules {

  /** How many problems are told at once. */
  public static final int MAX_PROBLEMS = 5;

  /** How long a problem is told after it is over. */
  public static final Duration SHOWN_AFTER_END = Duration.ofMinutes(2);

  /** How far back the attempts of a failing kind are counted. */
  public static final Duration WINDOW = Duration.ofMinutes(5);

  /** How far back failed tasks and delayed firings count as recent. */
  public static final Duration RECENT = Duration.ofHours(1);

  static final Duration OLDEST_DUE = Duration.ofSeconds(60);

  /** How old a count of the live tasks may be to say what is wrong now. */
  static final Duration MAX_CENSUS_AGE = Duration.ofMinutes(2);

  static final Duration RISING_FOR = Duration.ofMinutes(3);
  static final Duration DIED_WITHIN = Duration.ofMinutes(10);
  static final long MIN_WAVE = 100;

  /** The retries of a quiet night are not worth a warning. */
  static final long MIN_AMPLIFIED = 20;

  private ProblemRules() {}

  /**
   * The answer while the store cannot be read or written, which hides everything else.
   *
   * @param readable whether it can at least be read
   */
  public static List<Problem> storeAway(Instant since, boolean readable) {
    String text =
        readable
            ? "This node cannot write to the database. Tasks are safe, but it starts nothing until"
                + " it can."
            : "The database cannot be reached. Tasks are safe, but nothing starts until it is"
                + " back.";
    return List.of(problem(ProblemId.STORE_AWAY, since, 0, null, text, Map.of()));
  }

  /**
   * The problems, the worst first. One that is over is told for two more minutes.
   *
   * @param earlier the last answer
   */
  public static List<Problem> problems(SystemStatus status, List<Problem> earlier) {
    List<Problem> current =
        Stream.of(
                KindRules.problems(status),
                due(status),
                nodes(status),
                wave(status),
                amplified(status),
                deadNew(status),
                ScheduleRules.problems(status),
                parked(status))
            .flatMap(List::stream)
            .map(problem -> withEarlierStart(problem, earlier))
            .sorted(
                Comparator.comparing(Problem::id)
                    .thenComparing(Comparator.comparingLong(Problem::count).reversed()))
            .toList();
    Stream<Problem> over =
        earlier.stream()
            .filter(old -> current.stream().noneMatch(old::isSameAs))
            .map(old -> old.isOver() ? old : old.withTimes(old.since(), status.now()))
            .filter(old -> isShown(old, status.now()));
    return Stream.concat(current.stream(), over).limit(MAX_PROBLEMS).toList();
  }

  private static boolean isShown(Problem over, Instant now) {
    Instant overAt = over.overAt();
    return overAt != null && !overAt.plus(SHOWN_AFTER_END).isBefore(now);
  }

  private static Problem withEarlierStart(Problem problem, List<Problem> earlier) {
    return earlier.stream()
        .filter(old -> old.isSameAs(problem) && !old.isOver())
        .filter(old -> old.since().isBefore(problem.since()))
        .findFirst()
        .map(old -> problem.withTimes(old.since(), null))
        .orElse(problem);
  }

  private static Problem problem(
      ProblemId id,
      Instant since,
      long count,
      @Nullable Long of,
      String text,
      Map<String, String> filter) {
    return new Problem(id, since, null, null, null, count, of, null, null, text, filter);
  }

  /** The live tasks, unless they were counted too long ago. */
  private static @Nullable Census census(SystemStatus status) {
    Census census = status.census();
    return census == null || census.at().plus(MAX_CENSUS_AGE).isBefore(status.now())
        ? null
        : census;
  }

  private static List<Problem> due(SystemStatus status) {
    Census census = census(status);
    if (census == null) {
      return List.of();
    }
    List<Problem> problems = new ArrayList<>();
    for (Census.DueTasks due : census.due()) {
      Duration age = Duration.between(due.oldestDueAt(), status.now());
      if (age.compareTo(OLDEST_DUE) > 0 && status.takers(due.claimedAs()) == 0) {
        problems.add(
            new Problem(
                ProblemId.NOBODY_TAKES,
                due.oldestDueAt(),
                null,
                due.kind(),
                null,
                due.count(),
                null,
                null,
                null,
                "Nobody takes %s. %s due, the oldest for %s."
                    .formatted(due.kind(), are(due.count(), "task"), age(age)),
                ProblemFilter.due(census, due.kind())));
      }
    }
    Duration oldest = status.oldestTaken();
    if (oldest.compareTo(OLDEST_DUE) > 0 && isRising(status, oldest)) {
      long count = census.backlog().due();
      problems.add(
          problem(
              ProblemId.BACKLOG_GROWS,
              status.now().minus(oldest),
              count,
              null,
              "The backlog grows. %s due, the oldest for %s."
                  .formatted(are(count, "task"), age(oldest)),
              ProblemFilter.due(census, null)));
    }
    return problems;
  }

  /** Whether the oldest due task got later and later for long enough. */
  private static boolean isRising(SystemStatus status, Duration oldest) {
    Duration later = oldest;
    for (LatenessSample sample : status.lateness().reversed()) {
      if (sample.oldest().compareTo(later) > 0) {
        return false;
      }
      later = sample.oldest();
      if (Duration.between(sample.at(), status.now()).compareTo(RISING_FOR) >= 0) {
        return later.compareTo(oldest) < 0;
      }
    }
    return false;
  }

  private static List<Problem> nodes(SystemStatus status) {
    List<Problem> problems = new ArrayList<>();
    for (NodeDetails node : status.nodes()) {
      Duration silent = Duration.between(node.lastSeen(), status.now());
      Instant deadAt = node.deadAt();
      if (deadAt == null && node.state(status.now()) == NodeDetails.NodeState.LATE) {
        problems.add(
            ofNode(
                ProblemId.NODE_LATE,
                node,
                "Node %s is late. It last reported %s ago.".formatted(node.name(), age(silent))));
      } else if (deadAt != null && !deadAt.plus(DIED_WITHIN).isBefore(status.now())) {
        problems.add(
            ofNode(
                ProblemId.NODE_DIED,
                node,
                "Node %s died. It last reported %s ago.".formatted(node.name(), age(silent))));
      }
    }
    return problems;
  }

  private static Problem ofNode(ProblemId id, NodeDetails node, String text) {
    return new Problem(
        id, node.lastSeen(), null, null, node.name(), 1, null, null, null, text, Map.of());
  }

  private static List<Problem> wave(SystemStatus status) {
    RetryWave wave = status.wave();
    RetryWave.Peak peak = wave == null ? null : wave.peak().orElse(null);
    Double usual = status.attemptsPerMinute();
    double normal = usual == null ? 0 : usual;
    if (wave == null || peak == null || peak.count() < MIN_WAVE || peak.count() <= 3 * normal) {
      return List.of();
    }
    Duration until = Duration.between(status.now(), peak.at());
    String when = until.isPositive() ? "in " + age(until) : "within a minute";
    String compared =
        normal < 1
            ? ""
            : ", about %s times the usual load"
                .formatted(number(Math.round(peak.count() / normal)));
    return List.of(
        problem(
            ProblemId.WAVE,
            status.now(),
            peak.count(),
            null,
            "A wave of %s retries comes %s%s.".formatted(number(peak.count()), when, compared),
            ProblemFilter.wave(wave, peak)));
  }

  private static List<Problem> amplified(SystemStatus status) {
    RollupCounts recent = status.within(WINDOW);
    long retries = recent.total(RollupCounter.RETRIED);
    long started = recent.total(RollupCounter.STARTED);
    if (retries < MIN_AMPLIFIED || retries <= started - retries) {
      return List.of();
    }
    return List.of(
        problem(
            ProblemId.AMPLIFIED,
            status.now(),
            retries,
            started,
            "More retries than new work. %s of %s attempts in the last 5 min were retries."
                .formatted(number(retries), number(started)),
            ProblemFilter.RETRIES));
  }

  private static List<Problem> deadNew(SystemStatus status) {
    long tasks = status.deadLetters().recentTasks();
    long deliveries = status.within(Duration.ofHours(1)).total(RollupCounter.UNDELIVERED);
    if (tasks + deliveries == 0) {
      return List.of();
    }
    String what =
        Stream.of(count(tasks, "task"), count(deliveries, "delivery"))
            .filter(text -> !text.startsWith("0 "))
            .reduce((one, other) -> one + " and " + other)
            .orElse("");
    String verb = tasks + deliveries == 1 ? "was" : "were";
    return List.of(
        problem(
            ProblemId.DEAD_NEW,
            status.now(),
            tasks + deliveries,
            null,
            "%s %s given up in the last hour.".formatted(what, verb),
            tasks == 0 ? Map.of() : ProblemFilter.failed(status.now())));
  }

  private static List<Problem> parked(SystemStatus status) {
    Census census = census(status);
    long parked = census == null ? 0 : census.parked();
    if (parked == 0) {
      return List.of();
    }
    return List.of(
        problem(
            ProblemId.PARKED,
            status.now(),
            parked,
            null,
            "%s parked because no handler can read %s."
                .formatted(are(parked, "task"), parked == 1 ? "it" : "them"),
            ProblemFilter.PARKED));
  }
}
