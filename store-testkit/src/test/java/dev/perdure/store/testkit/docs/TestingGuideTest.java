// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit.docs;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.RecordingListener;
import dev.perdure.testing.TestEngine;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The Java examples of the guide to tests, compiled and run; and the engine that they use. */
class TestingGuideTest {

  record EmailJob(String to) {}

  /** Stands in for the user's mail service. */
  private static final class Mailer {

    private final List<String> sent = new ArrayList<>();
    private int failures;

    void send(EmailJob job) throws IOException {
      if (failures > 0) {
        failures--;
        throw new IOException("the mail server is down");
      }
      sent.add(job.to());
    }
  }

  private final Mailer mailer = new Mailer();
  private final TestEngine test = TestEngine.create();

  @Test
  void a_handler_is_retried_when_its_time_has_come() {
    RetryPolicy policy =
        RetryPolicy.fixed(ofMinutes(5)).jitter(Jitter.none()).maxRetries(3).build();
    mailer.failures = 2;

    TestEngine test = TestEngine.create();
    Engine engine = test.engine();
    engine.register("send-email", EmailJob.class, (job, context) -> mailer.send(job));
    UUID id =
        engine.submit(NewTask.of("send-email", new EmailJob("ada@example.org")).retry(policy));

    test.runDue(); // the first attempt fails
    assertThat(engine.find(id).orElseThrow().state()).isEqualTo(TaskState.RETRY_PENDING);

    test.advance(ofMinutes(10)); // runs both retries, five minutes apart
    assertThat(engine.find(id).orElseThrow().state()).isEqualTo(TaskState.SUCCESS);
    assertThat(engine.attempts(id)).hasSize(3);

    assertThat(engine.attempts(id).stream().map(Attempt::startedAt))
        .containsExactlyInAnyOrder(at(0), at(5), at(10));
    assertThat(mailer.sent).containsExactly("ada@example.org");
  }

  private static Instant at(int minutes) {
    return FakeClock.START.plus(ofMinutes(minutes));
  }

  @Test
  void the_engine_takes_options() {
    RecordingListener listener = new RecordingListener();
    TestEngine test = TestEngine.create(builder -> builder.listener(listener));
    test.engine().register("job", String.class, (payload, context) -> {});
    test.engine().submit(NewTask.of("job", "x"));

    assertThat(test.runDue()).isEqualTo(1);

    assertThat(listener.changes()).isNotEmpty();
  }

  @Test
  void tasks_for_later_wait_for_their_time() {
    List<Instant> runs = new ArrayList<>();
    test.engine().register("job", String.class, (payload, context) -> runs.add(now()));
    test.engine().submit(NewTask.of("job", "x").runIn(ofHours(30)));
    Instant due = now().plus(ofHours(30));

    assertThat(test.advance(ofHours(29))).isZero();
    assertThat(test.advance(ofHours(2))).isEqualTo(1);

    assertThat(runs).containsExactly(due);
  }

  @Test
  void a_task_that_a_handler_submits_runs_too() {
    List<String> ran = new ArrayList<>();
    test.engine()
        .register(
            "first",
            String.class,
            (payload, context) -> {
              ran.add("first");
              test.engine().submit(NewTask.of("second", "x"));
            });
    test.engine().register("second", String.class, (payload, context) -> ran.add("second"));
    test.engine().submit(NewTask.of("first", "x"));

    assertThat(test.runDue()).isEqualTo(2);

    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void a_deadline_passes() {
    test.engine()
        .register(
            "job",
            String.class,
            (payload, context) -> {
              throw new IOException("no");
            });
    RetryPolicy policy = RetryPolicy.fixed(ofSeconds(90)).unlimitedRetries().build();
    UUID id =
        test.engine()
            .submit(NewTask.of("job", "x").retry(policy).deadline(now().plus(ofMinutes(5))));

    test.advance(ofMinutes(6));

    assertThat(test.engine().find(id).orElseThrow().state()).isEqualTo(TaskState.FAILURE);
  }

  @Test
  void a_task_that_never_ends_is_reported() {
    test.engine()
        .register(
            "job",
            String.class,
            (payload, context) -> {
              throw new IOException("no");
            });
    test.engine()
        .submit(NewTask.of("job", "x").retry(RetryPolicy.immediate().unlimitedRetries().build()));

    assertThatThrownBy(test::runDue)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tasks are still due");
  }

  private Instant now() {
    return test.clock().instant();
  }
}
