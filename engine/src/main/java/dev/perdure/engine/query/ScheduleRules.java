// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static dev.perdure.engine.query.ProblemText.age;
import static dev.perdure.engine.query.ProblemText.count;

import dev.perdure.engine.query.Problem.ProblemId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decides which schedules do not fire as they should. */
final class ScheduleRules {

  private ScheduleRules() {}

  static List<Problem> problems(SystemStatus status) {
    Map<String, List<ScheduleDelay>> byName = new TreeMap<>();
    status
        .delays()
        .forEach(one -> byName.computeIfAbsent(one.name(), any -> new ArrayList<>()).add(one));
    return byName.entrySet().stream()
        .map(entry -> problem(entry.getKey(), entry.getValue(), status.now()))
        .toList();
  }

  private static Problem problem(String name, List<ScheduleDelay> delays, Instant now) {
    Instant first =
        delays.stream().map(ScheduleDelay::at).min(Comparator.naturalOrder()).orElseThrow();
    return new Problem(
        ProblemId.SCHEDULE_MISSED,
        first,
        null,
        null,
        name,
        delays.stream().mapToLong(ScheduleDelay::firings).sum(),
        null,
        null,
        null,
        delays.stream()
            .filter(delay -> delay.firing() == null)
            .findFirst()
            .map(overdue -> overdue(overdue, now))
            .orElseGet(() -> delayed(name, delays, now)),
        Map.of());
  }

  private static String overdue(ScheduleDelay delay, Instant now) {
    String late = age(Duration.between(delay.scheduledFor(), now));
    return delay.problem() == null
        ? "Schedule %s has not fired. It has been due for %s.".formatted(delay.name(), late)
        : "Schedule %s cannot fire. It has been due for %s: %s"
            .formatted(delay.name(), late, delay.problem());
  }

  private static String delayed(String name, List<ScheduleDelay> delays, Instant now) {
    Instant last =
        delays.stream().map(ScheduleDelay::at).max(Comparator.naturalOrder()).orElseThrow();
    long firings = delays.stream().mapToLong(ScheduleDelay::firings).sum();
    return "Schedule %s skipped or delayed %s in the last hour, the last one %s ago."
        .formatted(name, count(firings, "firing"), age(Duration.between(last, now)));
  }
}
