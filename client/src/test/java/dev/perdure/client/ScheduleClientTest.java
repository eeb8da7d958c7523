// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Schedules through the Java client. */
class ScheduleClientTest extends ScriptedServerFixture {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");
  private static final ScheduleTrigger WEEKDAYS = ScheduleTrigger.cron("0 8 * * 1-5", PARIS);
  private static final Instant EIGHT = Instant.parse("2026-03-02T07:00:00Z");
  private static final String ROW_FIELDS =
      """
      "id": "ID", "name": "book/seats", "trigger": {"every": "5m"}, "description": "every 5 minutes",
      "enabled": true, "overlap": "skip", "misfire": "fire_once", "version": 3,
      "next_at": "2026-03-02T07:00:00.000Z", "queued": 2,
      "problem": "the database refused its tasks", "created_at": "2026-03-01T07:00:00.000Z", "updated_at": "2026-03-01T08:00:00.000Z",
      "last": {"scheduled_for": "2026-03-02T07:00:00.000Z", "fired_at": "2026-03-02T07:00:01.000Z",
               "manual": false, "outcome": "fired", "missed": 4, "task": "ID", "batch_id": "ID",
               "status": "RetryPending"},
      "retry_under_way": [
        {"task": "ID", "batch_id": "ID", "status": "RetryPending", "attempt": 3,
         "badge": "attempt 3/5, step 1/3", "next_retry_at": "2026-03-02T07:00:00.000Z",
         "failure_kind": "explicit", "failure_reason": "sold out", "failure_code": "no_slots"}]"""
          .replace("ID", ID.toString());
  private static final String ROW = "{" + ROW_FIELDS + "}";
  private static final String DETAILS =
      "{"
          + ROW_FIELDS
          + """
          , "task": {"kind": "book"}, "retry": {"preset": "queue"}, "retry_description": "up to 3 retries",
          "notify": [{"on": ["failure"], "channel": "ops"}],
          "next_firings": ["2026-03-02T07:00:00.000Z"],
          "last_firings": [{"scheduled_for": "2026-03-02T07:00:00.000Z", "fired_at": null,
                            "manual": true, "outcome": "skipped", "missed": 0, "task": null,
                            "batch_id": null, "status": null}], "new_field": 1}""";
  private static final FiringInfo LAST =
      new FiringInfo(EIGHT, EIGHT.plusSeconds(1), false, "fired", 4, ID, ID, "RetryPending");

  @Test
  void a_list_has_pages() throws IOException {
    try (PerdureClient client = scripted("[" + ROW + "]", 200, 200)) {
      Page<ScheduleInfo> first = client.schedules().list(7);
      client.schedules().list(7, String.valueOf(first.next()));

      assertThat(requests.getFirst()).isEqualTo("GET /schedule?page_size=7");
      assertThat(requests.getLast())
          .isIn("GET /schedule?page_size=7&after=x", "GET /schedule?after=x&page_size=7");
      ScheduleInfo row = first.items().getFirst();
      assertThat(row.name()).isEqualTo("book/seats");
      assertThat(row.description()).isEqualTo("every 5 minutes");
      assertThat(row.version()).isEqualTo(3);
      assertThat(row.nextAt()).isEqualTo(EIGHT);
      assertThat(row.queued()).isEqualTo(2);
      assertThat(row.problem()).isEqualTo("the database refused its tasks");
      assertThat(row.last()).isEqualTo(LAST);
      assertThat(row.retriesUnderWay())
          .containsExactly(
              new RetryUnderWay(
                  ID,
                  ID,
                  "RetryPending",
                  3,
                  "attempt 3/5, step 1/3",
                  EIGHT,
                  "explicit",
                  "sold out",
                  "no_slots"));
      assertThat(row.task()).isNull();
      assertThat(row.lastFirings()).isEmpty();
    }
  }

  @Test
  void a_retry_may_have_no_task_and_no_badge() throws IOException {
    String row =
        """
        {"task": null, "batch_id": "%s", "kind": null, "status": "RetryPending", "attempt": 2,
         "badge": null, "next_retry_at": "2026-03-02T07:00:00.000Z", "failure_kind": null,
         "failure_reason": null, "failure_code": null}"""
            .formatted(ID);
    String waiting =
        ROW.replaceFirst("(?s)\"retry_under_way\": \\[.*\\]", "\"retry_under_way\": [" + row + "]");
    try (PerdureClient client = scripted("[" + waiting + "]", 200)) {
      assertThat(client.schedules().list(7).items().getFirst().retriesUnderWay())
          .containsExactly(
              new RetryUnderWay(null, ID, "RetryPending", 2, null, EIGHT, null, null, null));
    }
  }

  @Test
  void one_schedule_has_details() throws IOException {
    try (PerdureClient client = scripted(DETAILS, 200)) {
      ScheduleInfo schedule = client.schedules().find("book/seats").orElseThrow();

      assertThat(requests).containsExactly("GET /schedule/book%2Fseats");
      assertThat(schedule.retryDescription()).isEqualTo("up to 3 retries");
      assertThat(String.valueOf(schedule.task())).isEqualTo("{\"kind\":\"book\"}");
      assertThat(schedule.notifications().getFirst().path("channel").asString()).isEqualTo("ops");
      assertThat(schedule.nextFirings()).containsExactly(EIGHT);
      assertThat(schedule.lastFirings())
          .containsExactly(new FiringInfo(EIGHT, null, true, "skipped", 0, null, null, null));
      assertThat(schedule.toString()).doesNotContain("kind");
    }
  }

  @Test
  void a_schedule_that_is_not_there_is_empty() throws IOException {
    try (PerdureClient client =
        scripted("{\"title\": \"Not Found\", \"detail\": \"no schedule 'x'\"}", 404, 404, 404)) {
      assertThat(client.schedules().find("x")).isEmpty();
      assertThat(client.schedules().delete("x")).isEmpty();
      assertThatThrownBy(() -> client.schedules().get("x")).isInstanceOf(ApiException.class);
    }
  }

  @Test
  void a_schedule_is_created_replaced_and_changed() throws IOException {
    ScheduleRequest request =
        ScheduleRequest.of("book/seats", WEEKDAYS, TaskRequest.of("book"))
            .retryJson("{\"preset\": \"queue\"}")
            .overlap("queue")
            .misfire("skip")
            .notificationsJson("[{\"on\": [\"failure\"], \"channel\": \"ops\"}]")
            .notifyChannel("dev", NotifyOn.RETRY, NotifyOn.EXHAUSTED)
            .enabled(false);
    try (PerdureClient client = scripted(ROW, 201, 200, 200, 200, 200)) {
      assertThat(client.schedules().create(request).id()).isEqualTo(ID);
      client
          .schedules()
          .update(
              "a b",
              ScheduleRequest.of(
                      "b",
                      ScheduleTrigger.every(Duration.ofMinutes(5)),
                      BatchRequest.of(TaskRequest.of("book")))
                  .retry(RetryPolicy.none())
                  .version(3));
      client
          .schedules()
          .patch(
              "b",
              ScheduleRequest.changes()
                  .trigger(ScheduleTrigger.at(LocalTime.of(8, 0), PARIS, DayOfWeek.MONDAY))
                  .withoutRetry()
                  .withoutNotifications());
      client.schedules().pause("b");
      client.schedules().resume("b");
    }
    assertThat(requests)
        .containsExactly(
            "POST /schedule {\"name\":\"book/seats\",\"trigger\":{\"cron\":\"0 8 * *"
                + " 1-5\",\"zone\":\"Europe/Paris\"},\"task\":{\"kind\":\"book\"},\"retry\":{\"preset\":\"queue\"},\"overlap\":\"queue\",\"misfire\":\"skip\",\"notify\":[{\"on\":[\"failure\"],\"channel\":\"ops\"},{\"on\":[\"retry\",\"exhausted\"],\"channel\":\"dev\"}],\"enabled\":false}",
            "PUT /schedule/a%20b"
                + " {\"name\":\"b\",\"trigger\":{\"every\":\"5m\"},\"batch\":{\"tasks\":[{\"kind\":\"book\"}]},\"retry\":{\"max_retries\":0},\"version\":3}",
            "PATCH /schedule/b"
                + " {\"trigger\":{\"at\":\"08:00\",\"days\":[\"mon\"],\"zone\":\"Europe/Paris\"},\"retry\":null,\"notify\":null}",
            "PATCH /schedule/b {\"enabled\":false}",
            "PATCH /schedule/b {\"enabled\":true}");
    assertThat(request.toString()).contains("book/seats").doesNotContain("kind");
  }

  @Test
  void a_request_has_a_task_or_a_batch() {
    ScheduleRequest request =
        ScheduleRequest.of("a", WEEKDAYS, TaskRequest.of("book"))
            .batch(BatchRequest.of(TaskRequest.of("book")));

    assertThat(request.toJson().propertyNames()).containsExactly("name", "trigger", "batch");
    assertThat(request.task(TaskRequest.of("book")).toJson().propertyNames())
        .containsExactly("name", "trigger", "task");
  }

  @Test
  void a_schedule_is_triggered_by_hand() throws IOException {
    String response = "{\"batch_id\": \"%s\", \"task\": null}".formatted(ID);
    try (PerdureClient client = scripted(response, 201)) {
      assertThat(client.schedules().trigger("a")).isEqualTo(new ManualFiring(ID, null));
      assertThat(requests).containsExactly("POST /schedule/a/trigger");
    }
  }

  @Test
  void deleting_says_what_was_deleted_and_canceled() throws IOException {
    String response = "{" + ROW_FIELDS + ", \"canceled\": 2}";
    try (PerdureClient client = scripted(response, 200)) {
      DeletedSchedule deleted = client.schedules().delete("a").orElseThrow();

      assertThat(deleted.canceled()).isEqualTo(2);
      assertThat(deleted.schedule().last()).isEqualTo(LAST);
      assertThat(requests).containsExactly("DELETE /schedule/a");
    }
  }

  @Test
  void retries_are_canceled_together_or_one_by_one() throws IOException {
    try (PerdureClient client = scripted("{\"canceled\": 1}", 200, 200)) {
      assertThat(client.schedules().cancelRetries("a")).isEqualTo(1);
      assertThat(client.schedules().cancelRetry("a", new UUID(1, 2))).isEqualTo(1);
    }
    assertThat(requests)
        .containsExactly("DELETE /schedule/a/retry", "DELETE /schedule/a/retry?task=" + ID);
  }

  @Test
  void a_preview_says_what_a_trigger_means() throws IOException {
    String response =
        """
        {"words": "every day at 02:30 Europe/Paris", "next": ["2026-03-02T07:00:00.000Z"],
         "warnings": [{"at": "2026-03-29", "text": "02:30 does not exist on this day"}]}""";
    try (PerdureClient client = scripted(response, 200)) {
      assertThat(client.schedules().preview(WEEKDAYS, 5))
          .isEqualTo(
              new SchedulePreview(
                  "every day at 02:30 Europe/Paris",
                  List.of(EIGHT),
                  List.of(
                      new SchedulePreview.ClockChange(
                          LocalDate.of(2026, 3, 29), "02:30 does not exist on this day"))));
      assertThat(requests)
          .containsExactly(
              "POST /schedule/preview {\"trigger\":{\"cron\":\"0 8 * *"
                  + " 1-5\",\"zone\":\"Europe/Paris\"},\"count\":5}");
    }
  }

  @Test
  void a_response_without_a_field_is_reported() throws IOException {
    try (PerdureClient client = scripted("{\"something\": 1}", 200, 200)) {
      assertThatThrownBy(() -> client.schedules().cancelRetries("a"))
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("canceled");
      assertThatThrownBy(() -> client.schedules().get("a"))
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("'id' is missing");
    }
  }

  @Test
  void an_empty_name_is_refused() throws IOException {
    try (PerdureClient client = scripted("{}")) {
      assertThatThrownBy(() -> client.schedules().delete(""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("schedule: must be a name or an id");
    }
    assertThat(requests).isEmpty();
  }
}
