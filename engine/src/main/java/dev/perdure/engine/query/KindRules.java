// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static dev.perdure.engine.query.ProblemText.number;

import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.SystemStatus.MinuteCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Decides which kinds of tasks fail too often. */
final class KindRules {

  static final long MIN_FAILING = 20;
  static final long MIN_DEGRADED = 50;

  private KindRules() {}

  static List<Problem> problems(SystemStatus status) {
    RollupCounts recent = status.within(ProblemRules.WINDOW);
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
        id, since, null, kind, null, count, of, null, null, text, ProblemFilter.failing(kind));
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
}
