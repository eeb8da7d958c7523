// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.TaskTracer;
import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WebhookDeliveryPlannerTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskLifecycle LIFECYCLE = new TaskLifecycle(LossLimit.DEFAULT);
  private static final WebhookDeliveryPlanner PLANNER = new WebhookDeliveryPlanner(TaskTracer.NONE);
  private static final Outcome DONE = new Outcome.Succeeded("1");

  @TempDir private Path folder;

  private static String action(String params) {
    return """
        {"kind": "Webhook", "params": {"url": "http://127.0.0.1/", %s}}"""
        .formatted(params);
  }

  /** A running task with one retry left. */
  private Task running(String actions) {
    try (JdbcStore store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
        Engine engine = Engine.on(store)) {
      engine.submit(
          NewTask.of("job", 1)
              .actions(actions)
              .timeout(Duration.ofMinutes(1))
              .retry(RetryPolicy.immediate().maxRetries(1).build()));
      RemoteClaim one =
          new RemoteClaim("ada", List.of("job"), 1, Duration.ofMinutes(1), Duration.ZERO);
      return engine.remote().claim(one).leases().getFirst().task();
    }
  }

  /** A task that is handed off to a callee, which has set a cancel action. */
  private Task handedOff() {
    Task task = running("{\"on_success\": [%s]}".formatted(action("\"verb\": \"Post\"")));
    String cancelAction = "{\"on_cancel\": [%s]}".formatted(action("\"verb\": \"Post\""));
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        task.state(),
        task.hold(),
        1,
        null,
        1L,
        cancelAction,
        task.retryCounters(),
        task.times(),
        task.progress(),
        task.lastResult(),
        task.dependencies());
  }

  /** A task whose first attempt has ended like this. */
  private Task settled(String actions, Outcome outcome) {
    try (JdbcStore store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
        Engine engine = Engine.on(store)) {
      Task task = running(actions);
      return engine.remote().settle(task.id(), AttemptCredential.ofLease(task.epoch()), outcome);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TaskEvent.class,
      names = {"CANCEL", "EXPIRE"})
  void a_retry_that_never_runs_sends_the_failure_that_it_waited_for(TaskEvent event) {
    String actions = "[%s]".formatted(action("\"verb\": \"Post\""));
    Failure failure = Failure.explicit("no_slots").withMessage("no luck");
    Task task =
        settled(
            "{\"on_failure\": %s, \"on_cancel\": %s}".formatted(actions, actions),
            new Outcome.Failed(failure, null));
    TaskChange end = event == TaskEvent.CANCEL ? LIFECYCLE.cancel(task) : LIFECYCLE.expire(task);

    WebhookMessage message = WebhookMessage.parse(PLANNER.plan(task, end).getFirst().request());
    assertThat(message.task().failureReason()).isEqualTo("no luck");
    assertThat(message.summary().get("failure_reason").stringValue()).isEqualTo("no luck");
    assertThat(message.summary().get("failure_kind").stringValue()).isEqualTo("explicit");
    assertThat(message.summary().get("failure_code").stringValue()).isEqualTo("no_slots");
    assertThat(message.summary().get("result").isNull()).isTrue();
  }

  @Test
  void a_parked_task_that_expires_says_why_it_was_parked() {
    Task task =
        settled(
            "{\"on_failure\": [%s]}".formatted(action("\"verb\": \"Post\"")),
            new Outcome.Parked("no such class"));

    assertThat(PLANNER.plan(task, LIFECYCLE.expire(task)))
        .extracting(message -> WebhookMessage.parse(message.request()).task().failureReason())
        .containsExactly("no such class");
  }

  @Test
  void a_message_without_a_delay_has_no_retry() {
    Task task = running("{\"on_success\": [%s]}".formatted(action("\"verb\": \"Post\"")));
    String request = PLANNER.plan(task, LIFECYCLE.settle(task, DONE, NOW)).getFirst().request();

    assertThat(request).contains("\"retry_in_ms\":null,");
    assertThat(WebhookMessage.parse(request.replace("\"retry_in_ms\":null,", "")).retryIn())
        .isNull();
  }

  private static List<String> triggers(Task task, TaskChange change) {
    return PLANNER.plan(task, change).stream().map(DeliveryMessage::trigger).toList();
  }

  @Test
  void an_end_without_an_action_does_no_work() {
    TaskTracer untouched =
        task -> {
          throw new AssertionError("the tracer is not needed");
        };
    Task task = running("{\"on_failure\": [%s]}".formatted(action("\"verb\": \"Post\"")));

    assertThat(new WebhookDeliveryPlanner(untouched).plan(task, LIFECYCLE.settle(task, DONE, NOW)))
        .isEmpty();
  }

  @Test
  void the_summary_is_stored_only_where_it_is_sent() {
    Task task =
        running(
            "{\"on_success\": [%s, %s, %s]}"
                .formatted(
                    action("\"verb\": \"Post\""),
                    action("\"verb\": \"Get\""),
                    action("\"verb\": \"Post\", \"body\": \"mine\"")));

    assertThat(PLANNER.plan(task, LIFECYCLE.settle(task, DONE, NOW)))
        .extracting(message -> WebhookMessage.parse(message.request()).summary().isNull())
        .containsExactly(false, true, true);
  }

  @Test
  void a_timed_out_callee_is_canceled_before_the_retry() {
    Task task = handedOff();
    TaskChange timeout = LIFECYCLE.timeOut(task, NOW);

    assertThat(timeout.to()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(triggers(task, timeout)).containsExactly(WebhookDeliveryPlanner.CANCEL_ACTION);
  }

  @Test
  void a_callee_is_canceled_when_the_deadline_passes() {
    Task task = handedOff();

    assertThat(triggers(task, LIFECYCLE.expire(task)))
        .containsExactly(WebhookDeliveryPlanner.CANCEL_ACTION);
  }

  @Test
  void a_callee_that_settled_the_attempt_is_not_canceled() {
    Task task = handedOff();
    Outcome failed = new Outcome.Failed(Failure.explicit("no luck"), null);

    assertThat(triggers(task, LIFECYCLE.settle(task, failed, NOW))).isEmpty();
    assertThat(triggers(task, LIFECYCLE.settle(task, DONE, NOW))).containsExactly("on_success");
  }
}
