// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.testing.TestEngine;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A rule that books a court every weekday at 08:00. While there is no slot, it tries again five
 * times every 5 minutes, five times every 10 minutes, then every hour. The clock is fake.
 */
class BookingRuleTest {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");
  private static final String NO_SLOTS = "no_slots";

  private final Deque<String> failures = new ArrayDeque<>();
  private final List<String> attempts = new ArrayList<>();
  private final TestEngine test =
      TestEngine.create(
          builder ->
              builder.deliveryPlanner(
                  new NotificationPlanner(URI.create("https://perdure.example"))));
  private final Engine engine = test.engine();
  private final Schedule rule;

  BookingRuleTest() {
    engine.register(
        "book",
        Map.class,
        (court, context) -> {
          attempts.add(local(test.clock().instant()));
          String failure = failures.poll();
          if (failure != null) {
            throw context.fail(
                Failure.of(FailureKind.EXPLICIT).withCode(failure).withMessage("no court is free"));
          }
        });
    rule =
        engine
            .schedules()
            .create(
                "book-court",
                Trigger.cron("0 8 * * 1-5", PARIS),
                Batch.of(
                    NewTask.of("book", Map.of("court", 3))
                        .retry(
                            PolicyJson.read(
                                """
                                {"retry_on": ["code:no_slots"], "jitter": {"type": "none"},
                                 "backoff": {"type": "ladder", "steps": [
                                   {"count": 5, "delay": "5m"}, {"count": 5, "delay": "10m"},
                                   {"count": 0, "delay": "1h"}]}}"""))
                        .actions(
                            """
                            {"notify": [{"on": ["success", "exhausted"], "channel": "ops"}]}""")),
                ScheduleOptions.defaults());
  }

  private static String local(Instant instant) {
    ZonedDateTime time = instant.atZone(PARIS);
    return "%s %s".formatted(time.getDayOfWeek().name().substring(0, 3), time.toLocalTime());
  }

  private void failTimes(int times) {
    failures.addAll(Collections.nCopies(times, NO_SLOTS));
  }

  /** Moves the clock to this time of March 2026; the 2nd is a Monday. */
  private void advanceTo(int day, int hour, int minute) {
    Instant at = ZonedDateTime.of(2026, 3, day, hour, minute, 0, 0, PARIS).toInstant();
    test.advance(Duration.between(test.clock().instant(), at));
  }

  private List<String> badges() {
    return engine.schedules().retriesUnderWay(rule.id(), 10).stream()
        .map(Task::row)
        .map(
            task ->
                String.valueOf(task.ladderPosition() == null ? null : task.ladderPosition().text()))
        .toList();
  }

  private List<String> texts() {
    return engine
        .deliveries()
        .list(DeliveryFilter.all(), new PageRequest(100, null))
        .deliveries()
        .stream()
        .map(Delivery::message)
        .map(message -> NotificationMessage.parse(message.request()).text())
        .toList();
  }

  private List<TaskRow> tasks() {
    return engine
        .tasks()
        .list(TaskFilter.all(), TaskSort.OLDEST, new PageRequest(100, null))
        .tasks();
  }

  @Test
  void tries_on_a_ladder_until_there_is_a_slot_and_tells_people_once() {
    failTimes(100);
    List<String> shown = new ArrayList<>();
    advanceTo(2, 8, 0);
    for (int i = 0; i < 13; i++) {
      shown.addAll(badges());
      test.advance(Duration.between(test.clock().instant(), nextRetry()));
    }

    assertThat(attempts)
        .containsExactly(
            "MON 08:00",
            "MON 08:05",
            "MON 08:10",
            "MON 08:15",
            "MON 08:20",
            "MON 08:25",
            "MON 08:35",
            "MON 08:45",
            "MON 08:55",
            "MON 09:05",
            "MON 09:15",
            "MON 10:15",
            "MON 11:15",
            "MON 12:15");
    assertThat(shown)
        .containsExactly(
            "attempt 1/5, step 1/3",
            "attempt 2/5, step 1/3",
            "attempt 3/5, step 1/3",
            "attempt 4/5, step 1/3",
            "attempt 5/5, step 1/3",
            "attempt 1/5, step 2/3",
            "attempt 2/5, step 2/3",
            "attempt 3/5, step 2/3",
            "attempt 4/5, step 2/3",
            "attempt 5/5, step 2/3",
            "attempt 1/∞, step 3/3",
            "attempt 2/∞, step 3/3",
            "attempt 3/∞, step 3/3");
    assertThat(texts()).as("retries send no notification").isEmpty();
    succeedsOnTheSecondDay();
  }

  private void succeedsOnTheSecondDay() {
    advanceTo(3, 7, 59);
    attempts.clear();
    failures.clear();
    failures.add("card_declined"); // Tuesday's own firing, at 08:00
    failures.add(NO_SLOTS); // Monday's retry at 08:15
    advanceTo(3, 12, 0);

    assertThat(attempts).containsExactly("TUE 08:00", "TUE 08:15", "TUE 09:15");
    assertThat(tasks())
        .extracting(TaskRow::state)
        .containsExactly(TaskState.SUCCESS, TaskState.FAILURE);
    assertThat(badges()).isEmpty();
    assertThat(texts())
        .singleElement()
        .satisfies(
            text ->
                assertThat(text)
                    .contains(
                        "book",
                        "succeeded",
                        "https://perdure.example/ui/tasks/" + tasks().getFirst().id()));
  }

  private Instant nextRetry() {
    return Objects.requireNonNull(
        engine.schedules().retriesUnderWay(rule.id(), 10).getFirst().row().nextRetryAt());
  }

  @Test
  void does_not_retry_another_failure() {
    failures.add("card_declined");

    advanceTo(2, 23, 0);

    assertThat(attempts).containsExactly("MON 08:00");
    assertThat(tasks()).extracting(TaskRow::state).containsExactly(TaskState.FAILURE);
    assertThat(texts()).as("the schedule asks for success and exhausted only").isEmpty();
  }

  @Test
  void goes_on_the_next_day_when_its_retries_are_canceled() {
    failTimes(3);
    advanceTo(2, 8, 7);

    assertThat(badges()).containsExactly("attempt 2/5, step 1/3");
    assertThat(engine.schedules().cancelRetries(rule.id(), null)).isEqualTo(1);
    failures.clear();
    advanceTo(3, 9, 0);

    assertThat(attempts).containsExactly("MON 08:00", "MON 08:05", "TUE 08:00");
    assertThat(tasks())
        .extracting(TaskRow::state)
        .containsExactly(TaskState.CANCELED, TaskState.SUCCESS);
  }
}
