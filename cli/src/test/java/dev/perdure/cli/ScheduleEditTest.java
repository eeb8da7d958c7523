// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.ServerCommandFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Creates and changes schedules on the command line. */
@Timeout(60)
class ScheduleEditTest extends ScheduleFixture {

  @TempDir private Path folder;

  @Nested
  class Add {

    @BeforeEach
    void accept() {
      server.on(201, "POST /schedule", nightly(""));
    }

    private String sent(String stdin, String... args) {
      CliResult result = server.shell().stdin(stdin).run(args);
      assertThat(result.err()).isEmpty();
      assertThat(result.code()).isZero();
      assertThat(result.out())
          .isEqualTo("nightly: every weekday at 08:00 Europe/Paris, next in 3h\n");
      return server.requests().getLast();
    }

    @Test
    void submits_a_task() {
      assertThat(
              sent(
                  "{\"kind\": \"book\", \"payload\": 0.10}",
                  "schedule",
                  "add",
                  "nightly",
                  "--cron",
                  "0 8 * * 1-5",
                  "--zone",
                  "Europe/Paris",
                  "-"))
          .isEqualTo(
              "POST /schedule {\"task\":{\"kind\":\"book\",\"payload\":0.10},\"name\":\"nightly\","
                  + "\"trigger\":{\"cron\":\"0 8 * * 1-5\",\"zone\":\"Europe/Paris\"}}");
    }

    @Test
    void submits_a_batch() {
      String trigger = ",\"name\":\"nightly\",\"trigger\":{\"every\":\"5m\"}}";
      String batch = "{\"tasks\":[{\"kind\":\"book\"}]%s}";

      assertThat(
              sent(
                  batch.formatted(",\"name\":\"b\""),
                  "schedule",
                  "add",
                  "nightly",
                  "--every=5m",
                  "-"))
          .isEqualTo("POST /schedule {\"batch\":" + batch.formatted(",\"name\":\"b\"") + trigger);
      assertThat(sent("[{\"kind\":\"book\"}]", "schedule", "add", "nightly", "--every=5m", "-"))
          .isEqualTo("POST /schedule {\"batch\":" + batch.formatted("") + trigger);
    }

    @Test
    void takes_a_whole_schedule_and_the_options_win() throws IOException {
      Path file =
          Files.writeString(
              folder.resolve("schedule.json"),
              """
              {"name": "other", "trigger": {"at": "08:00", "days": ["mon"], "zone": "Asia/Tokyo"},
               "task": {"kind": "book"}, "overlap": "allow"}""");

      assertThat(sent("", "schedule", "add", "nightly", file.toString()))
          .isEqualTo(
              "POST /schedule {\"name\":\"nightly\",\"trigger\":{\"at\":\"08:00\",\"days\":[\"mon\"],"
                  + "\"zone\":\"Asia/Tokyo\"},\"task\":{\"kind\":\"book\"},\"overlap\":\"allow\"}");
      assertThat(
              sent(
                  "",
                  "schedule",
                  "add",
                  "nightly",
                  file.toString(),
                  "--at=09:00",
                  "--overlap=queue",
                  "--misfire=skip",
                  "--paused"))
          .isEqualTo(
              "POST /schedule {\"name\":\"nightly\",\"trigger\":{\"at\":\"09:00\",\"days\":[\"mon\"],"
                  + "\"zone\":\"Asia/Tokyo\"},\"task\":{\"kind\":\"book\"},\"overlap\":\"queue\","
                  + "\"misfire\":\"skip\",\"enabled\":false}");
    }

    @Test
    void programs_get_json() {
      CliResult result =
          server
              .shell()
              .stdin("{\"kind\": \"book\"}")
              .run("schedule", "add", "nightly", "--at", "02:00", "-", "--json");

      assertThat(result.json().getFirst().get("name").stringValue()).isEqualTo("nightly");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '"',
        value = {
          "{} | schedule add a - | --cron: give --cron, --every or --at, or a FILE with a trigger",
          "{} | schedule add a --zone UTC - | --cron: give --cron, --every or --at",
          "{} | schedule add a --at 8:00 --every 5m - | --cron: give only one of",
          "{} | schedule add a --every 5m --days mon - | --days: goes with --at",
          "{} | schedule add a --every 5m --zone UTC - | --zone: does not go with --every",
          "{,} | schedule add a --every 5m - | FILE: is not JSON at line 1, column 2",
          "{'a':1,'a':2} | schedule add a --every 5m - | FILE: is not JSON at line 1, column",
          "5 | schedule add a --every 5m - | FILE: must hold a task, a batch or a schedule",
          "{} | schedule add a --every 5m /nowhere.json | file not found: '/nowhere.json'",
          "{} | schedule add a --every 5m | missing required parameter: 'FILE'",
          "{} | schedule ad a | unknown command 'ad'; did you mean 'add'?"
        })
    void wrong_use_is_refused(String stdin, String call, String error) {
      CliResult result = server.shell().stdin(stdin.replace('\'', '"')).run(call.split(" ", -1));

      assertRefused(result, 2, error);
      assertThat(server.requests()).isEmpty();
    }

    @Test
    void options_that_do_not_go_together_are_reported_at_once() {
      assertThat(
              run("schedule", "add", "a", "--every=5m", "--days=mon", "--zone=UTC", "-")
                  .err()
                  .lines())
          .hasSize(2);
    }
  }

  @Test
  void errors_of_the_server_are_reported() {
    server.on(
        400,
        "POST /schedule",
        """
        {"title": "Bad Request", "detail": "2 errors", "errors": [
          {"path": "trigger.cron", "message": "minute: 61 is not 0 to 59"},
          {"path": "overlap", "message": "must be skip, queue or allow"}]}""");
    assertRefused(
        server.shell().stdin("{}").run("schedule", "add", "a", "--cron=61 * * * *", "-"),
        2,
        "perdure: trigger.cron: minute: 61 is not 0 to 59\nperdure: overlap: must be");
    server.on(
        409,
        "PATCH /schedule/a",
        "{\"title\": \"Conflict\", \"detail\": \"schedule 'a' has changed\"}");
    assertRefused(run("schedule", "edit", "a", "--paused"), 1, "schedule 'a' has changed");
  }

  @Nested
  class Edit {

    @BeforeEach
    void accept() {
      server.on("GET /schedule/nightly", nightly("")).on("PATCH /schedule/nightly", nightly(""));
    }

    private String sent(String... args) {
      CliResult result = server.shell().stdin("{\"kind\": \"book\"}").run(args);
      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .isEqualTo("nightly: every weekday at 08:00 Europe/Paris, next in 3h\n");
      return server.requests().getLast().replaceFirst("^PATCH /schedule/nightly ", "");
    }

    @Test
    void changes_only_what_is_given() {
      assertThat(sent("schedule", "edit", "nightly", "--overlap", "queue"))
          .isEqualTo("{\"overlap\":\"queue\"}");
      assertThat(sent("schedule", "edit", "nightly", "--misfire=skip", "--paused"))
          .isEqualTo("{\"misfire\":\"skip\",\"enabled\":false}");
      assertThat(sent("schedule", "edit", "nightly", "-"))
          .isEqualTo("{\"task\":{\"kind\":\"book\"}}");
      assertThat(server.requests()).noneMatch(request -> request.startsWith("GET"));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "--zone=UTC | {\"cron\":\"0 8 * * 1-5\",\"zone\":\"UTC\"}",
          "--cron=@daily | {\"cron\":\"@daily\",\"zone\":\"Europe/Paris\"}",
          "--at=08:00 | {\"at\":\"08:00\",\"zone\":\"Europe/Paris\"}",
          "--every=5m | {\"every\":\"5m\"}"
        })
    void a_trigger_keeps_what_still_fits(String option, String trigger) {
      assertThat(sent("schedule", "edit", "nightly", option))
          .isEqualTo("{\"trigger\":" + trigger + ",\"version\":3}");
    }

    @Test
    void the_days_of_a_time_of_day_can_change_alone() {
      server.on(
          "GET /schedule/at",
          nightly("")
              .replace("\"cron\": \"0 8 * * 1-5\"", "\"at\": \"08:00\", \"days\": [\"mon\"]"));
      server.on("PATCH /schedule/at", nightly(""));

      run("schedule", "edit", "at", "--days", "sat, sun");
      run("schedule", "edit", "at", "--at", "09:00");

      assertThat(server.requests())
          .contains(
              "PATCH /schedule/at {\"trigger\":{\"at\":\"08:00\",\"days\":[\"sat\",\"sun\"],"
                  + "\"zone\":\"Europe/Paris\"},\"version\":3}",
              "PATCH /schedule/at {\"trigger\":{\"at\":\"09:00\",\"days\":[\"mon\"],"
                  + "\"zone\":\"Europe/Paris\"},\"version\":3}");
    }

    @Test
    void no_change_is_refused() {
      assertRefused(run("schedule", "edit", "nightly"), 2, "give at least one option, or a FILE");
      assertRefused(run("schedule", "edit", "nope", "--at=08:00"), 1, "there is nothing here");
    }
  }
}
