// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whom a change is told to, and what becomes of a task that is entrusted to a callee. */
class AnnouncingTest {

  private static final Instant NOW = Sample.SUBMITTED.plusSeconds(100);
  private static final String ONCE =
      """
      {"max_retries": 1, "backoff": {"type": "fixed", "delay": "1m"}, "jitter": "none"}""";

  private final List<Change> asked = new ArrayList<>();
  private final List<UUID> ids = new ArrayList<>();
  private final Lifecycle lifecycle =
      new Lifecycle(LossLimit.DEFAULT, this::announce, this::nextId);

  private List<Announcement> announce(Task before, Change change) {
    asked.add(change);
    return List.of(new Announcement("first", change.to().text()), new Announcement("second", "{}"));
  }

  private UUID nextId(int shard) {
    UUID id = new UUID(ids.size(), shard);
    ids.add(id);
    return id;
  }

  private static Task task(TaskState state, long attempt) {
    return Sample.task(state, ONCE, new Counting(attempt, 0, 0, null));
  }

  private static Outcome failed() {
    return new Outcome.Failed(Failure.explicit("broken"), null);
  }

  private void assertTold(Change change) {
    assertThat(change.deliveries())
        .containsExactly(
            new NewDelivery(ids.get(0), new Announcement("first", change.to().text())),
            new NewDelivery(ids.get(1), new Announcement("second", "{}")));
    assertThat(ids).allMatch(id -> Shards.of(id) == Shards.of(Sample.ID));
  }

  @Test
  void the_end_of_a_task_is_told() {
    assertTold(lifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Succeeded(null), NOW));
  }

  @Test
  void the_final_failure_is_told() {
    Change change = lifecycle.settle(task(TaskState.RUNNING, 1), failed(), NOW);

    assertThat(change.to()).isEqualTo(TaskState.FAILURE);
    assertTold(change);
  }

  @Test
  void a_retry_that_was_decided_is_told() {
    Change change = lifecycle.settle(task(TaskState.RUNNING, 0), failed(), NOW);

    assertThat(change.to()).isEqualTo(TaskState.RETRY_PENDING);
    assertTold(change);
  }

  @Test
  void a_cancel_is_told_also_of_a_task_that_never_ran() {
    assertTold(lifecycle.cancel(task(TaskState.PENDING, 0)));
  }

  @Test
  void a_deadline_and_a_timeout_are_told() {
    assertThat(lifecycle.expire(task(TaskState.RETRY_PENDING, 1)).deliveries()).hasSize(2);
    assertThat(lifecycle.timeOut(task(TaskState.RUNNING, 0), NOW).deliveries()).hasSize(2);
  }

  @Test
  void what_is_no_news_asks_nobody() {
    lifecycle.start(task(TaskState.CLAIMED, 0));
    lifecycle.lose(task(TaskState.RUNNING, 0));
    lifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.HandedBack(), NOW);
    lifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Snoozed(Duration.ofHours(1)), NOW);
    lifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Parked("unreadable"), NOW);
    lifecycle.pause(task(TaskState.RETRY_PENDING, 1));
    lifecycle.resume(task(TaskState.RETRY_PENDING, 1));
    lifecycle.retryAt(task(TaskState.RETRY_PENDING, 1), Due.now());
    lifecycle.revive(task(TaskState.FAILURE, 1));

    assertThat(asked).isEmpty();
  }

  @Test
  void the_announcer_sees_the_change_as_it_is_written() {
    Change change = lifecycle.cancel(task(TaskState.RUNNING, 0));

    assertThat(asked).singleElement().extracting(Change::deliveries).isEqualTo(List.of());
    assertThat(asked.getFirst().note()).isEqualTo(change.note());
  }

  @Test
  void the_announcer_sees_the_counters_with_what_the_end_adds() {
    List<Progress> seen = new ArrayList<>();
    Lifecycle counting =
        new Lifecycle(
            LossLimit.DEFAULT,
            (before, change) -> {
              seen.add(before.progress());
              return List.of();
            },
            this::nextId);
    Tally tally = new Tally(5, 2);
    Change change =
        counting.settle(task(TaskState.RUNNING, 0), new Outcome.Succeeded(null), tally, NOW);

    assertThat(seen).containsExactly(new Progress(5, 2, null));
    assertThat(change.tally()).isEqualTo(tally);
  }

  @Test
  void one_change_does_not_announce_without_limit() {
    Lifecycle chatty =
        new Lifecycle(
            LossLimit.DEFAULT,
            (before, change) ->
                Collections.nCopies(Announcer.MOST_AT_ONCE + 1, new Announcement("a", "{}")),
            this::nextId);

    assertThatThrownBy(() -> chatty.cancel(task(TaskState.PENDING, 0)))
        .hasMessage("one change announces at most 100, not 101");
  }

  @Nested
  class Entrusted {

    private Task inLane(@Nullable Duration timeout, @Nullable Long handleEpoch) {
      Definition definition =
          new Definition(
              "a",
              null,
              "{}",
              null,
              null,
              null,
              timeout,
              null,
              0,
              null,
              null,
              new Wiring("perdure:webhook", "{}", null));
      Custody custody = new Custody(7, "node", handleEpoch, null);
      return Sample.task(TaskState.RUNNING, definition, custody, Counting.FRESH);
    }

    @Test
    void goes_on_running_without_a_record() {
      Change change =
          lifecycle.settle(
              inLane(Duration.ofMinutes(1), 5L), new Outcome.Entrusted("{\"stop\":1}"), NOW);

      assertThat(change.to()).isEqualTo(TaskState.RUNNING);
      assertThat(change.entrusts()).isTrue();
      assertThat(change.cancelAction()).isEqualTo("{\"stop\":1}");
      assertThat(change.note()).isNull();
      assertThat(change.deliveries()).isEmpty();
    }

    @Test
    void too_late_it_is_told_to_the_callee() {
      Task task = inLane(Duration.ofMinutes(1), 5L);
      Change late = lifecycle.settle(task, new Outcome.Entrusted("{\"stop\":1}"), NOW);
      assertThat(asked).isEmpty();

      assertThat(lifecycle.recall(task, late)).hasSize(2);
      assertThat(asked).containsExactly(late);
    }

    @Test
    void needs_a_timeout_since_nothing_else_would_end_it() {
      assertThatThrownBy(() -> lifecycle.settle(inLane(null, 5L), new Outcome.Entrusted(null), NOW))
          .hasMessageContaining("it needs a lane and a timeout");
    }

    @Test
    void needs_a_handle_that_lets_the_callee_end_it() {
      assertThatThrownBy(
              () ->
                  lifecycle.settle(
                      inLane(Duration.ofMinutes(1), null), new Outcome.Entrusted(null), NOW))
          .hasMessageContaining("it needs a lane and a timeout");
    }
  }
}
