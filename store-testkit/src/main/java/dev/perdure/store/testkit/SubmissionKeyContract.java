// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A submission under a key happens once, whoever repeats it. */
@Timeout(120)
abstract class SubmissionKeyContract extends StoreContract {

  private static final int AT_ONCE = 8;
  private static final Duration KEPT = Submission.KEY_RETENTION;

  SubmissionKeyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** The key of this number, for this content. */
  private static Submission.SubmissionKeyDigest key(int number, String content) {
    return new Submission.SubmissionKeyDigest("%08x".formatted(number).repeat(8), content);
  }

  /** Two tasks with ids of their own. */
  private Submission under(Submission.SubmissionKeyDigest submissionKeyDigest) {
    return under(submissionKeyDigest, submissionKeyDigest.shard(shards));
  }

  private Submission under(Submission.SubmissionKeyDigest submissionKeyDigest, int shard) {
    List<NewTaskRow> rows =
        List.of(
            new NewTaskRow(ids.next(shard), TestTask.withoutRetry("a").definition(), Due.now()),
            new NewTaskRow(ids.next(shard), TestTask.withoutRetry("b").definition(), Due.now()));
    return new Submission(ids.next(shard), rows, submissionKeyDigest);
  }

  private static SubmissionReceipt duplicateOf(Submission first) {
    return new SubmissionReceipt(first.batch(), first.stored().ids(), SubmissionStatus.DUPLICATE);
  }

  private long tasks() {
    return store.reader().count(TaskFilter.all(), 1_000);
  }

  @Test
  void the_same_key_and_content_are_answered_with_what_came_first() {
    Submission first = under(key(7, "x"));
    assertThat(store.submit(first)).isEqualTo(first.stored());
    Snapshot before = snapshot(first.tasks().getFirst().id());
    clock.advance(Duration.ofHours(1));

    assertThat(store.submit(under(key(7, "x")))).isEqualTo(duplicateOf(first));
    assertThat(tasks()).isEqualTo(2);
    assertThat(snapshot(first.tasks().getFirst().id())).isEqualTo(before);
  }

  /** As when the answer to its commit was lost. */
  @Test
  void a_submission_that_comes_again_with_its_own_ids_is_not_a_repetition() {
    Submission first = under(key(7, "x"));
    store.submit(first);

    assertThat(store.submit(first)).isEqualTo(first.stored());
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_content_under_the_same_key_is_not_stored() {
    Submission first = under(key(7, "x"));
    store.submit(first);

    assertThat(store.submit(under(key(7, "y"))))
        .isEqualTo(new SubmissionReceipt(first.batch(), List.of(), SubmissionStatus.CONFLICT));
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_keys_and_no_key_are_other_submissions() {
    for (int number = 0; number < 10; number++) {
      assertThat(store.submit(under(key(number, "x"))).status()).isEqualTo(SubmissionStatus.STORED);
    }
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"));

    assertThat(tasks()).isEqualTo(22);
  }

  @Test
  void a_key_is_free_again_when_its_time_is_over() {
    store.submit(under(key(7, "x")));
    clock.advance(KEPT.minus(MILLI));
    assertThat(store.submit(under(key(7, "y"))).status()).isEqualTo(SubmissionStatus.CONFLICT);

    clock.advance(MILLI);
    Submission next = under(key(7, "y"));
    assertThat(store.submit(next)).isEqualTo(next.stored());
    assertThat(tasks()).isEqualTo(4);

    clock.advance(KEPT.minus(MILLI));
    assertThat(store.submit(under(key(7, "y"))))
        .as("its time counts anew")
        .isEqualTo(duplicateOf(next));
  }

  @Test
  void keys_whose_time_is_over_are_forgotten_in_steps_and_no_others() {
    for (int number = 0; number < 5; number++) {
      store.submit(under(key(number, "x")));
    }
    clock.advance(KEPT.minus(MILLI));
    Submission last = under(key(9, "x"));
    store.submit(last);
    assertThat(store.maintenance().purgeSubmissionKeys(10)).isZero();

    clock.advance(MILLI);
    assertThat(store.maintenance().purgeSubmissionKeys(3)).isEqualTo(3);
    assertThat(store.maintenance().purgeSubmissionKeys(3)).isEqualTo(2);
    assertThat(store.maintenance().purgeSubmissionKeys(3)).isZero();
    assertThat(store.submit(under(key(9, "x")))).isEqualTo(duplicateOf(last));
    assertThat(store.submit(under(key(0, "y"))).status()).isEqualTo(SubmissionStatus.STORED);
    assertThat(tasks()).as("the tasks stay").isEqualTo(14);
  }

  @Test
  void of_many_at_once_one_is_stored() throws Exception {
    for (int round = 0; round < 10; round++) {
      Submission.SubmissionKeyDigest submissionKeyDigest = key(round, "x");
      List<Callable<SubmissionReceipt>> work =
          IntStream.range(0, AT_ONCE)
              .mapToObj(each -> under(submissionKeyDigest))
              .map(submission -> (Callable<SubmissionReceipt>) () -> store.submit(submission))
              .toList();
      List<SubmissionReceipt> submissionReceipts = new ArrayList<>();
      try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE)) {
        for (Future<SubmissionReceipt> future : executor.invokeAll(work, 100, TimeUnit.SECONDS)) {
          submissionReceipts.add(future.get());
        }
      }
      assertThat(submissionReceipts)
          .extracting(SubmissionReceipt::batch)
          .containsOnly(submissionReceipts.getFirst().batch());
      assertThat(submissionReceipts)
          .extracting(SubmissionReceipt::ids)
          .containsOnly(submissionReceipts.getFirst().ids());
      assertThat(submissionReceipts)
          .extracting(SubmissionReceipt::status)
          .containsOnlyOnce(SubmissionStatus.STORED)
          .doesNotContain(SubmissionStatus.CONFLICT);
      assertThat(tasks()).isEqualTo(2L * (round + 1));
    }
  }

  @Test
  void a_key_that_was_taken_in_a_transaction_is_free_when_that_is_rolled_back() {
    Submission undone = under(key(7, "x"));
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().submit(undone).status())
          .isEqualTo(SubmissionStatus.STORED);
    }
    assertThat(tasks()).isZero();

    Submission first = under(key(7, "y"));
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().submit(first).status())
          .isEqualTo(SubmissionStatus.STORED);
      openTransaction.commit();
    }
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().submit(under(key(7, "y"))))
          .isEqualTo(duplicateOf(first));
      openTransaction.commit();
    }
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void a_key_outlives_its_process() {
    Submission first = under(key(7, "x"));
    store.submit(first);
    store.close();

    try (TaskStore again = fixture.reopen()) {
      assertThat(again.submit(under(key(7, "x")))).isEqualTo(duplicateOf(first));
      assertThat(again.reader().count(TaskFilter.all(), 10)).isEqualTo(2);
    }
  }

  /** Elsewhere it would not meet itself. */
  @Test
  void a_key_belongs_to_one_shard() {
    for (int shard = 0; shard < shards; shard++) {
      Submission submission = under(key(5, "x"), shard);
      if (shard == 5 % shards) {
        store.submit(submission);
      } else {
        assertThatThrownBy(() -> store.submit(submission))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("the key is in shard 5");
      }
    }
    assertThat(tasks()).isEqualTo(2);
  }
}
