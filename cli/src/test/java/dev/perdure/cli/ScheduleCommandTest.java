// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.ServerCommandFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads schedules on the command line, and acts on them. */
@Timeout(60)
class ScheduleCommandTest extends ScheduleFixture {

  private static final String PROBLEM = ", \"problem\": \"the database refused its tasks: 23514\"";

  @Nested
  class List {

    @Test
    void shows_when_each_fires_and_its_retry() throws IOException {
      server.on("GET /schedule", "[" + nightly("") + "," + busy("") + "," + paused() + "]");

      String shown = terminal().run("schedules", "--color=never").out();

      assertThat(shown)
          .isEqualTo(
              """
              name              when                    next        last     retry
              nightly           every weekday at 08:00  in 3h
                                Europe/Paris
              book-night-trai…  every weekday at 08:00  in 23h 10m  fired    3/5, step 1/3 +1
                                Europe/Paris
              sync              every 5 minutes         paused      skipped
              """);
      assertThat(Files.readString(Path.of("../docs/guides/command-line.md"))).contains(shown);
    }

    @Test
    void shows_the_whole_words_without_retries() {
      server.on("GET /schedule", "[" + nightly("") + "," + paused() + "]");

      assertThat(terminal().run("schedules", "--color=never").lines())
          .containsExactly(
              "name     when                                 next    last",
              "nightly  every weekday at 08:00 Europe/Paris  in 3h",
              "sync     every 5 minutes                      paused  skipped");
      assertThat(server.requests()).containsExactly("GET /schedule?page_size=50");
    }

    @Test
    void shows_a_batch_that_waits_for_its_next_run() {
      server.on("GET /schedule", "[" + waiting() + "]");

      assertThat(run("schedules").lines().getLast()).endsWith("in 3h  run 2 +1");
    }

    @Test
    void says_which_cannot_fire_and_why() {
      server.on("GET /schedule", "[" + nightly(PROBLEM) + "," + paused() + "]");

      assertThat(terminal().run("schedules", "--color=never").lines())
          .endsWith("", "nightly cannot fire: the database refused its tasks: 23514");
    }

    @Test
    void cuts_nothing_for_programs() {
      server.on("GET /schedule", "[" + busy("") + "]");

      assertThat(run("schedules").out())
          .contains("book-night-train-seats", "every weekday at 08:00 Europe/Paris");
      assertThat(run("schedules", "--limit", "1", "--json").json())
          .singleElement()
          .satisfies(row -> assertThat(row.get("version").intValue()).isEqualTo(3));
    }

    @Test
    void says_that_there_are_none() {
      server.on("GET /schedule", "[]");

      assertThat(run("schedules").out()).isEqualTo("No schedules.\n");
      assertThat(run("schedules", "--json").out()).isEmpty();
    }
  }

  @Nested
  class Show {

    private static final String DETAILS =
        """
        , "task": {"kind": "book", "payload": {"train": 42}}, "retry": [{"count": 5}],
        "retry_description": "5 retries every 5 minutes, then 5 every 10 minutes, then every hour until canceled",
        "notify": [{"on": ["failure", "exhausted"], "channel": "ops"},
                   {"on": ["retry"], "channel": "dev"}],
        "next_firings": ["2026-03-02T11:10:00.000Z", "2026-03-03T11:10:00.000Z"],
        "last_firings": [
          {"scheduled_for": "2026-03-01T11:00:00.000Z", "fired_at": "2026-03-01T11:00:00.000Z",
           "manual": true, "outcome": "fired", "missed": 0, "task": "TASK", "batch_id": "BATCH",
           "status": "Success"},
          {"scheduled_for": "2026-02-28T11:00:00.000Z", "fired_at": "2026-02-28T11:00:00.000Z",
           "manual": false, "outcome": "fired", "missed": 3, "task": null, "batch_id": "BATCH",
           "status": "Failure"},
          {"scheduled_for": "2026-02-27T11:00:00.000Z", "fired_at": "2026-02-27T11:00:00.000Z",
           "manual": false, "outcome": "missed", "missed": 0, "task": null, "batch_id": null,
           "status": null}]"""
            .replace("TASK", TASK)
            .replace("BATCH", BATCH);

    @Test
    void shows_everything_in_80_columns() {
      server.on("GET /schedule/book%20seats", busy(DETAILS));

      assertThat(terminal().run("schedule", "show", "book seats", "--color=never").out())
          .isEqualTo(
              """
              book-night-train-seats: every weekday at 08:00 Europe/Paris, next in 23h 10m

              id           0195508e-0000-7000-8000-000000000000
              overlap      queue: fires when it is no longer busy
              misfire      fire_once: fires once for all firings that were missed
              queued       2 firings wait until it is no longer busy
              retries      5 retries every 5 minutes, then 5 every 10 minutes, then every hour
                           until canceled
              notify       ops on failure, exhausted; dev on retry
              retry        [{"count":5}]
              task         {"kind":"book","payload":{"train":42}}
              created      2026-02-01T07:00:00.000Z (28d 5h ago)
              updated      2026-02-28T12:00:00.000Z (1d ago)

              retries under way
              task or batch   status        attempt        next   failure
              508e-1111-7000  RetryPending  3/5, step 1/3  in 4m  no_slots: all seats of the
                                                                  train are taken
              508e-2222-7000  Running       2/∞, step 3/3         timeout

              next firings
              2026-03-02T11:10:00.000Z  in 23h 10m
              2026-03-03T11:10:00.000Z  in 1d 23h

              last firings
              scheduled for             outcome  status   task or batch   note
              2026-03-01T11:00:00.000Z  fired    Success  508e-1111-7000  by hand
              2026-02-28T11:00:00.000Z  fired    Failure  508e-3333-7000  after 3 missed
              2026-02-27T11:00:00.000Z  missed
              """);
    }

    @Test
    void shows_batches_and_revived_tasks_that_are_tried_again() {
      server.on("GET /schedule/nightly", waiting());

      assertThat(terminal().run("schedule", "show", "nightly", "--color=never").lines())
          .contains(
              "task or batch   status        attempt  next   failure",
              "508e-3333-7000  RetryPending  run 2    in 4m",
              "508e-1111-7000  Pending       4               timeout");
    }

    @Test
    void says_why_it_cannot_fire() {
      server.on("GET /schedule/nightly", nightly(PROBLEM));

      assertThat(run("schedule", "show", "nightly").lines())
          .contains("problem      the database refused its tasks: 23514");
    }

    @Test
    void says_that_it_is_paused() {
      server.on("GET /schedule/sync", paused());

      assertThat(run("schedule", "show", "sync").lines())
          .startsWith("sync: every 5 minutes, paused")
          .contains("overlap      allow: fires even while it is busy");
    }

    @Test
    void one_that_is_not_there_is_a_negative_result() {
      assertRefused(run("schedule", "show", "nope"), 1, "there is nothing here");
      assertThat(run("schedule", "show", "nope", "--json").errors()).hasSize(1);
      assertRefused(run("schedule", "show", ""), 2, "NAME: must not be empty");
    }

    @Test
    void programs_get_json() {
      server.on("GET /schedule/sync", paused());

      assertThat(run("schedule", "show", "sync", "--json").json())
          .singleElement()
          .satisfies(json -> assertThat(json.get("name").stringValue()).isEqualTo("sync"));
    }
  }

  @Test
  void a_schedule_is_paused_and_resumed() {
    server.on("PATCH /schedule/sync", paused(), nightly(""));

    assertThat(run("schedule", "pause", "sync").out()).isEqualTo("sync: every 5 minutes, paused\n");
    assertThat(run("schedule", "resume", "sync").out())
        .isEqualTo("nightly: every weekday at 08:00 Europe/Paris, next in 3h\n");
    assertThat(server.requests())
        .containsExactly(
            "PATCH /schedule/sync {\"enabled\":false}", "PATCH /schedule/sync {\"enabled\":true}");
    assertThat(run("schedule", "pause", "sync", "--json").json()).hasSize(1);
    assertRefused(run("schedule", "pause", "nope"), 1, "there is nothing here");
  }

  @Test
  void a_schedule_is_triggered() {
    String response = "{\"batch_id\": \"%s\", \"task\": %s}";
    server.on(
        201,
        "POST /schedule/sync/trigger",
        response.formatted(BATCH, "\"" + TASK + "\""),
        response.formatted(BATCH, "null"));

    assertThat(run("schedule", "trigger", "sync").lines())
        .containsExactly("sync fired: task " + TASK, "Follow it with: perdure watch " + BATCH);
    assertThat(run("schedule", "trigger", "sync").lines()).contains("sync fired: batch " + BATCH);
    assertThat(run("schedule", "trigger", "sync", "--json").json().getFirst().get("batch_id"))
        .hasToString("\"" + BATCH + "\"");
  }

  @Test
  void a_schedule_is_deleted() {
    server.on(
        "DELETE /schedule/nightly",
        nightly(", \"canceled\": 0"),
        nightly(", \"canceled\": 1"),
        nightly(", \"canceled\": 1200"));

    assertThat(run("schedule", "rm", "nightly").out())
        .isEqualTo("nightly deleted; no task was live\n");
    assertThat(run("schedule", "rm", "nightly").out())
        .isEqualTo("nightly deleted; 1 live task was canceled\n");
    assertThat(run("schedule", "rm", "nightly").out())
        .isEqualTo("nightly deleted; 1,200 live tasks were canceled\n");
    assertThat(run("schedule", "rm", "nightly", "--json").json().getFirst().get("canceled"))
        .hasToString("1200");
    assertRefused(run("schedule", "rm", "nope"), 1, "there is nothing here");
  }

  @Test
  void retries_are_canceled() {
    server.on(
        "DELETE /schedule/sync/retry",
        "{\"canceled\": 2}",
        "{\"canceled\": 1}",
        "{\"canceled\": 0}");

    assertThat(run("schedule", "cancel-retry", "sync").out())
        .isEqualTo("sync: 2 retries canceled; the schedule goes on\n");
    assertThat(run("schedule", "cancel-retry", "sync", TASK).out())
        .isEqualTo("sync: 1 retry canceled; the schedule goes on\n");
    assertThat(server.requests().getLast()).isEqualTo("DELETE /schedule/sync/retry?task=" + TASK);
    CliResult none = run("schedule", "cancel-retry", "sync", TASK);
    assertThat(none.out()).isEqualTo("sync: no retry was under way\n");
    assertThat(none.code()).isEqualTo(1);
    assertThat(run("schedule", "cancel-retry", "sync", "--json").code()).isZero();
    assertRefused(run("schedule", "cancel-retry", "sync", "a b"), 1, "'a b' is not a task id");
  }

  @Test
  void a_preview_shows_the_next_firings_and_warnings() {
    server.on(
        "POST /schedule/preview",
        """
        {"words": "every day at 02:30 Europe/Paris",
         "next": ["2026-03-02T01:30:00.000Z", "2026-03-03T01:30:00.000Z"],
         "warnings": [{"at": "2026-03-29",
           "text": "02:30 does not exist on this day in Europe/Paris; it fires at 03:00"}]}""");

    assertThat(
            terminal()
                .run("schedule", "preview", "--at=02:30", "--zone=Europe/Paris", "--color=never")
                .out())
        .isEqualTo(
            """
            every day at 02:30 Europe/Paris
            2026-03-02T01:30:00.000Z  in 13h 30m
            2026-03-03T01:30:00.000Z  in 1d 14h

            2026-03-29: 02:30 does not exist on this day in Europe/Paris; it fires at 03:00
            """);
    run("schedule", "preview", "--every=5m", "--count=3", "--json");
    assertThat(server.requests())
        .containsExactly(
            "POST /schedule/preview {\"trigger\":{\"at\":\"02:30\",\"zone\":\"Europe/Paris\"},"
                + "\"count\":10}",
            "POST /schedule/preview {\"trigger\":{\"every\":\"5m\"},\"count\":3}");
    assertThat(run("schedule", "preview", "--count=0").err().lines())
        .containsExactly(
            "perdure: --count: must be a whole number between 1 and 100, not 0",
            "perdure: --cron: give --cron, --every or --at");
  }
}
