// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskRow;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a task can learn about the tasks that it depends on. */
abstract class ParentContract extends GraphContract {

  ParentContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private NewTaskRow row(int shard, String kind, @Nullable String name, @Nullable String localId) {
    return new NewTaskRow(
        ids.next(shard),
        new TaskDefinition(
            kind, name, "{}", null, null, null, null, null, null, 0, null, localId, null, null,
            null),
        DueTime.now());
  }

  private List<ParentTask> withResults(UUID child, @Nullable UUID after, int limit) {
    return store.batches().parents(child, after, limit, ParentTask.MAX_RESULT_BYTES);
  }

  @Test
  void parents_are_read_with_their_results() {
    int shard = nextShard();
    List<NewTaskRow> rows =
        List.of(
            row(shard, "a", "Import", "import"),
            row(shard, "b", null, null),
            row(shard, "c", null, null),
            row(shard, "d", null, null));
    List<UUID> tasks = rows.stream().map(NewTaskRow::id).toList();
    UUID child = tasks.get(3);
    store.submit(
        new Submission(
            ids.next(shard),
            BatchDefinition.NONE,
            rows,
            List.of(
                new Dependency(tasks.get(2), child, true),
                new Dependency(tasks.get(1), child, false),
                new Dependency(tasks.get(0), child, true)),
            null));
    settle(running("a"), new Outcome.Succeeded("{\"rows\": 3}"));
    settle(running("b"), FAILED_FOR_GOOD);
    propagate();

    List<ParentTask> expected =
        List.of(
            new ParentTask(
                tasks.get(0),
                "import",
                "Import",
                "a",
                DisplayStatus.SUCCESS,
                true,
                DependencyOutcome.SUCCEEDED,
                "{\"rows\": 3}",
                false),
            new ParentTask(
                tasks.get(1),
                null,
                null,
                "b",
                DisplayStatus.FAILURE,
                false,
                DependencyOutcome.FAILED,
                null,
                false),
            new ParentTask(
                tasks.get(2), null, null, "c", DisplayStatus.PENDING, true, null, null, false));
    assertThat(withResults(child, null, LIMIT)).isEqualTo(expected);
    assertThat(withResults(child, null, 2)).isEqualTo(expected.subList(0, 2));
    assertThat(withResults(child, tasks.get(1), 2)).isEqualTo(expected.subList(2, 3));
    assertThat(withResults(child, tasks.get(2), 2)).isEmpty();
    assertThat(withResults(tasks.getFirst(), null, LIMIT)).isEmpty();
    assertThat(store.batches().parents(child, LIMIT))
        .extracting(ParentTask::result, ParentTask::resultOmitted)
        .containsExactly(tuple(null, true), tuple(null, false), tuple(null, false));
  }

  @Test
  void a_result_is_passed_on_up_to_64_kilobytes() {
    List<UUID> tasks = graph("0>2 1>2");
    String large = "\"" + "ä".repeat(ParentTask.MAX_RESULT_BYTES / 2 - 1) + "\"";
    String tooLarge = "\"" + "ä".repeat(ParentTask.MAX_RESULT_BYTES / 2 - 1) + "x\"";
    settle(run(tasks.get(0)), new Outcome.Succeeded(large));
    settle(run(tasks.get(1)), new Outcome.Succeeded(tooLarge));

    List<ParentTask> parents = withResults(tasks.get(2), null, LIMIT);
    assertThat(parents.get(0).result()).isEqualTo(large);
    assertThat(parents.get(0).resultOmitted()).isFalse();
    assertThat(parents.get(1).result()).isNull();
    assertThat(parents.get(1).resultOmitted()).isTrue();
    assertThat(find(tasks.get(1)).lastResult().result()).isEqualTo(tooLarge);
  }

  @Test
  void parents_are_found_by_local_id_and_by_uuid() {
    int shard = nextShard();
    NewTaskRow elsewhere = row(shard, "e", null, "elsewhere");
    submit(shard, List.of(elsewhere));
    NewTaskRow wanted = row(shard, "w", "Wanted", "import");
    NewTaskRow other = row(shard, "o", null, "other");
    NewTaskRow notOne = row(shard, "n", null, "not a parent");
    NewTaskRow child = row(shard, "c", null, "child");
    submit(
        shard,
        List.of(wanted, other, notOne, child),
        new Dependency(wanted.id(), child.id(), true),
        new Dependency(other.id(), child.id(), true),
        new Dependency(elsewhere.id(), child.id(), false));
    settle(running("w"), new Outcome.Succeeded("[7]"));
    propagate();

    ParentTask expected =
        new ParentTask(
            wanted.id(),
            "import",
            "Wanted",
            "w",
            DisplayStatus.SUCCESS,
            true,
            DependencyOutcome.SUCCEEDED,
            "[7]",
            false);
    assertThat(store.batches().namedParents(child.id(), Set.of("import")))
        .isEqualTo(Map.of("import", expected));
    String id = elsewhere.id().toString().toUpperCase(Locale.ROOT);
    Map<String, ParentTask> found =
        store
            .batches()
            .namedParents(
                child.id(),
                Set.of(
                    "import",
                    wanted.id().toString(),
                    id,
                    "elsewhere",
                    "not a parent",
                    notOne.id().toString(),
                    "unknown"));
    assertThat(found).containsOnlyKeys("import", wanted.id().toString(), id);
    assertThat(found.get(wanted.id().toString())).isEqualTo(expected);
    assertThat(found.get(id)).extracting(ParentTask::id).isEqualTo(elsewhere.id());
    assertThat(store.batches().namedParents(wanted.id(), Set.of("import"))).isEmpty();
    assertThat(store.batches().namedParents(ids.next(shard), Set.of("import"))).isEmpty();
  }

  @Test
  void a_lease_says_whether_the_task_has_parents() {
    List<UUID> tasks = graph("0>1 0~2");
    Lease first = lease(tasks.getFirst());
    assertThat(first.hasParents()).isFalse();
    settle(first.task(), SUCCEEDED);
    propagate();
    UUID late = after(tasks.getFirst());

    for (UUID child : List.of(tasks.get(1), tasks.get(2), late)) {
      assertThat(lease(child).hasParents()).isTrue();
    }
  }

  private Lease lease(UUID id) {
    return store
        .claim(
            new ClaimRequest(
                new LeaseOwner.RemoteOwner("worker", Duration.ofMinutes(1)),
                capacities(1, queue(id)),
                1,
                true))
        .leases()
        .getFirst();
  }

  @Test
  void the_end_of_a_task_that_only_has_parents_is_not_recorded() {
    List<UUID> tasks = graph("0>1");
    succeed(tasks.getFirst());
    propagate();
    succeed(tasks.getLast());

    assertThat(propagateOnce().events()).isZero();
  }

  private UUID submit(int shard, List<NewTaskRow> rows, Dependency... dependencies) {
    UUID batch = ids.next(shard);
    store.submit(new Submission(batch, BatchDefinition.NONE, rows, List.of(dependencies), null));
    return batch;
  }

  @Test
  void a_local_id_means_the_task_of_the_same_run() {
    int shard = nextShard();
    NewTaskRow parent = row(shard, "p", null, "import");
    NewTaskRow child = row(shard, "c", null, "report");
    UUID batch =
        submit(shard, List.of(parent, child), new Dependency(parent.id(), child.id(), true));
    settle(running("p"), SUCCEEDED);
    propagate();
    settle(running("c"), SUCCEEDED);
    propagate();
    assertThat(store.batches().runAgain(new DueRun(batch, 1))).isTrue();
    assertThat(store.batches().startRun(new DueRun(batch, 1), () -> ids.next(shard))).isEqualTo(2);

    List<UUID> copies =
        store
            .reader()
            .list(TaskFilter.all().withBatch(batch).withRun(1), PageRequest.first(10))
            .tasks()
            .stream()
            .map(TaskRow::id)
            .sorted(IdOrder.BYTEWISE)
            .toList();
    assertThat(store.batches().namedParents(copies.get(1), Set.of("import")).get("import"))
        .extracting(ParentTask::id)
        .isEqualTo(copies.getFirst());
    assertThat(store.batches().namedParents(child.id(), Set.of("import")).get("import"))
        .extracting(ParentTask::id)
        .isEqualTo(parent.id());
  }
}
