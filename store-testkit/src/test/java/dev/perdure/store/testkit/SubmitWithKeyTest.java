// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.SubmissionKeyConflictException;
import dev.perdure.engine.UnknownDependencyException;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import dev.perdure.testing.InMemoryTransaction;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Submissions with a submission key. */
class SubmitWithKeyTest {

  private static final SubmissionKey KEY = SubmissionKey.of("order 42");
  private static final NewTask MAIL = NewTask.of("mail", Map.of("to", "ada"));

  private final FakeClock clock = new FakeClock();
  private final InMemoryStore store = new InMemoryStore(clock, 8);
  private final Engine engine = Engine.on(store);

  @AfterEach
  void close() {
    engine.close();
  }

  private long tasks() {
    return engine.tasks().count(TaskFilter.all(), 100);
  }

  @Test
  void the_same_tasks_are_stored_once() {
    SubmissionReceipt first = engine.submitAll(List.of(MAIL, MAIL), KEY);
    SubmissionReceipt again = engine.submitAll(List.of(MAIL, MAIL), KEY);

    assertThat(first.status()).isEqualTo(SubmissionStatus.STORED);
    assertThat(again)
        .isEqualTo(new SubmissionReceipt(first.batch(), first.ids(), SubmissionStatus.DUPLICATE));
    assertThat(
            engine
                .tasks()
                .list(TaskFilter.all().withBatch(first.batch()), PageRequest.first(10))
                .tasks())
        .extracting(TaskRow::id)
        .containsExactlyElementsOf(first.ids().reversed());
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void other_tasks_with_the_same_key_are_a_conflict_that_names_the_first_batch() {
    SubmissionReceipt first = engine.submitAll(List.of(MAIL), KEY);

    assertThatThrownBy(() -> engine.submitAll(List.of(MAIL.name("x")), KEY))
        .isInstanceOfSatisfying(
            SubmissionKeyConflictException.class,
            conflict -> assertThat(conflict.batch()).isEqualTo(first.batch()));
    assertThatThrownBy(() -> engine.submitAll(List.of(MAIL, MAIL), KEY))
        .isInstanceOf(SubmissionKeyConflictException.class);
    assertThat(tasks()).isEqualTo(1);
  }

  @Test
  void one_task_is_stored_once() {
    UUID id = engine.submit(MAIL, KEY);

    assertThat(engine.submit(MAIL, KEY)).isEqualTo(id);
    assertThat(tasks()).isEqualTo(1);
  }

  @Test
  void a_key_works_in_the_callers_transaction() {
    try (InMemoryTransaction rolledBack = store.begin()) {
      engine.submit(MAIL.name("never"), KEY, rolledBack);
    }
    UUID id;
    try (InMemoryTransaction transaction = store.begin()) {
      id = engine.submit(MAIL, KEY, transaction);
      assertThat(engine.submit(MAIL, KEY, transaction)).isEqualTo(id);
      transaction.commit();
    }
    try (InMemoryTransaction transaction = store.begin()) {
      assertThat(engine.submit(Batch.of(MAIL), KEY, transaction).ids()).containsExactly(id);
      assertThatThrownBy(() -> engine.submit(MAIL.name("x"), KEY, transaction))
          .isInstanceOf(SubmissionKeyConflictException.class);
      transaction.commit();
    }
    assertThat(tasks()).isEqualTo(1);
  }

  @Test
  void scope_and_key_are_compared_separately() {
    for (String[] names : new String[][] {{"", "ab"}, {"a", "b"}, {"ab", "c"}, {"a", "bc"}}) {
      SubmissionKey key = new SubmissionKey(names[0], names[1], null);
      assertThat(engine.submitAll(List.of(MAIL), key).status()).isEqualTo(SubmissionStatus.STORED);
    }
    assertThat(tasks()).isEqualTo(4);
  }

  @Test
  void explicit_content_is_compared_instead_of_the_tasks() {
    engine.submitAll(List.of(MAIL), new SubmissionKey("", "k", "x"));

    assertThat(
            engine.submitAll(List.of(MAIL.actions("{}")), new SubmissionKey("", "k", "x")).status())
        .isEqualTo(SubmissionStatus.DUPLICATE);
    assertThatThrownBy(() -> engine.submitAll(List.of(MAIL), new SubmissionKey("", "k", "y")))
        .isInstanceOf(SubmissionKeyConflictException.class);
  }

  @Test
  void a_key_has_1_to_255_characters() {
    assertThatThrownBy(() -> SubmissionKey.of("")).hasMessageContaining("1 to 255 characters");
    assertThatThrownBy(() -> SubmissionKey.of("x".repeat(256)))
        .hasMessageContaining("1 to 255 characters");
    engine.submitAll(List.of(MAIL), SubmissionKey.of("x".repeat(255)));
  }

  @Test
  void a_repeated_graph_gets_the_same_ids_in_the_order_of_the_caller() {
    Batch graph = Batch.of(MAIL.id("c").after("b"), MAIL.id("a"), MAIL.id("b").after("a"));
    SubmissionReceipt first = engine.submit(graph, KEY);

    assertThat(engine.submit(graph, KEY).ids()).isEqualTo(first.ids());
    assertThat(first.ids().stream().map(id -> engine.find(id).orElseThrow().definition().localId()))
        .containsExactly("c", "a", "b");
    assertThat(tasks()).isEqualTo(3);
  }

  @Test
  void a_graph_with_other_dependencies_is_a_conflict() {
    engine.submit(Batch.of(MAIL.id("a"), MAIL.after("a")), KEY);

    assertThatThrownBy(
            () -> engine.submit(Batch.of(MAIL.id("a"), MAIL.afterEvenIfFailed("a")), KEY))
        .isInstanceOf(SubmissionKeyConflictException.class);
  }

  @Test
  void another_name_or_context_of_the_batch_is_a_conflict() {
    engine.submit(Batch.of(MAIL).name("x"), KEY);

    assertThatThrownBy(() -> engine.submit(Batch.of(MAIL), KEY))
        .isInstanceOf(SubmissionKeyConflictException.class);
    assertThatThrownBy(() -> engine.submit(Batch.of(MAIL).name("x").context(1), KEY))
        .isInstanceOf(SubmissionKeyConflictException.class);
  }

  @Test
  void a_repetition_is_found_in_the_shard_of_its_parents() {
    UUID parent = engine.submit(MAIL);
    SubmissionReceipt first = engine.submit(Batch.of(MAIL.after(parent)), KEY);

    assertThat(Shards.of(first.batch())).isEqualTo(Shards.of(parent));
    assertThat(engine.isSubmitted(KEY)).isTrue();
    assertThat(engine.submit(Batch.of(MAIL.after(parent)), KEY).batch()).isEqualTo(first.batch());
    assertThatThrownBy(() -> engine.submit(Batch.of(MAIL), KEY))
        .isInstanceOf(SubmissionKeyConflictException.class);
  }

  @Test
  void an_unknown_parent_leaves_the_key_free() {
    UUID unknown = new UUID(7L << 12, 1L << 63);

    assertThatThrownBy(() -> engine.submit(MAIL.after(unknown), KEY))
        .isInstanceOfSatisfying(
            UnknownDependencyException.class,
            refused -> assertThat(refused.tasks()).containsExactly(unknown));
    assertThat(engine.isSubmitted(KEY)).isFalse();
    assertThat(tasks()).isZero();
  }
}
