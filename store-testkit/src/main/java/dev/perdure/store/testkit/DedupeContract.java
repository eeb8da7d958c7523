// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.Submission.SubmissionKeyDigest;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Only one live task has a dedupe key. */
abstract class DedupeContract extends KeyedTasks {

  private static final int THREADS = 8;
  private static final SubmissionKeyDigest REPEATABLE =
      new SubmissionKeyDigest("%064x".formatted(7), "content");

  DedupeContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_second_task_is_answered_with_the_live_one() {
    Submission first = batch(row(KEY));
    assertThat(store.submit(first)).isEqualTo(first.stored());

    Submission second = batch(row(KEY));
    assertThat(store.submit(second))
        .isEqualTo(
            new SubmissionReceipt(
                first.batch(), first.stored().ids(), SubmissionStatus.STORED, Set.of(0)));

    assertThat(store.reader().find(second.tasks().getFirst().id())).isEmpty();
    assertThat(store.batches().find(second.batch())).as("no batch without tasks").isEmpty();
    assertThat(find(first.stored().ids().getFirst()).definition().dedupeKey()).isEqualTo(KEY);
  }

  @Test
  void every_live_state_keeps_the_key_and_every_end_frees_it() {
    UUID first = submitKeyed(KEY);
    Task running = start(first);
    assertThat(submitKeyed(KEY)).as("running").isEqualTo(first);
    settle(running, SUCCEEDED);
    UUID second = submitKeyed(KEY);
    assertThat(second).as("after a success").isNotEqualTo(first);
    cancel(second);
    UUID third = submitKeyed(KEY);
    assertThat(third).as("after a cancel").isNotEqualTo(second);
    fail(third);
    assertThat(holder(KEY)).isNull();
    Submission retrying =
        batch(
            new NewTaskRow(
                ids.next(shard),
                keyed("again", KEY, "{}", TestTask.retrying("again").policy(), null),
                DueTime.now()));
    UUID fourth = store.submit(retrying).ids().getFirst();
    assertThat(fourth).as("after a failure").isNotEqualTo(third);
    settle(running("again"), FAILED);
    assertThat(find(fourth).state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(submitKeyed(KEY)).as("while a retry waits").isEqualTo(fourth);
    assertThat(holder(KEY)).isEqualTo(fourth);
  }

  @Test
  void a_key_holds_within_its_shard() {
    UUID first = submitKeyed(KEY);
    UUID id = ids.next(0);
    SubmissionReceipt receipt =
        store.submit(
            new Submission(ids.next(0), List.of(new NewTaskRow(id, keyed(KEY), DueTime.now()))));
    assertThat(receipt.ids()).containsExactly(shard == 0 ? first : id);
    assertThat(holder(KEY)).isEqualTo(first);
  }

  @Test
  void only_the_duplicates_of_a_batch_are_left_out() {
    UUID existing = submitKeyed(KEY);
    Submission mixed = batch(row("other"), row(KEY), row(null), row("other"));

    SubmissionReceipt receipt = store.submit(mixed);

    List<UUID> own = mixed.tasks().stream().map(NewTaskRow::id).toList();
    assertThat(receipt)
        .isEqualTo(
            new SubmissionReceipt(
                mixed.batch(),
                List.of(own.get(0), existing, own.get(2), own.get(0)),
                SubmissionStatus.STORED,
                Set.of(1, 3)));
    assertThat(receipt.stored()).isEqualTo(2);
    assertThat(store.batches().find(mixed.batch()).orElseThrow().tasks()).isEqualTo(2);
  }

  @Test
  void a_large_batch_with_duplicates_is_stored() {
    UUID existing = submitKeyed("key 17");
    NewTaskRow[] rows =
        IntStream.range(0, 2_500).mapToObj(i -> row("key " + i)).toArray(NewTaskRow[]::new);

    SubmissionReceipt receipt = store.submit(batch(rows));

    assertThat(receipt.duplicates()).containsExactly(17);
    assertThat(receipt.ids().get(17)).isEqualTo(existing);
    assertThat(holder("key 2499")).isEqualTo(rows[2_499].id());
  }

  @Nested
  class Dependencies {

    @Test
    void on_a_duplicate_are_dependencies_on_the_live_task() {
      UUID existing = submitKeyed(KEY);
      Submission graph = DedupeContract.this.graph(BatchDefinition.NONE, "0>1", KEY, "");

      UUID child = store.submit(graph).ids().get(1);

      assertThat(find(child).state()).isEqualTo(TaskState.WAITING);
      assertThat(store.batches().parents(child, LIMIT))
          .singleElement()
          .satisfies(parent -> assertThat(parent.id()).isEqualTo(existing));
      settle(start(existing), SUCCEEDED);
      propagate();
      assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
    }

    @Test
    void on_a_duplicate_fail_with_the_live_task() {
      UUID existing = submitKeyed(KEY);
      Submission graph = DedupeContract.this.graph(BatchDefinition.NONE, "0>1 0~2", KEY, "", "");
      List<UUID> tasks = store.submit(graph).ids();

      cancel(existing);
      propagate();

      assertThat(find(tasks.get(1)).state()).isEqualTo(TaskState.FAILURE);
      assertThat(find(tasks.get(2)).state()).isEqualTo(TaskState.PENDING);
    }

    @Test
    void of_a_duplicate_are_left_out() {
      UUID existing = submitKeyed(KEY);
      Submission graph = DedupeContract.this.graph(BatchDefinition.NONE, "0>1", "", KEY);

      assertThat(store.submit(graph).ids().get(1)).isEqualTo(existing);

      assertThat(find(existing).state()).isEqualTo(TaskState.PENDING);
      assertThat(store.batches().parents(existing, LIMIT)).isEmpty();
    }

    @Test
    void on_two_tasks_that_turn_out_to_be_one_require_its_success_if_either_did() {
      UUID existing = submitKeyed(KEY);
      Submission graph = DedupeContract.this.graph(BatchDefinition.NONE, "0~2 1>2", KEY, KEY, "");

      UUID child = store.submit(graph).ids().get(2);

      assertThat(store.batches().parents(child, LIMIT))
          .singleElement()
          .satisfies(
              parent -> {
                assertThat(parent.id()).isEqualTo(existing);
                assertThat(parent.requiresSuccess()).isTrue();
              });
      assertCounted(child);
    }

    @Test
    void within_a_batch_bind_to_the_first_task_with_the_key() {
      Submission graph =
          DedupeContract.this.graph(BatchDefinition.NONE, "0>1 1>2 2>3", KEY, "", KEY, "");

      List<UUID> tasks = store.submit(graph).ids();

      assertThat(tasks.get(2)).isEqualTo(tasks.get(0));
      assertThat(store.batches().parents(tasks.get(3), LIMIT))
          .singleElement()
          .satisfies(parent -> assertThat(parent.id()).isEqualTo(tasks.get(0)));
      settle(start(tasks.getFirst()), SUCCEEDED);
      propagate();
      assertThat(find(tasks.get(1)).state()).isEqualTo(TaskState.PENDING);
      assertThat(find(tasks.get(3)).state()).isEqualTo(TaskState.PENDING);
    }

    @Test
    void on_unknown_tasks_store_nothing() {
      submitKeyed(KEY);
      UUID unknown = ids.next(shard);
      NewTaskRow duplicate = row(KEY);
      NewTaskRow child = row("child");
      Submission submission =
          new Submission(
              ids.next(shard),
              BatchDefinition.NONE,
              List.of(duplicate, child),
              List.of(new Dependency(unknown, child.id(), true)),
              null);

      assertThat(store.submit(submission)).isEqualTo(submission.unknownParents(List.of(unknown)));
      assertThat(holder("child")).isNull();
    }
  }

  @Nested
  class Repeated {

    @Test
    void a_submission_is_not_a_duplicate_of_itself() {
      Submission first = batch(row(KEY), row("other"));
      store.submit(first);
      assertThat(store.submit(first)).isEqualTo(first.stored());
      cancel(first.tasks().getFirst().id());
      assertThat(store.submit(first)).as("after an end").isEqualTo(first.stored());
      assertThat(holder(KEY)).isNull();
    }

    @Test
    void a_submission_gets_the_same_answer_when_the_live_task_has_ended() {
      UUID existing = submitKeyed(KEY);
      Submission mixed = batch(row(KEY), row("other"));
      SubmissionReceipt receipt = store.submit(mixed);
      cancel(existing);

      assertThat(store.submit(mixed)).isEqualTo(receipt);
      assertThat(holder(KEY)).isNull();
    }

    @Test
    void a_key_of_the_submission_answers_with_the_same_tasks() {
      UUID existing = submitKeyed(KEY);
      SubmissionReceipt mixed = store.submit(batch(REPEATABLE, row(KEY), row("other")));
      cancel(existing);

      SubmissionReceipt again = store.submit(batch(REPEATABLE, row(KEY), row("other")));

      assertThat(again)
          .isEqualTo(
              new SubmissionReceipt(
                  mixed.batch(), mixed.ids(), SubmissionStatus.DUPLICATE, Set.of(0)));
      assertThat(holder(KEY)).isNull();
    }

    @Test
    void a_key_of_the_submission_is_taken_also_when_all_tasks_are_duplicates() {
      UUID existing = submitKeyed(KEY);
      SubmissionReceipt first = store.submit(batch(REPEATABLE, row(KEY)));
      assertThat(first.stored()).isZero();
      assertThat(store.isSubmitted(REPEATABLE)).isTrue();
      cancel(existing);

      SubmissionReceipt again = store.submit(batch(REPEATABLE, row(KEY)));

      assertThat(again)
          .isEqualTo(
              new SubmissionReceipt(
                  first.batch(), List.of(existing), SubmissionStatus.DUPLICATE, Set.of(0)));
      assertThat(holder(KEY)).isNull();
      assertThat(
              store
                  .submit(batch(new SubmissionKeyDigest(REPEATABLE.id(), "other"), row(KEY)))
                  .status())
          .isEqualTo(SubmissionStatus.CONFLICT);
    }

    @Test
    void a_submission_without_duplicates_keeps_its_own_answer() {
      Submission first = batch(REPEATABLE, row(KEY));
      store.submit(first);

      assertThat(store.submit(batch(REPEATABLE, row(KEY))))
          .isEqualTo(
              new SubmissionReceipt(
                  first.batch(), first.stored().ids(), SubmissionStatus.DUPLICATE));
    }
  }

  @Nested
  class CallersTransactions {

    @Test
    void a_rollback_frees_the_key() {
      try (StoreFixture.OpenTransaction open = fixture.begin()) {
        assertThat(open.transaction().submit(batch(row(KEY))).stored()).isOne();
        assertThat(open.transaction().submit(batch(row(KEY))).stored()).isZero();
      }
      assertThat(holder(KEY)).isNull();
      assertThat(store.submit(batch(row(KEY))).stored()).isOne();
    }

    @Test
    void a_commit_keeps_the_key_and_what_was_replaced() {
      UUID existing = submitKeyed(KEY);
      try (StoreFixture.OpenTransaction open = fixture.begin()) {
        NewTaskRow replacing = replacing(keyed(KEY, "2", null), DueTime.now());
        assertThat(open.transaction().submit(batch(replacing)).ids()).containsExactly(existing);
        assertThat(open.transaction().submit(batch(row("new"))).stored()).isOne();
        open.commit();
      }
      assertThat(find(existing).definition().payload()).isEqualTo("2");
      assertThat(holder("new")).isNotNull();
      assertThat(store.submit(batch(row("new"))).stored()).isZero();
    }
  }

  @Test
  void only_one_of_many_concurrent_submissions_is_stored() throws Exception {
    for (int round = 0; round < 10; round++) {
      String key = "round " + round;
      List<Submission> submissions =
          IntStream.range(0, THREADS).mapToObj(each -> batch(row(key), row("b" + key))).toList();
      List<Callable<SubmissionReceipt>> submits =
          submissions.stream()
              .map(submission -> (Callable<SubmissionReceipt>) () -> store.submit(submission))
              .toList();
      List<SubmissionReceipt> receipts = new ArrayList<>();
      try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
        for (Future<SubmissionReceipt> future :
            executor.invokeAll(submits, 100, TimeUnit.SECONDS)) {
          receipts.add(future.get());
        }
      }
      UUID existing = receipts.getFirst().ids().getFirst();
      assertThat(holder(key)).isEqualTo(existing);
      assertThat(receipts)
          .extracting(SubmissionReceipt::ids)
          .containsOnly(receipts.getFirst().ids());
      assertThat(receipts).extracting(SubmissionReceipt::stored).containsOnlyOnce(2);
      assertThat(receipts.stream().mapToInt(SubmissionReceipt::stored).sum()).isEqualTo(2);
      assertThat(receipts).extracting(SubmissionReceipt::batch).containsOnly(batchOf(existing));
      cancel(existing);
      assertThat(store.submit(batch(row(key))).stored()).as("free after the end").isOne();
    }
  }
}
