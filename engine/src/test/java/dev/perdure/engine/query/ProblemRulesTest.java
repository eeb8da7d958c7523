// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.SystemStatus.LatenessSample;
import dev.perdure.engine.query.SystemStatus.MinuteCounts;
import dev.perdure.engine.schedule.Firing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemRulesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:30Z");
  private static final UUID ID = new UUID(0, 1);

  private final List<MinuteCounts> minutes = new ArrayList<>();
  private final List<LatenessSample> lateness = new ArrayList<>();
  private final List<NodeDetails> nodes = new ArrayList<>();
  private final List<ScheduleDelay> delays = new ArrayList<>();
  private List<Census.DueTasks> due = List.of();
  private long parked;
  private Duration censusAge = Duration.ZERO;
  private @Nullable RetryWave wave;
  private DeadLetters dead = new DeadLetters(0, 0, 0);

  private List<Problem> problems(Instant now, List<Problem> earlier) {
    Census census =
        new Census(
            now.minus(censusAge),
            new Backlog(Map.of(), 5, 0, Map.of()),
            due,
            parked,
            Map.of(),
            null,
            false);
    return ProblemRules.problems(
        new SystemStatus(now, minutes, census, lateness, wave, dead, nodes, delays), earlier);
  }

  private List<String> texts() {
    return problems(NOW, List.of()).stream().map(Problem::text).toList();
  }

  private List<ProblemId> ids() {
    return problems(NOW, List.of()).stream().map(Problem::id).toList();
  }

  private RollupCounts minute(int ago) {
    RollupCounts counts = new RollupCounts();
    minutes.add(0, new MinuteCounts(NOW.minusSeconds(30 + 60L * ago), counts));
    minutes.sort(Comparator.comparing(MinuteCounts::at));
    return counts;
  }

  private void ended(int ago, String kind, int succeeded, int failed) {
    RollupCounts counts = minute(ago);
    counts.addToKind(kind, RollupCounter.SUCCEEDED, succeeded);
    counts.addToKind(kind, RollupCounter.FAILED, failed);
  }

  private void node(String name, String kinds, Instant seenAt, @Nullable Instant deadAt) {
    nodes.add(
        new NodeDetails(
            new UUID(1, nodes.size()),
            name,
            List.of(kinds),
            new NodeLoad("1", 8, 0, List.of("remote")),
            NOW.minusSeconds(900),
            seenAt,
            NOW.plusSeconds(900),
            deadAt));
  }

  @Test
  void nothing_is_wrong_with_nothing() {
    assertThat(ids()).isEmpty();
  }

  @Test
  void a_store_that_is_away_is_the_only_problem() {
    assertThat(ProblemRules.storeAway(NOW, false))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.id().level()).isEqualTo(Problem.ProblemLevel.TROUBLE);
              assertThat(problem.text())
                  .isEqualTo(
                      "The database cannot be reached. Tasks are safe, but nothing starts until it"
                          + " is back.");
            });
  }

  @ParameterizedTest
  @CsvSource({"10, 10, true", "9, 10, false", "11, 10, false", "10, 9, false", "0, 2000, true"})
  void a_kind_fails_with_20_attempts_of_which_half_failed(int good, int bad, boolean failing) {
    ended(1, "card", good, bad);

    assertThat(ids().contains(ProblemId.KIND_FAILING)).isEqualTo(failing);
  }

  @Test
  void a_failing_kind_says_since_when() {
    ended(7, "card", 50, 0);
    ended(6, "card", 0, 5);
    ended(2, "card", 200, 1_200);

    Problem problem = problems(NOW, List.of()).getFirst();
    assertThat(problem.text())
        .isEqualTo("card is failing. 1,200 of 1,400 attempts failed in the last 5 min.");
    assertThat(problem.since()).isEqualTo(NOW.minusSeconds(30 + 6 * 60));
    assertThat(problem.filter())
        .isEqualTo(Map.of("kind", "=card", "status", "Failure,RetryPending"));
  }

  @ParameterizedTest
  @CsvSource({
    // In the hour before, 2 of 100 attempts failed.
    "47, 3, true",
    "46, 3, false",
    "94, 6, true",
    "95, 5, false",
    "96, 4, false"
  })
  void a_kind_is_degraded_with_50_attempts_and_three_times_the_failures(
      int good, int bad, boolean degraded) {
    ended(30, "card", 98, 2);
    ended(1, "card", good, bad);

    assertThat(ids().contains(ProblemId.KIND_DEGRADED)).isEqualTo(degraded);
  }

  @ParameterizedTest
  @CsvSource({
    "60000, mail, false",
    "60001, mail, true",
    "60001, resize, false",
    "60001, remote, false"
  })
  void nobody_takes_a_kind_that_is_due_for_a_minute(long dueForMs, String kind, boolean told) {
    node("api-1", "resize", NOW, null);
    due = List.of(new Census.DueTasks(kind, null, 41, NOW.minusMillis(dueForMs)));

    assertThat(ids().contains(ProblemId.NOBODY_TAKES)).isEqualTo(told);
  }

  @Test
  void a_dead_node_takes_nothing_and_a_queue_counts_instead_of_the_kind() {
    node("api-1", "queue:a", NOW.minusSeconds(800), NOW.minusSeconds(700));
    due = List.of(new Census.DueTasks("mail", "queue:a", 1, NOW.minusSeconds(360)));

    assertThat(texts()).containsExactly("Nobody takes mail. 1 task is due, the oldest for 6 min.");
  }

  @ParameterizedTest
  @CsvSource({
    "61, 180, 10, true",
    "60, 180, 10, false",
    "61, 179, 10, false",
    "61, 180, 61, false"
  })
  void the_backlog_grows_when_the_oldest_task_gets_later_for_three_minutes(
      int oldest, int sampleAgo, int sampleOldest, boolean told) {
    node("api-1", "mail", NOW, null);
    due = List.of(new Census.DueTasks("mail", null, 5, NOW.minusSeconds(oldest)));
    lateness.add(new LatenessSample(NOW.minusSeconds(sampleAgo), Duration.ofSeconds(sampleOldest)));
    lateness.add(new LatenessSample(NOW.minusSeconds(60), Duration.ofSeconds(sampleOldest)));

    assertThat(ids().contains(ProblemId.BACKLOG_GROWS)).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({"100, 33, true", "100, 34, false", "99, 0, false", "102, 34, false", "103, 34, true"})
  void a_wave_is_100_retries_and_more_than_three_times_the_usual(
      long retries, int usual, boolean told) {
    minute(2).add(RollupCounter.STARTED, usual);
    wave(8, retries);

    assertThat(ids().contains(ProblemId.WAVE)).isEqualTo(told);
  }

  private void wave(int minute, long retries) {
    List<Long> counts = new ArrayList<>(Collections.nCopies(60, 0L));
    counts.set(minute, retries);
    wave =
        new RetryWave(
            NOW, NOW.minusSeconds(30), Duration.ofMinutes(1), 0, 0, false, counts, List.of());
  }

  @Test
  void a_wave_says_when_it_comes() {
    minute(1).add(RollupCounter.STARTED, 310);
    wave(8, 1_240);

    assertThat(texts())
        .containsExactly("A wave of 1,240 retries comes in 7 min, about 4 times the usual load.");
  }

  @ParameterizedTest
  @CsvSource({"20, 39, true", "20, 40, false", "19, 19, false"})
  void more_retries_than_first_attempts_amplify_the_load(int retried, int started, boolean told) {
    RollupCounts counts = minute(1);
    counts.add(RollupCounter.RETRIED, retried);
    counts.add(RollupCounter.STARTED, started);

    assertThat(ids().contains(ProblemId.AMPLIFIED)).isEqualTo(told);
  }

  @Test
  void tasks_and_deliveries_that_were_given_up_are_told() {
    dead = new DeadLetters(10, 3, 2);
    minute(59).add(RollupCounter.UNDELIVERED, 1);
    assertThat(texts()).containsExactly("3 tasks and 1 delivery were given up in the last hour.");

    minutes.clear();
    dead = new DeadLetters(10, 1, 2);
    assertThat(texts()).containsExactly("1 task was given up in the last hour.");
    dead = new DeadLetters(10, 0, 2);
    assertThat(texts()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"10000, false", "10001, true"})
  void a_node_is_late_after_ten_seconds(long silentMs, boolean late) {
    node("api-3", "mail", NOW.minusMillis(silentMs), null);

    assertThat(ids().contains(ProblemId.NODE_LATE)).isEqualTo(late);
  }

  @ParameterizedTest
  @CsvSource({"600000, true", "600001, false"})
  void a_node_that_died_is_told_for_ten_minutes(long agoMs, boolean told) {
    node("api-3", "mail", NOW.minusSeconds(14), NOW.minusMillis(agoMs));

    assertThat(ids().contains(ProblemId.NODE_DIED)).isEqualTo(told);
    if (told) {
      assertThat(texts()).containsExactly("Node api-3 died. It last reported 14 s ago.");
    }
  }

  @Test
  void parked_tasks_and_delayed_schedules_are_told() {
    parked = 2;
    Firing late =
        new Firing(
            NOW.minusSeconds(300), false, NOW.minusSeconds(200), Firing.Outcome.FIRED, ID, 0);
    delays.add(ScheduleDelay.of(ID, "nightly", late));

    assertThat(texts())
        .containsExactly(
            "Schedule nightly skipped or delayed 1 firing in the last hour, the last one 3 min ago.",
            "2 tasks are parked because no handler can read them.");
  }

  @Test
  void a_schedule_that_cannot_fire_says_why() {
    delays.add(ScheduleDelay.overdue(ID, "nightly", NOW.minusSeconds(90), null));
    delays.add(ScheduleDelay.overdue(ID, "weekly", NOW.minusSeconds(20), "the template is broken"));

    assertThat(texts())
        .containsExactly(
            "Schedule nightly has not fired. It has been due for 90 s.",
            "Schedule weekly cannot fire. It has been due for 20 s: the template is broken");
  }

  @Test
  void a_firing_that_stands_for_missed_ones_counts_them() {
    Firing caughtUp =
        new Firing(NOW.minusSeconds(30), false, NOW.minusSeconds(29), Firing.Outcome.FIRED, ID, 4);
    delays.add(ScheduleDelay.of(ID, "nightly", caughtUp));

    assertThat(texts())
        .containsExactly(
            "Schedule nightly skipped or delayed 4 firings in the last hour, the last one 29 s"
                + " ago.");
  }

  @Test
  void a_count_of_live_tasks_that_is_out_of_date_says_nothing() {
    parked = 1;
    censusAge = Duration.ofMinutes(2);
    assertThat(ids()).containsExactly(ProblemId.PARKED);

    censusAge = Duration.ofMinutes(2).plusMillis(1);
    assertThat(ids()).isEmpty();
  }

  @Test
  void the_filters_list_the_tasks_of_the_sentences() {
    parked = 1;
    dead = new DeadLetters(1, 1, 0);
    due = List.of(new Census.DueTasks("mail", null, 1, NOW.minusSeconds(61)));
    wave(8, 100);

    assertThat(problems(NOW, List.of()))
        .extracting(Problem::filter)
        .containsExactly(
            Map.of(
                "kind", "=mail",
                "status", "Pending,RetryPending",
                "due_before", "2026-03-01T12:00:30.001Z"),
            Map.of(
                "status", "RetryPending",
                "due_after", "2026-03-01T12:07:59.999Z",
                "due_before", "2026-03-01T12:09:00.000Z"),
            Map.of("status", "Failure", "ended_after", "2026-03-01T11:00:30.000Z"),
            Map.of("parked", "true"));
  }

  @Test
  void at_most_five_are_told_and_the_worst_first() {
    parked = 1;
    dead = new DeadLetters(1, 1, 0);
    for (int i = 0; i < 4; i++) {
      ended(1, "kind " + i, 0, 20 + i);
    }

    assertThat(problems(NOW, List.of()))
        .extracting(Problem::id, Problem::kind)
        .containsExactly(
            tuple(ProblemId.KIND_FAILING, "kind 3"),
            tuple(ProblemId.KIND_FAILING, "kind 2"),
            tuple(ProblemId.KIND_FAILING, "kind 1"),
            tuple(ProblemId.KIND_FAILING, "kind 0"),
            tuple(ProblemId.DEAD_NEW, null));
  }

  @Test
  void a_problem_that_is_over_is_told_for_two_minutes() {
    parked = 1;
    List<Problem> first = problems(NOW, List.of());
    List<Problem> second = problems(NOW.plusSeconds(10), first);
    assertThat(second.getFirst().since()).isEqualTo(NOW);

    parked = 0;
    Instant end = NOW.plusSeconds(20);
    List<Problem> over = problems(end, second);
    assertThat(over).singleElement().extracting(Problem::overAt).isEqualTo(end);
    assertThat(problems(end.plusSeconds(120), over)).isEqualTo(over);
    assertThat(problems(end.plusMillis(120_001), over)).isEmpty();

    parked = 1;
    assertThat(problems(end.plusSeconds(5), over))
        .singleElement()
        .satisfies(
            again -> {
              assertThat(again.overAt()).isNull();
              assertThat(again.since()).isEqualTo(end.plusSeconds(5));
            });
  }
}
