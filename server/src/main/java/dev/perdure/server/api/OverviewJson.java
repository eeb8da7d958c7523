// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.Problem;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.query.SystemStatus;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.InstantText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The overview as JSON. */
final class OverviewJson {

  private static final int MAX_KINDS = 50;
  private static final int SPARK_POINTS = 30;
  private static final Duration RECENT = Duration.ofMinutes(5);
  private static final Duration HOUR = Duration.ofHours(1);

  private OverviewJson() {}

  static ObjectNode toJson(OverviewCollector.Overview overview, String version) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("now", InstantText.of(overview.now()))
            .put("version", version);
    ArrayNode problems = json.putArray("problems");
    overview.problems().forEach(problem -> problems.add(problem(problem)));
    SystemStatus status = overview.status();
    addCensus(json, status == null ? null : status.census());
    addDead(json.putObject("dead"), status);
    addHour(json.putObject("hour"), status);
    ArrayNode kinds = json.putArray("kinds");
    ObjectNode slots = json.putObject("slots");
    if (status == null) {
      slots.put("busy", 0).put("of", 0);
    } else {
      addKinds(kinds, status, overview.problems());
      addSlots(slots, status);
    }
    return json;
  }

  private static ObjectNode problem(Problem problem) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", problem.id().text())
            .put("level", problem.id().level().text())
            .put("since", InstantText.of(problem.since()))
            .put("over_at", text(problem.overAt()))
            .put("kind", problem.kind())
            .put("name", problem.name())
            .put("count", problem.count())
            .put("of", problem.of())
            .put("error", problem.error())
            .put("error_title", problem.errorTitle())
            .put("text", problem.text());
    ObjectNode filter = json.putObject("filter");
    problem.filter().forEach(filter::put);
    return json;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : InstantText.of(instant);
  }

  private static void addCensus(ObjectNode json, @Nullable Census census) {
    ObjectNode live = json.putObject("live");
    for (DisplayStatus status : DisplayStatus.values()) {
      if (status.states().stream().anyMatch(TaskState::isLive)) {
        live.put(status.toString(), census == null ? 0 : count(census, status));
      }
    }
    Instant oldest =
        census == null
            ? null
            : census.due().stream()
                .map(Census.DueTasks::oldestDueAt)
                .min(Comparator.naturalOrder())
                .orElse(null);
    json.put("due", census == null ? 0 : census.backlog().due())
        .put("oldest_due_at", text(oldest))
        .put("parked", census == null ? 0 : census.parked())
        .put("capped", census != null && census.capped())
        .put("counted_at", census == null ? null : InstantText.of(census.at()))
        .put("next_retry_at", census == null ? null : text(census.nextRetryAt()));
  }

  private static long count(Census census, DisplayStatus status) {
    return status == DisplayStatus.RETRY_PENDING
        ? census.retriesByKind().values().stream().mapToLong(Long::longValue).sum()
        : census.backlog().byStatus().getOrDefault(status, 0L);
  }

  private static void addDead(ObjectNode json, @Nullable SystemStatus status) {
    json.put("tasks", status == null ? 0 : status.deadLetters().tasks())
        .put("tasks_1h", status == null ? 0 : status.deadLetters().recentTasks())
        .put("deliveries", status == null ? 0 : status.deadLetters().deliveries())
        .put(
            "deliveries_1h",
            status == null ? 0 : status.within(HOUR).total(RollupCounter.UNDELIVERED));
  }

  private static void addHour(ObjectNode json, @Nullable SystemStatus status) {
    RollupCounts hour = status == null ? new RollupCounts() : status.within(HOUR);
    for (RollupCounter counter :
        List.of(
            RollupCounter.SUBMITTED,
            RollupCounter.SUCCEEDED,
            RollupCounter.FAILED,
            RollupCounter.RETRIED,
            RollupCounter.GAVE_UP,
            RollupCounter.LOST)) {
      json.put(counter.text(), hour.total(counter));
    }
  }

  private static void addKinds(ArrayNode json, SystemStatus status, List<Problem> problems) {
    RollupCounts recent = status.within(RECENT);
    RollupCounts hour = status.within(HOUR);
    Census census = status.census();
    Set<String> kinds = new HashSet<>(hour.kinds());
    if (census != null) {
      kinds.addAll(census.retriesByKind().keySet());
      census.due().forEach(due -> kinds.add(due.kind()));
    }
    Set<String> troubled = new HashSet<>();
    problems.stream().map(Problem::kind).filter(Objects::nonNull).forEach(troubled::add);
    kinds.stream()
        .sorted(
            Comparator.comparing((String kind) -> !troubled.contains(kind))
                .thenComparing(Comparator.comparingLong(recent::ended).reversed())
                .thenComparing(Comparator.comparingLong(hour::activity).reversed())
                .thenComparing(Comparator.naturalOrder()))
        .limit(MAX_KINDS)
        .forEach(kind -> json.add(kind(kind, recent, census, status)));
  }

  private static ObjectNode kind(
      String kind, RollupCounts recent, @Nullable Census census, SystemStatus status) {
    List<Census.DueTasks> due =
        census == null
            ? List.of()
            : census.due().stream().filter(one -> one.kind().equals(kind)).toList();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", kind)
            .put("attempts", recent.ended(kind))
            .put("failed", recent.ofKind(kind, RollupCounter.FAILED))
            .put("waiting", census == null ? 0 : census.retriesByKind().getOrDefault(kind, 0L))
            .put("due", due.stream().mapToLong(Census.DueTasks::count).sum())
            .put("takers", takers(kind, due, status));
    ArrayNode spark = json.putArray("spark");
    Instant last = RollupStep.MINUTE.startOf(status.now());
    for (int i = SPARK_POINTS - 1; i >= 0; i--) {
      Instant at = last.minus(RollupStep.MINUTE.length().multipliedBy(i));
      spark.add(
          status.minutes().stream()
              .filter(minute -> minute.at().equals(at))
              .mapToLong(minute -> minute.counts().ended(kind))
              .sum());
    }
    return json;
  }

  /** Null if it is unknown whether its tasks are claimed by kind or from a queue. */
  private static @Nullable Long takers(
      String kind, List<Census.DueTasks> due, SystemStatus status) {
    long byKind = status.takers(kind);
    if (byKind > 0 || due.isEmpty()) {
      return byKind > 0 ? byKind : null;
    }
    return due.stream().mapToLong(one -> status.takers(one.claimedAs())).min().orElseThrow();
  }

  private static void addSlots(ObjectNode json, SystemStatus status) {
    long busy = 0;
    long of = 0;
    for (NodeDetails node : status.nodes()) {
      if (node.state(status.now()) != NodeDetails.NodeState.DEAD && node.load() != null) {
        busy += node.load().busy();
        of += node.load().slots();
      }
    }
    json.put("busy", busy).put("of", of);
  }
}
