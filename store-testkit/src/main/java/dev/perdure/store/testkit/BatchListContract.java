// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchPage;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Batches are listed by filters. There are three: {@code 0} has ended and is called May; {@code 1}
 * has a paused task of the kind mail and a running one of the kind print; {@code 2} has a pending
 * task called 100%_May.
 */
abstract class BatchListContract extends StoreContract {

  private static final Duration APART = Duration.ofSeconds(10);

  private final List<UUID> batches = new ArrayList<>();

  BatchListContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @BeforeEach
  void submit_three_batches() {
    submit("May", TestTask.withoutRetry("Mail").withName("first"));
    settle(running("Mail"), SUCCEEDED);
    List<UUID> tasks =
        submit(
            "June",
            TestTask.withoutRetry("mail.post").withName("Ärger"),
            TestTask.withoutRetry("print").withName("other"));
    write(lifecycle.pause(find(tasks.getFirst())));
    running("print");
    submit(null, TestTask.withoutRetry("store").withName("100%_May"));
  }

  private List<UUID> submit(@Nullable String name, TestTask... tasks) {
    return submitAs(new BatchDefinition(name, null), tasks);
  }

  private List<UUID> submitAs(BatchDefinition definition, TestTask... tasks) {
    clock.advance(APART);
    int shard = nextShard();
    List<NewTaskRow> rows =
        Stream.of(tasks)
            .map(task -> new NewTaskRow(ids.next(shard), task.definition(), DueTime.now()))
            .toList();
    UUID batch = ids.next(shard);
    batches.add(batch);
    store.submit(new Submission(batch, definition, rows, List.of(), null));
    return rows.stream().map(NewTaskRow::id).toList();
  }

  private static BatchFilter named(String name) {
    return new BatchFilter(name, null, null, null, null, null);
  }

  private static BatchFilter kind(String kind) {
    return new BatchFilter(null, kind, null, null, null, null);
  }

  private static BatchFilter status(DisplayStatus status) {
    return new BatchFilter(null, null, status, null, null, null);
  }

  private static BatchFilter live(boolean live) {
    return new BatchFilter(null, null, null, null, null, live);
  }

  private static BatchFilter created(@Nullable Instant after, @Nullable Instant before) {
    return new BatchFilter(null, null, null, after, before, null);
  }

  /** Asserts the numbers of the batches, newest first. */
  private void assertFinds(BatchFilter filter, Integer... expected) {
    BatchPage page = store.batches().list(filter, PageRequest.first(10));
    assertThat(page.batches().stream().map(batch -> batches.indexOf(batch.id())))
        .as("%s", filter)
        .containsExactly(expected);
    assertThat(page.nextCursor()).isNull();
    assertThat(store.batches().count(filter, 10).tasks())
        .as("%s", filter)
        .isEqualTo(expected.length);
  }

  @Test
  void all_are_listed_newest_first_as_they_are_found_alone() {
    assertFinds(BatchFilter.ALL, 2, 1, 0);
    assertThat(store.batches().list(BatchFilter.ALL, PageRequest.first(10)).batches())
        .isEqualTo(
            batches.reversed().stream().map(id -> store.batches().find(id).orElseThrow()).toList());
  }

  @Test
  void by_a_part_of_the_name_of_the_batch_or_of_a_task() {
    assertFinds(named("may"), 2, 0);
    assertFinds(named("FIRST"), 0);
    assertFinds(named("ÄRGER"), 1);
    assertFinds(named("100%_m"), 2);
    assertFinds(named("%"), 2);
    assertFinds(named("_"), 2);
    assertFinds(named("\\"));
    assertFinds(named("'"));
    assertFinds(named("August"));
  }

  @Test
  void by_a_part_of_a_kind() {
    assertFinds(kind("MAIL"), 1, 0);
    assertFinds(kind("mail.p"), 1);
    assertFinds(kind("mail_p"));
    assertFinds(kind("x"));
  }

  @Test
  void by_the_status_that_a_task_shows() {
    assertFinds(status(DisplayStatus.SUCCESS), 0);
    assertFinds(status(DisplayStatus.PAUSED), 1);
    assertFinds(status(DisplayStatus.RUNNING), 1);
    assertFinds(status(DisplayStatus.PENDING), 2);
    assertFinds(status(DisplayStatus.FAILURE));
  }

  @Test
  void only_by_tasks_of_the_current_run() {
    UUID batch = batches.getFirst();
    assertThat(store.batches().runAgain(new DueRun(batch, 1))).isTrue();
    int shard = Shards.of(batch);
    assertThat(store.batches().startRun(new DueRun(batch, 1), () -> ids.next(shard))).isOne();

    assertFinds(status(DisplayStatus.SUCCESS));
    assertFinds(status(DisplayStatus.PENDING), 2, 0);
  }

  @Test
  void by_whether_a_task_is_live() {
    assertFinds(live(true), 2, 1);
    assertFinds(live(false), 0);
  }

  @Test
  void a_batch_that_waits_for_its_next_run_is_live() {
    assertThat(store.batches().runAgain(new DueRun(batches.getFirst(), 1))).isTrue();

    assertFinds(live(true), 2, 1, 0);
    assertFinds(live(false));
  }

  @Test
  void a_batch_whose_policy_has_not_decided_yet_is_live() {
    submitAs(new BatchDefinition(null, null, "{}", null, null, null), TestTask.withoutRetry("run"));
    settle(running("run"), SUCCEEDED);

    assertFinds(live(true), 3, 2, 1);
    assertFinds(live(false), 0);
  }

  @Test
  void instants_are_exclusive_and_exact_to_the_millisecond() {
    Instant last = clock.instant();
    Instant middle = last.minus(APART);

    assertFinds(created(middle, null), 2);
    assertFinds(created(middle.minus(MILLI), null), 2, 1);
    assertFinds(created(null, middle), 0);
    assertFinds(created(null, middle.plus(MILLI)), 1, 0);
    assertFinds(created(middle.minus(MILLI), middle.plus(MILLI)), 1);
    assertFinds(created(middle, last));
  }

  @Test
  void one_task_must_match_all_that_is_asked_of_a_task() {
    assertFinds(new BatchFilter(null, "print", DisplayStatus.RUNNING, null, null, null), 1);
    assertFinds(new BatchFilter(null, "print", DisplayStatus.PAUSED, null, null, null));
    assertFinds(new BatchFilter("other", null, DisplayStatus.PAUSED, null, null, null));
    assertFinds(new BatchFilter("other", "mail", null, null, null, null));
    assertFinds(new BatchFilter("other", "print", DisplayStatus.RUNNING, null, null, true), 1);
  }

  @Test
  void the_name_of_the_batch_stands_for_all_its_tasks() {
    assertFinds(new BatchFilter("june", "print", DisplayStatus.RUNNING, null, null, true), 1);
    assertFinds(new BatchFilter("june", "print", DisplayStatus.PAUSED, null, null, null));
    assertFinds(new BatchFilter("june", "print", DisplayStatus.RUNNING, null, null, false));
  }

  @Test
  void every_batch_is_on_one_page() {
    for (int i = 0; i < 8; i++) {
      submit(null, TestTask.withoutRetry("mail"));
    }
    for (BatchFilter filter : List.of(BatchFilter.ALL, live(true), kind("mail"))) {
      List<UUID> whole =
          store.batches().list(filter, PageRequest.first(100)).batches().stream()
              .map(BatchSummary::id)
              .toList();
      assertThat(paged(filter, 4)).isEqualTo(whole);
      assertThat(paged(filter, whole.size())).isEqualTo(whole);
    }
    assertThat(store.batches().count(BatchFilter.ALL, 100).tasks()).isEqualTo(11);
    assertThat(store.batches().count(BatchFilter.ALL, 5).tasks()).as("counting stops").isEqualTo(5);
  }

  private List<UUID> paged(BatchFilter filter, int size) {
    List<UUID> all = new ArrayList<>();
    String cursor = null;
    do {
      BatchPage page = store.batches().list(filter, new PageRequest(size, cursor));
      assertThat(page.batches()).hasSizeBetween(1, size);
      page.batches().forEach(batch -> all.add(batch.id()));
      cursor = page.nextCursor();
    } while (cursor != null);
    return all;
  }
}
