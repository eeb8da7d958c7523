// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.perdure.engine.Batch;
import dev.perdure.engine.BatchStopResult;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.UnknownDependencyException;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import dev.perdure.testing.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Graphs of tasks as a user of the engine sees them. */
class TestEngineGraphTest {

  private final TestEngine test = TestEngine.create();
  private final Engine engine = test.engine();
  private final List<String> ran = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();

  TestEngineGraphTest() {
    engine.register("step", String.class, this::run);
  }

  private void run(String name, TaskContext context) {
    ran.add(name);
    if (failing.contains(name)) {
      throw new IllegalStateException(name + " failed");
    }
    context.result(Map.of("from", name));
  }

  private static NewTask step(String id) {
    return NewTask.of("step", id).id(id);
  }

  private Task task(UUID id) {
    return engine.find(id).orElseThrow();
  }

  private List<TaskState> states(List<UUID> ids) {
    return ids.stream().map(id -> task(id).state()).toList();
  }

  @Test
  void a_chain_runs_in_order_whatever_the_order_of_the_submission() {
    List<UUID> ids =
        engine.submit(Batch.of(step("c").after("b"), step("b").after("a"), step("a"))).ids();
    assertThat(states(ids))
        .containsExactly(TaskState.WAITING, TaskState.WAITING, TaskState.PENDING);

    test.runDue();

    assertThat(ran).containsExactly("a", "b", "c");
    assertThat(states(ids)).containsOnly(TaskState.SUCCESS);
  }

  @Test
  void a_diamond_runs_its_last_task_once_after_both_sides() {
    engine.submit(
        Batch.of(step("d").after("b", "c"), step("b").after("a"), step("c").after("a"), step("a")));

    test.runDue();

    assertThat(ran).hasSize(4).startsWith("a").endsWith("d");
  }

  @Test
  void a_fan_in_waits_for_every_parent() {
    List<NewTask> parents = IntStream.range(0, 2_500).mapToObj(i -> step("p" + i)).toList();
    String[] ids =
        parents.stream().map(parent -> "p" + parents.indexOf(parent)).toArray(String[]::new);
    List<NewTask> tasks = new ArrayList<>(parents);
    tasks.add(step("last").after(ids));
    engine.submit(Batch.of(tasks));

    test.runDue();

    assertThat(ran).hasSize(2_501).endsWith("last");
  }

  @Test
  void a_failure_goes_down_to_the_end_except_where_only_the_end_counts() {
    failing.add("a");
    List<UUID> ids =
        engine
            .submit(
                Batch.of(
                    step("a"),
                    step("b").after("a"),
                    step("c").after("b"),
                    step("cleanup").afterEvenIfFailed("b"),
                    step("report").after("cleanup")))
            .ids();

    test.runDue();

    assertThat(ran).containsExactly("a", "cleanup", "report");
    assertThat(ids.subList(0, 3))
        .allSatisfy(id -> assertThat(task(id).state()).isEqualTo(TaskState.FAILURE));
    assertThat(task(ids.get(2)).lastResult().giveUpReason())
        .isEqualTo(TaskGiveUpReason.UPSTREAM_FAILED);
  }

  @Test
  void a_retry_of_a_parent_tells_its_children_nothing() {
    failing.add("a");
    RetryPolicy policy =
        RetryPolicy.fixed(Duration.ofMinutes(1)).jitter(Jitter.none()).maxRetries(1).build();
    UUID child =
        engine.submit(Batch.of(step("a").retry(policy), step("b").after("a"))).ids().getLast();

    test.runDue();
    assertThat(task(child).state()).isEqualTo(TaskState.WAITING);
    failing.clear();
    test.advance(Duration.ofMinutes(1));

    assertThat(ran).containsExactly("a", "a", "b");
  }

  @Test
  void a_revive_brings_the_children_back_and_they_run_once() {
    failing.add("a");
    List<UUID> ids =
        engine.submit(Batch.of(step("a"), step("b").after("a"), step("c").after("b"))).ids();
    test.runDue();
    failing.clear();

    engine.revive(ids.getFirst());
    test.runDue();

    assertThat(ran).containsExactly("a", "a", "b", "c");
    assertThat(states(ids)).containsOnly(TaskState.SUCCESS);
    assertThat(task(ids.getLast()).retryCounters().attempt()).isEqualTo(1);
  }

  @Test
  void a_child_of_a_failed_parent_is_revived_only_if_its_dependencies_are_ignored() {
    failing.add("a");
    List<UUID> ids = engine.submit(Batch.of(step("a"), step("b").after("a"))).ids();
    test.runDue();
    UUID child = ids.getLast();

    assertThatThrownBy(() -> engine.revive(child))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessage(
            "cannot retry task %s, which is Failure: it depends on a (%s), which did not succeed;"
                    .formatted(child, ids.getFirst())
                + " retry that first, or retry with ignore_dependencies");
    engine.reviveIgnoringDependencies(child);
    test.runDue();

    assertThat(ran).containsExactly("a", "b");
    assertThat(task(child).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_resolved_task_lets_its_children_go_on_with_the_operators_result() {
    failing.add("a");
    List<UUID> ids = engine.submit(Batch.of(step("a"), step("b").after("a"))).ids();
    test.runDue();

    engine.resolve(ids.getFirst(), Map.of("from", "ada"), "done by hand");
    test.runDue();

    assertThat(ran).containsExactly("a", "b");
    assertThat(engine.batches().parents(ids.getLast(), null, 10, 1_000))
        .extracting(ParentTask::status, ParentTask::result)
        .containsExactly(tuple(DisplayStatus.SUCCESS, "{\"from\":\"ada\"}"));
    assertThat(engine.attempts(ids.getFirst()).getLast().details().message())
        .isEqualTo("done by hand");
  }

  @Test
  void handlers_read_the_results_of_their_parents_and_the_context_of_the_batch() {
    record Result(String from) {}
    List<Object> read = new ArrayList<>();
    engine.register(
        "read",
        String.class,
        (payload, context) -> {
          read.add(context.parent("a").result(Result.class));
          read.add(context.parents().stream().map(parent -> parent.localId()).toList());
          read.add(context.batch().name());
          read.add(context.batch().context(String.class));
          assertThatThrownBy(() -> context.parent("x"))
              .isInstanceOf(NoSuchElementException.class)
              .hasMessageContaining("does not depend on 'x'");
          UUID stored = context.parents().getFirst().id();
          assertThat(context.parent(stored.toString()).status()).isEqualTo(DisplayStatus.SUCCESS);
        });
    List<UUID> ids =
        engine
            .submit(
                Batch.of(
                        step("a"),
                        step("b"),
                        NewTask.of("read", "").after("a").afterEvenIfFailed("b"))
                    .name("May")
                    .context("31 days"))
            .ids();

    test.runDue();

    assertThat(read).containsExactly(new Result("a"), List.of("a", "b"), "May", "31 days");
    assertThat(states(ids)).containsOnly(TaskState.SUCCESS);
  }

  @Test
  void a_result_that_is_too_large_is_not_passed_on() {
    List<String> read = new ArrayList<>();
    engine.register(
        "large", String.class, (payload, context) -> context.result("x".repeat(64 * 1024)));
    engine.register(
        "read",
        String.class,
        (payload, context) ->
            assertThatThrownBy(() -> context.parent("a").result(String.class))
                .satisfies(problem -> read.add(problem.getMessage())));
    UUID parent =
        engine
            .submit(Batch.of(NewTask.of("large", "").id("a"), NewTask.of("read", "").after("a")))
            .ids()
            .getFirst();

    test.runDue();

    assertThat(read)
        .containsExactly(
            "the result of task %s is larger than 65536 bytes; read it with Engine.find"
                .formatted(parent));
  }

  @Test
  void a_task_can_depend_on_stored_tasks_whatever_became_of_them() {
    failing.add("bad");
    UUID good = engine.submit(step("good"));
    UUID bad = engine.submit(step("bad"));
    test.runDue();
    UUID later = engine.submit(step("later").runIn(Duration.ofMinutes(1)));

    UUID ready = engine.submit(step("ready").after(good).afterEvenIfFailed(bad));
    UUID doomed = engine.submit(step("doomed").after(good).after(bad));
    UUID waiting = engine.submit(step("waiting").after(good).after(later));
    assertThat(states(List.of(ready, doomed, waiting)))
        .containsExactly(TaskState.PENDING, TaskState.WAITING, TaskState.WAITING);
    test.runDue();

    assertThat(states(List.of(ready, doomed, waiting)))
        .containsExactly(TaskState.SUCCESS, TaskState.FAILURE, TaskState.WAITING);
    test.advance(Duration.ofMinutes(1));
    assertThat(task(waiting).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void nothing_is_submitted_when_a_dependency_is_wrong() {
    UUID unknown = new UUID(7L << 12, 1L << 63);
    Batch batch = Batch.of(step("a"), step("b").after("a", "x"));

    assertThat(engine.dependencyProblems(batch)).hasSize(1);
    assertThatThrownBy(() -> engine.submit(batch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tasks[1].after[1]: 'x' is neither");
    assertThatThrownBy(() -> engine.submit(Batch.of(step("a"), step("b").after(unknown))))
        .isInstanceOf(UnknownDependencyException.class)
        .hasMessageContaining(unknown.toString());
    assertThatThrownBy(() -> engine.submit(step("b").after(UUID.randomUUID())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no task");
    assertThat(engine.tasks().count(TaskFilter.all(), 10)).isZero();
  }

  @Test
  void the_context_of_a_batch_is_limited() {
    Batch tooLarge = Batch.of(step("a")).context("x".repeat(Batch.MAX_CONTEXT_BYTES - 1));

    assertThatThrownBy(() -> engine.submit(tooLarge))
        .hasMessage("context: must have at most 65536 bytes of JSON");
    engine.submit(Batch.of(step("a")).context("x".repeat(Batch.MAX_CONTEXT_BYTES - 2)));
  }

  @Test
  void batches_with_the_same_shard_key_can_depend_on_each_other() {
    try (Engine sharded = Engine.on(new InMemoryStore(new FakeClock(), 8))) {
      List<UUID> ids =
          Stream.of("a", "b", "c")
              .map(id -> sharded.submit(Batch.of(step(id)).shardKey("x")).ids().getFirst())
              .toList();

      NewTask last = ids.stream().reduce(step("last"), NewTask::after, (a, b) -> b);
      UUID child = sharded.submit(last);

      assertThat(sharded.find(child).orElseThrow().dependencies().unmet()).isEqualTo(3);
    }
  }

  @Test
  void a_stopped_batch_ends_canceled_throughout() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).build();
    failing.add("retrying");
    List<UUID> ids =
        engine
            .submit(
                Batch.of(
                    step("done"),
                    step("retrying").retry(policy),
                    step("later").runIn(Duration.ofDays(1)),
                    step("child").after("retrying", "later"),
                    step("grandchild").after("child")))
            .ids();
    test.runDue();
    engine.pause(ids.get(2));
    UUID batch = task(ids.getFirst()).batch();

    BatchStopResult stopped = engine.stopBatch(batch);
    test.runDue();

    assertThat(stopped.canceled())
        .isEqualTo(
            Map.of(
                DisplayStatus.RETRY_PENDING, 1L,
                DisplayStatus.PAUSED, 1L,
                DisplayStatus.WAITING, 2L));
    assertThat(stopped.alreadyEnded()).isEqualTo(1);
    BatchSummary summary = engine.batches().find(batch).orElseThrow();
    assertThat(summary.counts())
        .isEqualTo(Map.of(DisplayStatus.SUCCESS, 1L, DisplayStatus.CANCELED, 4L));
    assertThat(summary.stoppedAt()).isEqualTo(test.clock().instant());
    assertThat(engine.stopBatch(batch).alreadyEnded()).isEqualTo(5);
    assertThatThrownBy(() -> engine.stopBatch(new UUID(7L << 12, 1L << 63)))
        .isInstanceOf(NoSuchElementException.class);
  }
}
