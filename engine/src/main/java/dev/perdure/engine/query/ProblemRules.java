// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static dev.perdure.engine.query.ProblemText.age;
import static dev.perdure.engine.query.ProblemText.are;
import static dev.perdure.engine.query.ProblemText.count;
import static dev.perdure.engine.query.ProblemText.number;

import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.SystemStatus.LatenessSample;
import dev.perdure.engine.query.SystemStatus.MinuteCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  static final Duration WINDOW = Duration.ofMinutes(5);
  static final Duration OLDEST_DUE = Duration.ofSeconds(60);
  static final Duration RISING_FOR = Duration.ofMinutes(3);
  static final Duration DIED_WITHIN = Duration.ofMinutes(10);
  static final long MIN_FAILING = 20;
  static final long MIN_DEGRADED = 50;
  static final long MIN_WAVE = 100;

  /** The retries of a quiet night are not worth a warning. */
  static final long MIN_AMPLIFIED = 20;

  private static final String KIND = "kind";
  private static final String STATUS = "status";

  private ProblemRules() {}

  /** The answer while the store cannot be read or written, which hides everything else. */
  public static List<Problem> storeAway(Instant since) {
    return List.of(
        problem(
            ProblemId.STORE_AWAY,
            since,
            0,
            null,
            "The database cannot be reached. Tasks are safe, but"
                + " nothing starts until it is back.",
            Map.of()));
  }

  /**
   * The problems, the worst first. One that is over is told for two more minutes.
   *
   * @param earlier the last answer
   */
  public static List<Problem> problems(SystemStatus status, List<Problem> earlier) {
    List<Problem> current =
        Stream.of(
                kinds(status),
                due(status),
                nodes(status),
                wave(status),
                amplified(status),
                deadNew(status),
                schedules(status),
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
    return new Problem(id, since, null, null, null, count, of, text, filter);
  }

  private static List<Problem> kinds(SystemStatus status) {
    RollupCounts recent = status.within(WINDOW);
    List<Problem> problems = new ArrayList<>();
    for (String kind : recent.kinds()) {
      long ended = recent.ended(kind);
      long failed = recent.ofKind(kind, RollupCounter.FAILED);
      if (ended >= MIN_FAILING && 2 * failed >= ended) {
        problems.add(
            ofKind(
                ProblemId.KIND_FAILING,
                failingSince(status, kind),
                kind,
                failed,
                ended,
                "%s is failing. %s of %s attempts failed in the last 5 min."
                    .formatted(kind, number(failed), number(ended))));
      } else if (ended >= MIN_DEGRADED && 20 * failed >= ended) {
        degraded(status, recent, kind).forEach(problems::add);
      }
    }
    return problems;
  }

  private static Problem ofKind(
      ProblemId id, Instant since, String kind, long count, Long of, String text) {
    return new Problem(
        id,
        since,
        null,
        kind,
        null,
        count,
        of,
        text,
        Map.of(KIND, kind, STATUS, "Failure,RetryPending"));
  }

  /** The start of the last minutes in a row in which half of the attempts failed. */
  private static Instant failingSince(SystemStatus status, String kind) {
    Instant since = status.now();
    for (MinuteCounts minute : status.minutes().reversed()) {
      long ended = minute.counts().ended(kind);
      if (ended > 0 && 2 * minute.counts().ofKind(kind, RollupCounter.FAILED) < ended) {
        break;
      }
      since = ended > 0 ? minute.at() : since;
    }
    return since;
  }

  private static Stream<Problem> degraded(SystemStatus status, RollupCounts recent, String kind) {
    long ended = recent.ended(kind);
    long failed = recent.ofKind(kind, RollupCounter.FAILED);
    RollupCounts hour = status.within(Duration.ofHours(1));
    long endedBefore = hour.ended(kind) - ended;
    long failedBefore = hour.ofKind(kind, RollupCounter.FAILED) - failed;
    // failed / ended >= 3 x failedBefore / endedBefore; without earlier attempts, that is unknown.
    if (endedBefore == 0 || failed * endedBefore < 3 * failedBefore * ended) {
      return Stream.empty();
    }
    return Stream.of(
        ofKind(
            ProblemId.KIND_DEGRADED,
            status.now(),
            kind,
            failed,
            ended,
            "%s fails more often than usual. %s of %s attempts failed in the last 5 min."
                .formatted(kind, number(failed), number(ended))));
  }

  private static List<Problem> due(SystemStatus status) {
    Census census = status.census();
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
                "Nobody takes %s. %s due, the oldest for %s."
                    .formatted(due.kind(), are(due.count(), "task"), age(age)),
                Map.of(KIND, due.kind(), STATUS, "Pending,RetryPending")));
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
              Map.of()));
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
    return new Problem(id, node.lastSeen(), null, null, node.name(), 1, null, text, Map.of());
  }

  private static List<Problem> wave(SystemStatus status) {
    RetryWave wave = status.wave();
    RetryWave.Peak peak = wave == null ? null : wave.peak().orElse(null);
    Double usual = status.attemptsPerMinute();
    double normal = usual == null ? 0 : usual;
    if (peak == null || peak.count() < MIN_WAVE || peak.count() <= 3 * normal) {
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
            Map.of(STATUS, "RetryPending")));
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
            Map.of(STATUS, "RetryPending")));
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
            tasks == 0 ? Map.of() : Map.of(STATUS, "Failure")));
  }

  private static List<Problem> schedules(SystemStatus status) {
    Map<String, List<ScheduleDelay>> byName = new TreeMap<>();
    status
        .delays()
        .forEach(one -> byName.computeIfAbsent(one.name(), any -> new ArrayList<>()).add(one));
    List<Problem> problems = new ArrayList<>();
    byName.forEach(
        (name, delays) -> {
          Instant last =
              delays.stream()
                  .map(one -> one.firing().firedAt())
                  .max(Comparator.naturalOrder())
                  .orElseThrow();
          Instant first =
              delays.stream()
                  .map(one -> one.firing().firedAt())
                  .min(Comparator.naturalOrder())
                  .orElseThrow();
          String text =
              "Schedule %s skipped or delayed %s in the last hour, the last one %s ago."
                  .formatted(
                      name,
                      count(delays.size(), "firing"),
                      age(Duration.between(last, status.now())));
          problems.add(
              new Problem(
                  ProblemId.SCHEDULE_MISSED,
                  first,
                  null,
                  null,
                  name,
                  delays.size(),
                  null,
                  text,
                  Map.of()));
        });
    return problems;
  }

  private static List<Problem> parked(SystemStatus status) {
    long parked = status.census() == null ? 0 : status.census().parked();
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
            Map.of(STATUS, "Paused")));
  }
}
