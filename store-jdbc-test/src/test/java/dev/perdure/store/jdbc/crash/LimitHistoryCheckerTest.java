// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.crash.Execution.End;
import dev.perdure.store.jdbc.crash.Execution.EndKind;
import dev.perdure.store.jdbc.crash.History.StoredHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Checks histories of tasks with limits, right ones and wrong ones. */
final class LimitHistoryCheckerTest {

  private static final WorkerRun ALIVE = new WorkerRun("alive", null);
  private static final WorkerRun KILLED = new WorkerRun("killed", at(1_000));
  private static final Limit TWO = Limit.concurrency(2).per("tenant");
  private static final Limit RATE = Limit.rate(10, Duration.ofSeconds(1)).burst(2);

  private final List<StoredHistory> stored = new ArrayList<>();
  private final List<Execution> executions = new ArrayList<>();

  @Test
  void accepts_as_many_executions_at_once_as_the_limit_allows() {
    execute(TWO, "a", 0, 500);
    execute(TWO, "a", 100, 600);
    execute(TWO, "a", 500, 900);
    execute(TWO, "b", 0, 900);
    assertThat(violations()).isEmpty();
  }

  @Test
  void finds_too_many_executions_at_once() {
    execute(TWO, "a", 0, 500);
    execute(TWO, "a", 100, 600);
    execute(TWO, "a", 499, 900);
    assertThat(violations()).containsExactly("concurrency:job[tenant=\"a\"]: 3 of 2 ran at once");
  }

  @Test
  void counts_an_execution_until_its_process_was_killed() {
    executeKilled(TWO, "a", 0);
    executeKilled(TWO, "a", 100);
    execute(TWO, "a", 1_000, 1_100);
    assertThat(violations()).isEmpty();
    execute(TWO, "a", 999, 1_000);
    assertThat(violations()).singleElement().asString().contains("3 of 2 ran at once");
  }

  @Test
  void finds_an_execution_that_never_ended() {
    add(TWO, "a", ALIVE, 0, null);
    execute(TWO, "a", 5_000, 6_000);
    execute(TWO, "a", 5_500, 6_000);
    assertThat(violations()).singleElement().asString().contains("3 of 2 ran at once");
  }

  @Test
  void accepts_a_burst_and_then_the_rate() {
    for (int start : List.of(0, 1, 100, 200, 300, 400)) {
      execute(RATE, "a", start, start + 1);
    }
    assertThat(violations()).isEmpty();
  }

  @Test
  void finds_leases_that_exceed_a_rate_although_no_handler_started() {
    for (int start = 0; start < 5; start++) {
      lease(RATE, start);
    }
    assertThat(violations()).singleElement().asString().contains("rate:job[], leases: 5 starts");
  }

  @Test
  void finds_handlers_that_exceed_a_rate_although_their_leases_do_not() {
    for (int i = 0; i < 13; i++) {
      lease(RATE, i * 100);
      UUID task = stored.getLast().task().id();
      executions.add(execution(task, ALIVE, 2_000, new End(at(2_001), EndKind.SUCCESS)));
    }
    assertThat(violations()).singleElement().asString().contains("handlers: 13 starts");
  }

  @Test
  void finds_a_handler_that_started_before_its_lease() {
    lease(RATE, 100);
    UUID task = stored.getLast().task().id();
    executions.add(execution(task, ALIVE, 99, new End(at(200), EndKind.SUCCESS)));
    assertThat(violations()).singleElement().asString().contains("started before its lease");
  }

  private List<String> violations() {
    History history = new History(Set.of(), stored, List.of(ALIVE, KILLED), executions);
    return new LimitHistoryChecker(history).violations();
  }

  private void execute(Limit limit, String tenant, int start, int end) {
    add(limit, tenant, ALIVE, start, new End(at(end), EndKind.SUCCESS));
  }

  private void executeKilled(Limit limit, String tenant, int start) {
    add(limit, tenant, KILLED, start, null);
  }

  private void add(Limit limit, String tenant, WorkerRun process, int start, End end) {
    UUID task = store(limit, tenant, start);
    executions.add(execution(task, process, start, end));
  }

  private void lease(Limit limit, int start) {
    store(limit, "a", start);
  }

  private UUID store(Limit limit, String tenant, int start) {
    UUID id = new UUID(1, stored.size());
    TaskDefinition definition =
        new TaskDefinition(
            Job.KIND,
            null,
            "{}",
            "{\"tenant\":\"" + tenant + "\"}",
            null,
            null,
            null,
            null,
            null,
            0,
            null,
            null,
            null,
            null,
            null,
            LimitRules.write(List.of(limit), Job.KIND),
            null);
    Attempt lease =
        new Attempt(
            id, 1, 0, "node", at(start), at(9_000), AttemptDetails.of(AttemptOutcome.LOST), null);
    stored.add(
        new StoredHistory(
            HistoryCheckerTest.task(id, definition, TaskState.SUCCESS, 1, null, 9),
            List.of(lease)));
    return id;
  }

  private static Execution execution(UUID task, WorkerRun process, int start, End end) {
    return new Execution(task, 0, 1, "node", process, at(start), end);
  }

  private static Instant at(int millis) {
    return Instant.ofEpochMilli(millis);
  }
}
