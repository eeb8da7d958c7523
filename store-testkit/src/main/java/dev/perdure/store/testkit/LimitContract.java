// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Shared setup: tasks with limits, all in one shard. Limits hold within a shard. */
abstract class LimitContract extends GraphContract {

  static final String QUEUE = "perdure:queue";
  static final Duration SECOND = Duration.ofSeconds(1);

  /** Claims can be empty while tasks begin to wait for another of their limits. */
  private static final int EMPTY_CLAIMS = 3;

  private static final int MAX_EMPTY_CLAIMS = 30;

  /** A claim with a shorter hint asks to be repeated at once. */
  private static final Duration AT_ONCE = Duration.ofMillis(20);

  /** The shard of the tasks. */
  final int shard = shards - 1;

  LimitContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** A task of the kind {@code a} that is retried after a minute. */
  static TestTask limited(Limit... limits) {
    return TestTask.retrying("a").withLimits(limits);
  }

  /** A task with a limit for each tenant. */
  static TestTask ofTenant(String tenant, Limit limit) {
    return limited(limit.per("tenant")).withMetadata(tenant(tenant));
  }

  static String tenant(String tenant) {
    return "{\"tenant\": \"" + tenant + "\"}";
  }

  UUID add(TestTask task) {
    return add(task, DueTime.now());
  }

  UUID add(TestTask task, DueTime due) {
    clock.advance(MILLI); // So that it comes after the tasks before it.
    return submit(shard, List.of(task), due).getFirst();
  }

  /** Submits a number of equal tasks as one batch. */
  List<UUID> add(int count, TestTask task) {
    clock.advance(MILLI);
    return submit(shard, Collections.nCopies(count, task), DueTime.now());
  }

  /** Submits a task with this number of items. */
  UUID addWithItems(TestTask task, long items) {
    clock.advance(MILLI);
    UUID id = ids.next(shard);
    NewTaskRow row = new NewTaskRow(id, task.definition(), DueTime.now(), null, items);
    store.submit(new Submission(ids.next(shard), List.of(row)));
    return id;
  }

  /** Claims once and returns the tasks in their order. */
  List<UUID> claimOnce(int limit, String... queues) {
    return claimedIds(claim(limit, queues));
  }

  /** Claims until nothing more starts, and returns all tasks in their order. */
  List<UUID> claimAll(String... queues) {
    List<UUID> claimed = new ArrayList<>();
    boolean more = true;
    for (int empty = 0; empty < EMPTY_CLAIMS || (more && empty < MAX_EMPTY_CLAIMS); empty++) {
      ClaimResult result = claim(100, queues);
      claimed.addAll(claimedIds(result));
      empty = result.leases().isEmpty() ? empty : -1;
      more = result.nextDue() != null && result.nextDue().compareTo(AT_ONCE) <= 0;
    }
    return claimed;
  }

  void succeedRunning(UUID id) {
    settle(find(id), SUCCEEDED);
  }

  void progress(UUID id, long success, long failures) {
    Task task = find(id);
    ProgressReport report = new ProgressReport(task.lease(), success, failures, null);
    assertThat(store.addProgress(List.of(report))).containsExactly(WriteResult.written());
  }

  /** An empty claim of the kind {@code a} says how long until the next task may start. */
  void assertNextDue(Duration expected) {
    ClaimResult result = claim(10, "a");
    assertThat(result.leases()).isEmpty();
    assertThat(result.nextDue()).isEqualTo(expected);
  }
}
