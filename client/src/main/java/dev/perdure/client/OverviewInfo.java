// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is wrong on the server, and what it does.
 *
 * @param now the time of the database
 * @param problems the worst first
 * @param live live tasks by status
 * @param due tasks that a worker could claim
 * @param capped whether counting stopped because there are too many live tasks
 * @param dead tasks and deliveries that were given up: {@code tasks}, {@code tasks_1h}, {@code
 *     deliveries}, {@code deliveries_1h}
 * @param hour what all nodes did in the last hour: {@code submitted}, {@code succeeded}, {@code
 *     failed}, {@code retried}, {@code gave_up}, {@code lost}
 * @param slots {@code busy} and {@code of}
 */
public record OverviewInfo(
    Instant now,
    String version,
    List<ProblemInfo> problems,
    Map<String, Long> live,
    long due,
    @Nullable Instant oldestDueAt,
    @Nullable Instant nextRetryAt,
    boolean capped,
    Map<String, Long> dead,
    Map<String, Long> hour,
    Map<String, Long> slots) {

  /**
   * One problem.
   *
   * @param id for example {@code kind_failing}
   * @param level {@code trouble} or {@code warning}
   * @param overAt when it was over; null while it lasts
   * @param errorTitle the error that most of its tasks had; null if that is unknown
   */
  public record ProblemInfo(
      String id,
      String level,
      Instant since,
      @Nullable Instant overAt,
      @Nullable String errorTitle,
      String text) {

    static ProblemInfo of(JsonNode json) {
      JsonFields problem = new JsonFields(json);
      return new ProblemInfo(
          problem.required("id", problem::text),
          problem.required("level", problem::text),
          problem.required("since", problem::instant),
          problem.instant("over_at"),
          problem.text("error_title"),
          problem.required("text", problem::text));
    }

    /** Whether it is serious and lasts. */
    public boolean isTrouble() {
      return overAt == null && level.equals("trouble");
    }
  }

  /** Whether something serious is wrong now. */
  public boolean hasTrouble() {
    return problems.stream().anyMatch(ProblemInfo::isTrouble);
  }

  /** Reads the server's JSON. */
  public static OverviewInfo of(JsonNode json) {
    JsonFields overview = new JsonFields(json);
    return new OverviewInfo(
        overview.required("now", overview::instant),
        overview.required("version", overview::text),
        overview.list("problems", ProblemInfo::of),
        overview.counts("live"),
        overview.count("due"),
        overview.instant("oldest_due_at"),
        overview.instant("next_retry_at"),
        overview.flag("capped"),
        overview.counts("dead"),
        overview.counts("hour"),
        overview.counts("slots"));
  }
}
