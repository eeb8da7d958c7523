// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DueTime;
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

/** A submission with a key is stored once, however often it is repeated. */
@Timeout(120)
abstract class SubmissionKeyContract extends StoreContract {

  private static final int THREADS = 8;
  private static final Duration RETENTION = Submission.KEY_RETENTION;

  SubmissionKeyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Returns the key with this number for this content. */
  private static Submission.SubmissionKeyDigest key(int number, String content) {
    return new Submission.SubmissionKeyDigest("%08x".formatted(number).repeat(8), content);
  }

  /** Creates a submission of two tasks with new ids. */
  private Submission withKey(Submission.SubmissionKeyDigest key) {
    return withKey(key, key.shard(shards));
  }

  private Submission withKey(Submission.SubmissionKeyDigest key, int shard) {
    List<NewTaskRow> rows =
        List.of(
            new NewTaskRow(ids.next(shard), TestTask.withoutRetry("a").definition(), DueTime.now()),
            new NewTaskRow(
                ids.next(shard), TestTask.withoutRetry("b").definition(), DueTime.now()));
    return new Submission(ids.next(shard), rows, key);
  }

  private static SubmissionReceipt duplicateOf(Submission first) {
    return new SubmissionReceipt(first.batch(), first.stored().ids(), SubmissionStatus.DUPLICATE);
  }

  private long tasks() {
    return store.reader().count(TaskFilter.all(), 1_000);
  }

  @Test
  void the_same_key_and_content_return_the_first_batch() {
    Submission first = withKey(key(7, "x"));
    assertThat(store.submit(first)).isEqualTo(first.stored());
    Snapshot before = snapshot(first.tasks().getFirst().id());
    clock.advance(Duration.ofHours(1));

    assertThat(store.submit(withKey(key(7, "x")))).isEqualTo(duplicateOf(first));
    assertThat(tasks()).isEqualTo(2);
    assertThat(snapshot(first.tasks().getFirst().id())).isEqualTo(before);
  }

  @Test
  void a_key_is_known_until_it_expires() {
    Submission.SubmissionKeyDigest key = key(7, "x");
    assertThat(store.isSubmitted(key)).isFalse();
    store.submit(withKey(key));

    assertThat(store.isSubmitted(key(7, "y"))).as("whatever the content").isTrue();
    assertThat(store.isSubmitted(key(8, "x"))).isFalse();
    clock.advance(RETENTION.minus(MILLI));
    assertThat(store.isSubmitted(key)).isTrue();
    clock.advance(MILLI);
    assertThat(store.isSubmitted(key)).isFalse();
  }

  /** An engine repeats a submission if it did not receive the response to the commit. */
  @Test
  void the_same_submission_again_is_not_a_duplicate() {
    Submission first = withKey(key(7, "x"));
    store.submit(first);

    assertThat(store.submit(first)).isEqualTo(first.stored());
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_content_with_the_same_key_is_a_conflict() {
    Submission first = withKey(key(7, "x"));
    store.submit(first);

    assertThat(store.submit(withKey(key(7, "y"))))
        .isEqualTo(new SubmissionReceipt(first.batch(), List.of(), SubmissionStatus.CONFLICT));
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_keys_and_missing_keys_are_separate_submissions() {
    for (int number = 0; number < 10; number++) {
      assertThat(store.submit(withKey(key(number, "x"))).status())
          .isEqualTo(SubmissionStatus.STORED);
    }
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"));

    assertThat(tasks()).isEqualTo(22);
  }

  @Test
  void a_key_is_free_again_after_its_retention() {
    store.submit(withKey(key(7, "x")));
    clock.advance(RETENTION.minus(MILLI));
    assertThat(store.submit(withKey(key(7, "y"))).status()).isEqualTo(SubmissionStatus.CONFLICT);

    clock.advance(MILLI);
    Submission next = withKey(key(7, "y"));
    assertThat(store.submit(next)).isEqualTo(next.stored());
    assertThat(tasks()).isEqualTo(4);

    clock.advance(RETENTION.minus(MILLI));
    assertThat(store.submit(withKey(key(7, "y"))))
        .as("its retention starts again")
        .isEqualTo(duplicateOf(next));
  }

  @Test
  void only_expired_keys_are_deleted_up_to_the_limit() {
    for (int number = 0; number < 5; number++) {
      store.submit(withKey(key(number, "x")));
    }
    clock.advance(RETENTION.minus(MILLI));
    Submission last = withKey(key(9, "x"));
    store.submit(last);
    assertThat(store.maintenance().purgeSubmissionKeys(10)).isZero();

    clock.advance(MILLI);
    assertThat(store.maintenance().purgeSubmissionKeys(3)).isEqualTo(3);
    assertThat(store.maintenance().purgeSubmissionKeys(3)).isEqualTo(2);
    assertThat(store.maintenance().purgeSubmissionKeys(3)).isZero();
    assertThat(store.submit(withKey(key(9, "x")))).isEqualTo(duplicateOf(last));
    assertThat(store.submit(withKey(key(0, "y"))).status()).isEqualTo(SubmissionStatus.STORED);
    assertThat(tasks()).as("the tasks are kept").isEqualTo(14);
  }

  @Test
  void only_one_of_many_concurrent_submissions_is_stored() throws Exception {
    for (int round = 0; round < 10; round++) {
      Submission.SubmissionKeyDigest key = key(round, "x");
      List<Callable<SubmissionReceipt>> submits =
          IntStream.range(0, THREADS)
              .mapToObj(each -> withKey(key))
              .map(submission -> (Callable<SubmissionReceipt>) () -> store.submit(submission))
              .toList();
      List<SubmissionReceipt> receipts = new ArrayList<>();
      try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
        for (Future<SubmissionReceipt> future :
            executor.invokeAll(submits, 100, TimeUnit.SECONDS)) {
          receipts.add(future.get());
        }
      }
      assertThat(receipts)
          .extracting(SubmissionReceipt::batch)
          .containsOnly(receipts.getFirst().batch());
      assertThat(receipts)
          .extracting(SubmissionReceipt::ids)
          .containsOnly(receipts.getFirst().ids());
      assertThat(receipts)
          .extracting(SubmissionReceipt::status)
          .containsOnlyOnce(SubmissionStatus.STORED)
          .doesNotContain(SubmissionStatus.CONFLICT);
      assertThat(tasks()).isEqualTo(2L * (round + 1));
    }
  }

  @Test
  void a_rollback_frees_the_key() {
    Submission rolledBack = withKey(key(7, "x"));
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().submit(rolledBack).status())
          .isEqualTo(SubmissionStatus.STORED);
    }
    assertThat(tasks()).isZero();

    Submission first = withKey(key(7, "y"));
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().submit(first).status())
          .isEqualTo(SubmissionStatus.STORED);
      openTransaction.commit();
    }
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().submit(withKey(key(7, "y"))))
          .isEqualTo(duplicateOf(first));
      openTransaction.commit();
    }
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void a_key_can_be_repeated_in_one_transaction() {
    Submission first = withKey(key(7, "x"));
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      openTransaction.transaction().submit(first);
      assertThat(openTransaction.transaction().submit(withKey(key(7, "x"))))
          .isEqualTo(duplicateOf(first));
      assertThat(openTransaction.transaction().submit(withKey(key(7, "y"))).status())
          .isEqualTo(SubmissionStatus.CONFLICT);
      openTransaction.commit();
    }
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void a_key_survives_a_restart() {
    Submission first = withKey(key(7, "x"));
    store.submit(first);
    store.close();

    try (TaskStore again = fixture.reopen()) {
      assertThat(again.submit(withKey(key(7, "x")))).isEqualTo(duplicateOf(first));
      assertThat(again.reader().count(TaskFilter.all(), 10)).isEqualTo(2);
    }
  }
}
