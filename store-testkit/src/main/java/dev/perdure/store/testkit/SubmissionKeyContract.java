// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Receipt.Answer;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
  private static final Duration KEPT = Submission.KEY_KEPT;

  SubmissionKeyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** The key of this number, for this content. */
  private static Submission.Key key(int number, String content) {
    return new Submission.Key("%08x".formatted(number).repeat(8), content);
  }

  /** Two tasks with ids of their own. */
  private Submission under(Submission.Key key) {
    return under(key, key.shard(shards));
  }

  private Submission under(Submission.Key key, int shard) {
    List<NewRow> rows =
        List.of(
            new NewRow(ids.next(shard), Given.plain("a").definition(), Due.now()),
            new NewRow(ids.next(shard), Given.plain("b").definition(), Due.now()));
    return new Submission(ids.next(shard), rows, key);
  }

  private long tasks() {
    return store.reader().count(TaskFilter.all(), 1_000);
  }

  @Test
  void the_same_key_and_content_are_answered_with_what_came_first() {
    Submission first = under(key(7, "x"));
    assertThat(store.submit(first)).isEqualTo(new Receipt(first.batch(), Answer.STORED));
    Seen before = see(first.tasks().getFirst().id());
    clock.advance(Duration.ofHours(1));

    assertThat(store.submit(under(key(7, "x"))))
        .isEqualTo(new Receipt(first.batch(), Answer.REPEATED));
    assertThat(tasks()).isEqualTo(2);
    assertThat(see(first.tasks().getFirst().id())).isEqualTo(before);
  }

  /** As when the answer to its commit was lost. */
  @Test
  void a_submission_that_comes_again_with_its_own_ids_is_not_a_repetition() {
    Submission first = under(key(7, "x"));
    store.submit(first);

    assertThat(store.submit(first)).isEqualTo(new Receipt(first.batch(), Answer.STORED));
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_content_under_the_same_key_is_not_stored() {
    Submission first = under(key(7, "x"));
    store.submit(first);

    assertThat(store.submit(under(key(7, "y"))))
        .isEqualTo(new Receipt(first.batch(), Answer.OTHER));
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_keys_and_no_key_are_other_submissions() {
    for (int number = 0; number < 10; number++) {
      assertThat(store.submit(under(key(number, "x"))).answer()).isEqualTo(Answer.STORED);
    }
    submit(Given.plain("a"));
    submit(Given.plain("a"));

    assertThat(tasks()).isEqualTo(22);
  }

  @Test
  void a_key_is_free_again_when_its_time_is_over() {
    store.submit(under(key(7, "x")));
    clock.advance(KEPT.minus(MILLI));
    assertThat(store.submit(under(key(7, "y"))).answer()).isEqualTo(Answer.OTHER);

    clock.advance(MILLI);
    Submission next = under(key(7, "y"));
    assertThat(store.submit(next)).isEqualTo(new Receipt(next.batch(), Answer.STORED));
    assertThat(tasks()).isEqualTo(4);

    clock.advance(KEPT.minus(MILLI));
    assertThat(store.submit(under(key(7, "y"))))
        .as("its time counts anew")
        .isEqualTo(new Receipt(next.batch(), Answer.REPEATED));
  }

  @Test
  void keys_whose_time_is_over_are_forgotten_in_steps_and_no_others() {
    for (int number = 0; number < 5; number++) {
      store.submit(under(key(number, "x")));
    }
    clock.advance(KEPT.minus(MILLI));
    Submission last = under(key(9, "x"));
    store.submit(last);
    assertThat(store.sweeps().forget(10)).isZero();

    clock.advance(MILLI);
    assertThat(store.sweeps().forget(3)).isEqualTo(3);
    assertThat(store.sweeps().forget(3)).isEqualTo(2);
    assertThat(store.sweeps().forget(3)).isZero();
    assertThat(store.submit(under(key(9, "x"))))
        .isEqualTo(new Receipt(last.batch(), Answer.REPEATED));
    assertThat(store.submit(under(key(0, "y"))).answer()).isEqualTo(Answer.STORED);
    assertThat(tasks()).as("the tasks stay").isEqualTo(14);
  }

  @Test
  void of_many_at_once_one_is_stored() throws Exception {
    for (int round = 0; round < 10; round++) {
      Submission.Key key = key(round, "x");
      List<Callable<Receipt>> work =
          IntStream.range(0, AT_ONCE)
              .mapToObj(each -> under(key))
              .map(submission -> (Callable<Receipt>) () -> store.submit(submission))
              .toList();
      List<Receipt> receipts = new ArrayList<>();
      try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE)) {
        for (Future<Receipt> future : executor.invokeAll(work, 100, TimeUnit.SECONDS)) {
          receipts.add(future.get());
        }
      }
      assertThat(receipts).extracting(Receipt::batch).containsOnly(receipts.getFirst().batch());
      assertThat(receipts)
          .extracting(Receipt::answer)
          .containsOnlyOnce(Answer.STORED)
          .doesNotContain(Answer.OTHER);
      assertThat(tasks()).isEqualTo(2L * (round + 1));
    }
  }

  @Test
  void a_key_that_was_taken_in_a_transaction_is_free_when_that_is_rolled_back() {
    Submission undone = under(key(7, "x"));
    try (StoreFixture.Begun begun = fixture.begin()) {
      assertThat(begun.transaction().submit(undone).answer()).isEqualTo(Answer.STORED);
    }
    assertThat(tasks()).isZero();

    Submission first = under(key(7, "y"));
    try (StoreFixture.Begun begun = fixture.begin()) {
      assertThat(begun.transaction().submit(first).answer()).isEqualTo(Answer.STORED);
      begun.commit();
    }
    try (StoreFixture.Begun begun = fixture.begin()) {
      assertThat(begun.transaction().submit(under(key(7, "y"))))
          .isEqualTo(new Receipt(first.batch(), Answer.REPEATED));
      begun.commit();
    }
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void a_key_outlives_its_process() {
    UUID first = store.submit(under(key(7, "x"))).batch();
    store.close();

    try (TaskStore again = fixture.reopen()) {
      assertThat(again.submit(under(key(7, "x")))).isEqualTo(new Receipt(first, Answer.REPEATED));
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
            .hasMessageContaining("the key is of shard 5");
      }
    }
    assertThat(tasks()).isEqualTo(2);
  }
}
