// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.Submission.SubmissionKeyDigest;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How submissions set limits, and what does not count twice. */
abstract class LimitSubmitContract extends LimitContract {

  private static final TestTask TASK = limited(Limit.concurrency(1));

  LimitSubmitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private Submission submission(int count, TestTask task, @Nullable SubmissionKeyDigest key) {
    List<NewTaskRow> rows =
        IntStream.range(0, count)
            .mapToObj(i -> new NewTaskRow(ids.next(shard), task.definition(), DueTime.now()))
            .toList();
    return new Submission(ids.next(shard), rows, key);
  }

  @Test
  void a_raised_number_lets_more_tasks_start() {
    add(5, TASK);
    assertThat(claimAll("a")).hasSize(1);
    add(limited(Limit.concurrency(3)));

    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void a_lowered_number_lets_running_tasks_finish_and_none_start_until_there_is_room() {
    add(5, limited(Limit.concurrency(3)));
    List<UUID> running = claimAll("a");
    assertThat(running).hasSize(3);
    add(limited(Limit.concurrency(2)));
    assertThat(claimAll("a")).isEmpty();
    assertThat(find(running.getFirst()).state().isLeased()).isTrue();

    succeedRunning(running.getFirst());
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(running.get(1));
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void the_number_of_the_last_submission_holds_also_for_tasks_that_were_submitted_before() {
    add(5, limited(Limit.concurrency(4)));
    add(limited(Limit.concurrency(2)));

    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void the_same_submission_again_does_not_count_twice() {
    Submission submission = submission(3, limited(Limit.concurrency(2)), null);
    store.submit(submission);
    List<UUID> running = claimAll("a");
    assertThat(running).hasSize(2);
    assertThat(store.submit(submission)).isEqualTo(submission.stored());
    assertThat(claimAll("a")).isEmpty();

    running.forEach(this::succeedRunning);
    store.submit(submission);
    assertThat(claimAll("a")).hasSize(1);
    assertThat(store.reader().count(TaskFilter.all(), 10)).isEqualTo(3);
  }

  @Test
  void a_duplicate_by_key_does_not_count() {
    SubmissionKeyDigest key = new SubmissionKeyDigest("%08x".formatted(shard).repeat(8), "content");
    store.submit(submission(1, TASK, key));
    assertThat(claimAll("a")).hasSize(1);

    assertThat(store.submit(submission(1, TASK, key)).status())
        .isEqualTo(SubmissionStatus.DUPLICATE);
    assertThat(claimAll("a")).isEmpty();
  }

  @Test
  void a_transaction_of_the_caller_submits_limited_tasks_when_it_commits() {
    Submission kept = submission(2, TASK, null);
    try (StoreFixture.OpenTransaction open = fixture.begin()) {
      open.transaction().submit(kept);
      open.commit();
    }

    assertThat(claimAll("a")).hasSize(1);
    succeedRunning(store.nodes().leasesOf(node).getFirst().task());
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_transaction_that_is_rolled_back_leaves_limits_as_they_were() {
    add(3, TASK);
    try (StoreFixture.OpenTransaction open = fixture.begin()) {
      open.transaction().submit(submission(1, limited(Limit.concurrency(3)), null));
    }

    assertThat(claimAll("a")).hasSize(1);
    assertThat(store.reader().count(TaskFilter.all(), 10)).isEqualTo(3);
  }

  @Test
  void a_place_is_free_when_the_transaction_that_ends_the_task_commits() {
    add(2, TASK);
    Task task = running("a");
    try (StoreFixture.OpenTransaction open = fixture.begin()) {
      assertThat(end(open.transaction(), task)).allMatch(WriteResult::applied);
    }
    assertThat(claimAll("a")).as("rolled back").isEmpty();
    try (StoreFixture.OpenTransaction open = fixture.begin()) {
      assertThat(end(open.transaction(), task)).allMatch(WriteResult::applied);
      open.commit();
    }

    assertThat(claimAll("a")).hasSize(1);
  }

  private List<WriteResult> end(CallerTransaction transaction, Task task) {
    return transaction.apply(List.of(lifecycle.settle(task, SUCCEEDED, clock.instant())));
  }

  @Test
  void a_limit_outlives_the_tasks_that_are_deleted() {
    add(TASK);
    settle(running("a"), SUCCEEDED);
    clock.advance(Duration.ofDays(2));
    assertThat(store.maintenance().purge(Duration.ofDays(1), 10)).isOne();
    add(2, TASK);

    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_limit_outlives_a_restart_and_holds_for_every_process() {
    add(4, limited(Limit.concurrency(2)));
    assertThat(claimOnce(1, "a")).hasSize(1);
    store.close();
    UUID second = ids.next(0);
    try (TaskStore again = fixture.reopen()) {
      again.nodes().join(new RegisteredNode(second, "second", List.of("a")), FOR_EVER);
      ClaimRequest request =
          new ClaimRequest(new LeaseOwner.NodeOwner(second), capacities(10, "a"), 10, true);

      assertThat(claimedIds(again.claim(request))).hasSize(1);
      assertThat(claimedIds(again.claim(request))).isEmpty();
    }
  }
}
