// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.engine.task.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Submitted tasks are stored once and unchanged. */
abstract class SubmitContract extends StoreContract {

  private static final TaskDefinition FULL =
      new TaskDefinition(
          "grüße",
          "Überweisung № 7 – 支払い 💶 %_'\"\\",
          "{\"an\": \"Ärzte\", \"text\": \"\\u0001 <&> 💶\n\"}",
          "{\"mandant\": \"zażółć\"}",
          "{\"backoff\": {\"type\": \"immediate\"}}",
          "{\"strategy\": \"größe\"}",
          "immediate",
          Duration.ofMillis(61_001),
          Instant.parse("2027-01-01T00:00:00.001Z"),
          -1000,
          "schlüssel",
          "lokal",
          "perdure:straße",
          "{\"on_start\": \"Ärzte 💶\"}",
          TraceContext.parse(
                  "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                  "congo=t61rcWkgMzE, rojo=00f067aa0ba902b7")
              .orElseThrow());

  SubmitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_task_is_stored_unchanged() {
    UUID batch = ids.next(shards - 1);
    UUID id = ids.next(shards - 1);
    store.submit(new Submission(batch, List.of(new NewTaskRow(id, FULL, DueTime.unchanged()))));

    Instant now = clock.instant();
    assertThat(find(id))
        .isEqualTo(
            new Task(
                id,
                batch,
                0,
                FULL,
                TaskState.PENDING,
                Set.of(),
                0,
                null,
                null,
                null,
                RetryCounters.INITIAL,
                new TaskTimes(now, now, now, null, null, now),
                Progress.NONE,
                LastResult.NONE,
                DependencyCounts.NONE));
    assertThat(attempts(id)).isEmpty();
  }

  @Test
  void missing_values_stay_null() {
    UUID id = submit(TestTask.withoutRetry("a"));

    assertThat(find(id).definition()).isEqualTo(TaskDefinition.of("a", "{}"));
  }

  @Test
  void a_payload_can_have_a_megabyte() {
    String payload = "\"" + "ä".repeat(1 << 19) + "\"";
    UUID id = ids.next(0);
    TaskDefinition large = TaskDefinition.of("a", payload);
    store.submit(new Submission(ids.next(0), List.of(new NewTaskRow(id, large, DueTime.now()))));

    assertThat(find(id).definition().payload()).isEqualTo(payload);
    assertThat(running("a").definition().payload()).isEqualTo(payload);
  }

  @Test
  void the_receipt_has_the_batch_and_the_ids_in_order() {
    UUID batch = ids.next(0);
    List<NewTaskRow> rows =
        Stream.generate(
                () -> new NewTaskRow(ids.next(0), TaskDefinition.of("a", "{}"), DueTime.now()))
            .limit(2_500)
            .toList();
    SubmissionReceipt receipt =
        new SubmissionReceipt(
            batch, rows.stream().map(NewTaskRow::id).toList(), SubmissionStatus.STORED);

    assertThat(store.submit(new Submission(batch, rows))).isEqualTo(receipt);
    assertThat(store.submit(new Submission(batch, rows))).as("repeated").isEqualTo(receipt);
  }

  @Test
  void repeating_a_submission_changes_nothing() {
    UUID batch = ids.next(0);
    List<NewTaskRow> rows =
        List.of(
            new NewTaskRow(ids.next(0), TestTask.withoutRetry("a").definition(), DueTime.now()),
            new NewTaskRow(ids.next(0), TestTask.withoutRetry("b").definition(), DueTime.now()));
    store.submit(new Submission(batch, rows));
    Task ended = settle(running("a"), SUCCEEDED);
    Snapshot other = snapshot(rows.get(1).id());

    clock.advance(Duration.ofSeconds(1));
    store.submit(new Submission(batch, rows));

    assertThat(find(ended.id())).isEqualTo(ended);
    assertThat(snapshot(rows.get(1).id())).isEqualTo(other);
    assertThat(store.reader().count(TaskFilter.all(), 10)).isEqualTo(2);
  }

  @Test
  void a_submission_can_have_ten_thousand_tasks() {
    List<UUID> all =
        submit(shards - 1, Collections.nCopies(10_000, TestTask.withoutRetry("a")), DueTime.now());

    assertThat(store.reader().count(TaskFilter.all(), 20_000)).isEqualTo(10_000);
    assertThat(claimedIds(claim(10_000, "a"))).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void a_delay_is_added_to_the_stores_clock() {
    UUID id = submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofHours(1)));

    Instant due = clock.instant().plus(Duration.ofHours(1));
    assertThat(find(id).times().dueAt()).isEqualTo(due);
    assertThat(find(id).times().retrySince()).isEqualTo(due);
    assertThat(find(id).times().createdAt()).isEqualTo(clock.instant());
  }

  /** Compared as text, instants with different offsets would be hours apart. */
  @Test
  void an_instant_is_the_same_with_any_offset() {
    for (String text :
        List.of(
            "2026-03-01T13:00:00Z",
            "2026-03-01T20:00:00+07:00",
            "2026-03-01T02:00:00-11:00",
            "2026-03-01T18:45:00+05:45")) {
      UUID id =
          submit(TestTask.withoutRetry("a"), DueTime.at(OffsetDateTime.parse(text).toInstant()));
      assertThat(find(id).times().dueAt()).as(text).isEqualTo("2026-03-01T13:00:00Z");
    }
    clock.set(Instant.parse("2026-03-01T12:59:59.999Z"));
    assertThat(claim(10, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(claim(10, "a").leases()).hasSize(4);
  }

  @Test
  void a_past_due_time_is_kept_and_due() {
    Instant passed = clock.instant().minusSeconds(90);
    UUID id = submit(TestTask.withoutRetry("a"), DueTime.at(passed));

    assertThat(find(id).times().dueAt()).isEqualTo(passed);
    assertThat(running("a").id()).isEqualTo(id);
  }

  @Test
  void tasks_of_every_shard_are_found() {
    for (int shard = 0; shard < shards; shard++) {
      UUID id = submit(shard, List.of(TestTask.withoutRetry("a")), DueTime.now()).getFirst();
      assertThat(find(id).id()).isEqualTo(id);
    }
    assertThat(store.shards()).isEqualTo(shards);
    assertThat(claim(100, "a").leases()).hasSize(shards);
  }

  @Test
  void an_unknown_task_is_not_found() {
    assertThat(store.reader().find(ids.next(0))).isEmpty();
    assertThat(attempts(ids.next(0))).isEmpty();
  }
}
