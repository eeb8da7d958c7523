// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

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

class WebhookDeliveryPlannerTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskLifecycle LIFECYCLE = new TaskLifecycle(LossLimit.DEFAULT);
  private static final WebhookDeliveryPlanner ANNOUNCER =
      new WebhookDeliveryPlanner(TaskTracer.NONE);
  private static final Outcome DONE = new Outcome.Succeeded("1");

  @TempDir private Path folder;

  private static String action(String params) {
    return """
        {"kind": "Webhook", "params": {"url": "http://127.0.0.1/", %s}}"""
        .formatted(params);
  }

  /** A task that somebody works on, with a retry left. */
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

  /** The same in the hands of a callee that said how it is told to stop. */
  private Task entrusted() {
    Task task = running("{\"on_success\": [%s]}".formatted(action("\"verb\": \"Post\"")));
    String stop = "{\"on_cancel\": [%s]}".formatted(action("\"verb\": \"Post\""));
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
        stop,
        task.retryCounters(),
        task.times(),
        task.progress(),
        task.lastResult());
  }

  private static List<String> told(Task task, TaskChange change) {
    return ANNOUNCER.plan(task, change).stream().map(DeliveryMessage::trigger).toList();
  }

  @Test
  void nothing_is_made_of_an_end_that_nobody_is_told() {
    TaskTracer untouched =
        task -> {
          throw new AssertionError("nobody asked for it");
        };
    Task task = running("{\"on_failure\": [%s]}".formatted(action("\"verb\": \"Post\"")));

    assertThat(new WebhookDeliveryPlanner(untouched).plan(task, LIFECYCLE.settle(task, DONE, NOW)))
        .isEmpty();
  }

  @Test
  void the_summary_is_kept_only_where_it_is_sent() {
    Task task =
        running(
            "{\"on_success\": [%s, %s, %s]}"
                .formatted(
                    action("\"verb\": \"Post\""),
                    action("\"verb\": \"Get\""),
                    action("\"verb\": \"Post\", \"body\": \"mine\"")));

    assertThat(ANNOUNCER.plan(task, LIFECYCLE.settle(task, DONE, NOW)))
        .extracting(told -> WebhookMessage.parse(told.request()).summary().isNull())
        .containsExactly(false, true, true);
  }

  @Test
  void a_callee_that_fell_silent_is_told_to_stop_before_another_is_called() {
    Task task = entrusted();
    TaskChange silent = LIFECYCLE.timeOut(task, NOW);

    assertThat(silent.to()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(told(task, silent)).containsExactly(WebhookDeliveryPlanner.CANCEL_ACTION);
  }

  @Test
  void a_callee_is_told_to_stop_when_the_deadline_passes() {
    Task task = entrusted();

    assertThat(told(task, LIFECYCLE.expire(task)))
        .containsExactly(WebhookDeliveryPlanner.CANCEL_ACTION);
  }

  @Test
  void a_callee_that_said_itself_how_it_ended_is_not() {
    Task task = entrusted();
    Outcome failed = new Outcome.Failed(Failure.explicit("no luck"), null);

    assertThat(told(task, LIFECYCLE.settle(task, failed, NOW))).isEmpty();
    assertThat(told(task, LIFECYCLE.settle(task, DONE, NOW))).containsExactly("on_success");
  }
}
