// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules that are refused. */
class ScheduleErrorsTest extends ScheduleRoutesFixture {

  ScheduleErrorsTest(TestDatabase database) {
    super(database);
  }

  @Test
  void are_reported_all_at_once() throws IOException {
    RawResponse response =
        server.post(
            "/schedule",
            """
            {"trigger": {"cron": "61 8 * * *", "zone": "Europe/Pariss"},
             "task": {"kind": "", "retry": {"max_retries": -1}, "run_at": "2030-01-01T00:00:00Z"},
             "overlap": "skp", "misfire": "never", "colour": "red"}""");

    assertThat(errors(response).stream().map(error -> error.substring(0, error.indexOf(": "))))
        .contains(
            "name",
            "trigger.cron",
            "trigger.zone",
            "task.kind",
            "task.retry.max_retries",
            "task.run_at",
            "overlap",
            "misfire",
            "colour");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "task": {"kind": "a", "retry": {"max_retries": 1}}, "retry": {"max_retries": 2} | retry: is also in the task or batch that it submits: keep one of them
          "task": {"kind": "a"}, "retry": {"max_retries": "x"}                            | retry.max_retries: must be
          "task": {"kind": "a"}, "batch": [{"kind": "a"}]                                 | : has a 'task' and a 'batch': keep one of them
          "enabled": true                                                                 | : must have a 'task' or a 'batch'
          "task": [{"kind": "a"}]                                                         | task: must be an object
          "task": {"tasks": [{"kind": "a"}]}                                              | task: is a batch, because it has 'tasks': name the field 'batch'
          "batch": [{"kind": "a"}, {"kind": ""}]                                          | batch[1].kind:
          "batch": {"tasks": [{"kind": "a", "deadline": "2030-01-01T00:00:00Z"}]}         | batch.tasks[0].deadline: would have passed at later firings
          "task": {"kind": "a", "dependencies": [{"id": "0198e000-0000-7000-8000-000000000000"}]} | task.dependencies[0].id: a task of a schedule can only depend on tasks of the same firing
          """)
  void name_the_field_that_was_sent(String fields, String error) throws IOException {
    RawResponse response =
        server.post(
            "/schedule",
            "{\"name\": \"x\", \"trigger\": {\"every\": \"5m\"}, %s}".formatted(fields));

    assertThat(errors(response)).anyMatch(found -> found.startsWith(error));
    assertThat(server.get("/schedule").json()).isEmpty();
  }

  @Test
  void an_unknown_schedule_is_not_found() throws IOException {
    for (String path :
        List.of("/schedule/no%20such", "/schedule/0198e000-0000-7000-8000-000000000000")) {
      assertThat(server.get(path).status()).isEqualTo(404);
    }
    assertThat(server.get("/schedule/no%20such").json().get("detail").asString())
        .isEqualTo("there is no schedule 'no such'");
  }

  @Test
  void a_nul_character_comes_before_all_others() throws IOException {
    create(BOOKING);

    assertThat(server.get("/schedule/book%00ing").status()).isEqualTo(400);
    assertThat(server.get("/schedule?after=%00").json()).hasSize(1);
    assertThat(server.get("/schedule?after=booking%00").json()).isEmpty();
    assertThat(server.get("/schedule?after=book%00ing").json()).hasSize(1);
  }

  @Test
  void a_page_has_at_most_100_schedules() throws IOException {
    assertThat(server.get("/schedule?page_size=100").status()).isEqualTo(200);
    assertThat(errors(server.get("/schedule?page_size=101")))
        .containsExactly("page_size: must be a whole number from 1 to 100, not '101'");
  }

  @ParameterizedTest
  @CsvSource({"'\"batch\": [%s]', batch", "'\"batch\": {\"tasks\": [%s]}', batch.tasks"})
  void too_many_tasks_are_an_error(String batch, String path) throws IOException {
    String tasks = "{\"kind\": \"a\"}" + ", {\"kind\": \"a\"}".repeat(10_000);

    RawResponse response =
        server.post(
            "/schedule",
            "{\"name\": \"x\", \"trigger\": {\"every\": \"5m\"}, %s}"
                .formatted(batch.formatted(tasks)));

    assertThat(errors(response))
        .containsExactly(path + ": a firing can have at most 10000 tasks, not 10001");
  }
}
