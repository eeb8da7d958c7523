// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.TestEngine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Notifications that an engine plans. The clock is fake. */
class NotificationPlannerTest {

  private static final PageRequest PAGE = PageRequest.first(10);

  private final TestEngine test =
      TestEngine.create(builder -> builder.deliveryPlanner(new NotificationPlanner(null)));
  private final Engine engine = test.engine();

  NotificationPlannerTest() {
    engine.register(
        "fails",
        String.class,
        (message, context) -> {
          throw new IllegalStateException(message);
        });
    engine.register("succeeds", String.class, (message, context) -> {});
  }

  private static String notifyOn(String event) {
    return "{\"notify\": [{\"on\": [\"%s\"], \"channel\": \"ops\"}]}".formatted(event);
  }

  private List<String> texts() {
    return engine.deliveries().list(DeliveryFilter.all(), PAGE).deliveries().stream()
        .map(delivery -> NotificationMessage.parse(delivery.message().request()).text())
        .toList();
  }

  private List<TaskState> taskStates() {
    return engine.tasks().list(TaskFilter.all(), TaskSort.OLDEST, PAGE).tasks().stream()
        .map(TaskRow::state)
        .toList();
  }

  private List<BatchOutcome> outcomes() {
    return engine.batches().list(BatchFilter.ALL, PAGE).batches().stream()
        .flatMap(batch -> batch.runs().stream())
        .map(run -> run.outcome())
        .toList();
  }

  @Test
  void a_batch_whose_failure_begins_with_a_lot_of_white_space_becomes_final_and_says_so() {
    engine.submit(
        Batch.of(NewTask.of("fails", " \n".repeat(1_200) + "no luck"))
            .actions(notifyOn("failure")));
    test.advance(Duration.ofMinutes(5));

    assertThat(outcomes()).containsExactly(BatchOutcome.FAILURE);
    assertThat(texts())
        .singleElement()
        .asString()
        .startsWith("✗ Batch failed after 1 run\n…\nFirst failed task ");
  }

  @Test
  void a_notification_that_cannot_be_written_keeps_no_task_from_ending() {
    engine.submit(NewTask.of("fails", "no luck").actions("{\"notify\": [{}]}"));
    engine.submit(NewTask.of("succeeds", "").actions("{\"notify\": [{}]}"));
    test.advance(Duration.ofMinutes(5));

    assertThat(taskStates()).containsExactly(TaskState.FAILURE, TaskState.SUCCESS);
    assertThat(texts()).isEmpty();
  }

  @Test
  void a_notification_that_cannot_be_written_keeps_no_batch_from_running_again_and_ending() {
    engine.submit(
        Batch.of(NewTask.of("fails", "no luck"))
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxRetries(1).build())
            .actions("{\"notify\": [{}]}"));
    test.advance(Duration.ofMinutes(5));

    assertThat(outcomes()).containsExactly(BatchOutcome.FAILURE, BatchOutcome.FAILURE);
    assertThat(texts()).isEmpty();
  }

  @Test
  void an_attempt_that_never_ran_because_the_deadline_passed_is_not_counted() {
    engine.submit(
        NewTask.of("fails", "no luck")
            .retry(RetryPolicy.fixed(Duration.ofHours(1)).maxRetries(3).build())
            .deadline(test.clock().instant().plus(Duration.ofMinutes(90)))
            .actions(notifyOn("exhausted")));
    test.advance(Duration.ofHours(3));

    assertThat(texts())
        .singleElement()
        .asString()
        .startsWith("✗ fails failed after 2 attempts: its time is up\n");
  }
}
