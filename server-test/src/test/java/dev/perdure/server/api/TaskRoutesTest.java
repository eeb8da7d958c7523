// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class TaskRoutesTest {

  private static final String UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;

  TaskRoutesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server =
        database.server(
            folder, Map.of(Settings.MAX_TASKS_PER_REQUEST, "20", Settings.PAGINATION_MAX, "10"));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String submit(String task) throws IOException {
    RawResponse response = server.post("/task", task);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0).get("id").stringValue();
  }

  private String status(String id) throws IOException {
    return server.get("/task/" + id).json().get("status").stringValue();
  }

  @Nested
  class Submitting {

    @Test
    void stores_all_fields_of_a_task() throws IOException {
      RawResponse response =
          server.post(
              "/task",
              """
              {"kind": "mail", "name": "to Ada", "payload": {"to": "ada@example.org", "n": 0.1234567890123456789010},
               "metadata": {"customer": 7, "note": null}, "timeout": 30, "priority": -5,
               "run_at": "2030-01-01T01:00:00+01:00", "deadline": "2031-01-01T00:00:00Z",
               "retry": {"max_retries": 3}}\
              """);

      assertThat(response.status()).isEqualTo(201);
      assertThat(response.json()).hasSize(1);
      JsonNode task = response.json().get(0);
      assertThat(response.header("X-Batch-ID")).isEqualTo(task.get("batch_id").stringValue());
      assertThat(task.get("status").stringValue()).isEqualTo("Pending");
      assertThat(task.propertyNames()).doesNotContain("payload", "actions", "result");
      assertThat(task.get("metadata").get("customer").intValue()).isEqualTo(7);
      assertThat(task.get("metadata").get("note").isNull()).isTrue();
      assertThat(task.get("run_at").stringValue()).isEqualTo("2030-01-01T00:00:00.000Z");
      assertThat(task.get("deadline").stringValue()).isEqualTo("2031-01-01T00:00:00.000Z");
      assertThat(task.get("timeout").intValue()).isEqualTo(30);
      assertThat(task.get("priority").intValue()).isEqualTo(-5);
      assertThat(task.get("retries_left").intValue()).isEqualTo(3);
      assertThat(task.get("attempt").intValue()).isZero();
      assertThat(task.get("next_retry_at").isNull()).isTrue();

      RawResponse shown = server.get("/task/" + task.get("id").stringValue());
      assertThat(shown.body())
          .contains("\"payload\":{\"to\":\"ada@example.org\",\"n\":0.1234567890123456789010}");
      assertThat(shown.json().get("attempts")).isEmpty();
      assertThat(shown.json().get("name").stringValue()).isEqualTo("to Ada");
      assertThat(server.get("/metrics").body()).contains("tasks_created_total 1.0");
    }

    @Test
    void stores_an_array_in_order_as_one_batch() throws IOException {
      String tasks =
          IntStream.range(0, 15)
              .mapToObj("{\"kind\":\"k\",\"name\":\"n%d\"}"::formatted)
              .collect(Collectors.joining(",", "[", "]"));

      JsonNode json = server.post("/task", tasks).json();

      assertThat(json.valueStream().map(task -> task.get("name").stringValue()))
          .containsExactlyElementsOf(IntStream.range(0, 15).mapToObj(i -> "n" + i).toList());
      assertThat(json.valueStream().map(task -> task.get("batch_id").stringValue()).distinct())
          .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "{} | kind | is required",
          "{'kind':'k','payloda':1} | payloda | did you mean 'payload'",
          "{'kind':''} | kind | must have 1 to 100 characters",
          "{'kind':7} | kind | must be a string",
          "{'kind':'=k'} | kind | must not begin with '='",
          "{'kind':'k','timeout':0} | timeout | must be a whole number from 1",
          "{'kind':'k','priority':1001} | priority | from -1000 to 1000",
          "{'kind':'k','run_at':'tomorrow'} | run_at | is not an instant",
          "{'kind':'k','metadata':[]} | metadata | must be an object",
          "{'kind':'k','retry':{'max_retries':11}} | retry.max_retries | must be at most 10",
          "{'kind':'k','dependencies':[1]} | dependencies[0] | must be an object",
          "{'kind':'k','rules':{}} | rules | must be an array",
          "{'kind':'k','rules':[{}]} | rules[0].type | is required",
          "{'kind':'k','rules':[{'type':'Rate','max_starts':5}]} | rules[0].per | is required",
          "{'kind':'k','dedupe':'replace'} | dedupe | needs 'dedupe_key' or 'dedupe_strategy'",
          "{'kind':'k','actions':[]} | actions | use on_start, on_success",
          "[{'kind':'k'},{'kind':'k','nmae':'x'}] | [1].nmae | did you mean 'name'",
          "{'tasks':[{'kind':'k','nmae':'x'}]} | tasks[0].nmae | did you mean 'name'",
          "{'tasks':[]} | tasks | must contain at least one task",
          "{'tasks':{'kind':'k'}} | tasks | must be an array",
          "{'tasks':null} | tasks | must be an array",
          "{'tasks':[{'kind':'k'}],'dead_end_cancel':7} | dead_end_cancel | must be true or false",
          "{'tasks':[{'kind':'k'}],'rules':[1]} | rules | belongs to a task",
          "{'tasks':[{'kind':'k'}],'rule':[]} | rule | unknown field (known fields: tasks, retry, ",
          "7 | '' | must be an object"
        })
    void reports_errors_and_stores_nothing(String body, String path, String message)
        throws IOException {
      RawResponse response = server.post("/task", body.replace('\'', '"'));

      assertThat(response.status()).isEqualTo(400);
      JsonNode error = response.json().get("errors").get(0);
      assertThat(error.get("path").stringValue()).isEqualTo(path);
      assertThat(error.get("message").stringValue()).contains(message);
      assertThat(server.get("/task").header("X-Total-Count")).isEqualTo("0");
    }

    @Test
    void accepts_an_envelope() throws IOException {
      RawResponse response =
          server.post("/task", "{\"tasks\": [{\"kind\": \"a\"}, {\"kind\": \"b\"}]}");

      assertThat(response.status()).isEqualTo(201);
      assertThat(response.json().findValuesAsString("kind")).containsExactly("a", "b");
      assertThat(response.header("X-Batch-ID")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "12.50",
          "0.10",
          "123456789012345678901234567890123456789",
          "9007199254740993",
          "0.1234567890123456789012345678901234567890",
          "1E+5"
        })
    void keeps_all_digits_of_numbers(String number) throws IOException {
      RawResponse response =
          server.post(
              "/task",
              "{\"kind\":\"k\",\"payload\":{\"n\":[%1$s]},\"metadata\":{\"n\":{\"m\":%1$s}}}"
                  .formatted(number));
      String id = response.json().get(0).get("id").stringValue();

      String metadata = "\"metadata\":{\"n\":{\"m\":%s}}".formatted(number);
      assertThat(response.body()).contains(metadata);
      assertThat(server.get("/task/" + id).body())
          .contains(metadata)
          .contains("\"payload\":{\"n\":[%s]}".formatted(number));
    }
  }

  @Nested
  class Listing {

    private List<String> names(String query) throws IOException {
      return server
          .get("/task" + query)
          .json()
          .valueStream()
          .map(task -> task.get("name").stringValue())
          .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/task", "/retry"})
    void leaves_out_payload_actions_and_result(String list) throws IOException {
      String id =
          submit("{\"kind\": \"a\", \"payload\": \"big\", \"retry\": {\"preset\": \"queue\"}}");
      server.post("/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"a\"]}");
      server.send("PATCH", "/task/" + id, "{\"status\": \"Failure\", \"retry_after\": \"1h\"}");

      JsonNode row = server.get(list).json().get(0);

      assertThat(row.propertyNames())
          .contains("id", "status", "attempt", "next_retry_at", "metadata", "retries_left")
          .doesNotContain("payload", "actions", "result");
      assertThat(server.get("/task/" + id).json().propertyNames())
          .contains("payload", "actions", "result");
    }

    @Test
    void links_each_page_to_the_next() throws IOException {
      for (int i = 0; i < 5; i++) {
        submit("{\"kind\":\"a\",\"name\":\"n%d\"}".formatted(i));
      }
      submit("{\"kind\":\"b\",\"name\":\"other\"}");
      List<String> seen = new ArrayList<>();
      String next = "/task?kind=a&page_size=2";
      int pages = 0;
      while (!next.isEmpty() && pages < 10) {
        RawResponse response = server.get(next);
        assertThat(response.header("X-Total-Count")).isEqualTo("5");
        response.json().forEach(task -> seen.add(task.get("name").stringValue()));
        next = response.header("Link").replaceAll("<(.*)>; rel=\"next\"", "$1");
        pages++;
      }

      assertThat(seen).containsExactly("n4", "n3", "n2", "n1", "n0");
      assertThat(pages).isEqualTo(3);
    }

    @Test
    void filters_by_status_kind_name_batch_and_time() throws IOException {
      String canceled = submit("{\"kind\":\"a\",\"name\":\"gone\"}");
      server.request("DELETE", "/task/" + canceled);
      String paused = submit("{\"kind\":\"b\",\"name\":\"held\"}");
      server.request("PATCH", "/task/pause/" + paused);
      String dropped = submit("{\"kind\":\"c\",\"name\":\"dropped\"}");
      server.request("PATCH", "/task/pause/" + dropped);
      server.request("DELETE", "/task/" + dropped);
      String live = submit("{\"kind\":\"b\",\"name\":\"Live\"}");
      String batch = server.get("/task/" + live).json().get("batch_id").stringValue();

      assertThat(names("?status=canceled")).containsExactly("dropped", "gone");
      assertThat(names("?status=Paused")).containsExactly("held");
      assertThat(names("?status=Paused&sort=next_retry_at")).isEmpty();
      assertThat(names("?status=Canceled,PENDING&kind=a")).containsExactly("gone");
      assertThat(names("?kind=b")).containsExactly("Live", "held");
      assertThat(names("?name=iv")).containsExactly("Live");
      assertThat(names("?batch_id=" + batch)).containsExactly("Live");
      assertThat(names("?created_after=2100-01-01T00:00:00Z")).isEmpty();
      assertThat(names("?created_before=2100-01-01T00:00:00Z")).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "statsu=Pending",
          "status=Pendign",
          "page_size=0",
          "page_size=11",
          "page_size=x",
          "batch_id=7",
          "after=7",
          "created_after=now",
          "give_up_reason=tired",
          "sort=priority",
          "sort=ended_at",
          "sort=-ended_at&status=Failure,Pending",
          "sort=next_retry_at&status=Pending",
          "sort=-ended_at&status=Paused",
          "sort=next_retry_at&batch_id=00000000-0000-7000-8000-000000000000",
          "after=00000000-0000-7000-8000-000000000000&sort=-ended_at",
          "metadata=customer",
          "metadata=[]",
          "metadata={}",
          "metadata={\"a\":1e99999999999}",
          "metadata={\"a\":1}x"
        })
    void rejects_invalid_queries(String query) throws IOException {
      RawResponse response = server.get("/task?" + query);

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.json().get("errors").get(0).get("path").stringValue())
          .isEqualTo(query.split("=", 2)[0]);
    }
  }

  @Nested
  class OperatorActions {

    @Test
    void canceling_again_succeeds() throws IOException {
      String id = submit("{\"kind\":\"k\"}");

      RawResponse first = server.request("DELETE", "/task/" + id);
      RawResponse second = server.request("DELETE", "/task/" + id);

      assertThat(first.status()).isEqualTo(200);
      assertThat(first.json().get("status").stringValue()).isEqualTo("Canceled");
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.json()).isEqualTo(first.json());
    }

    @Test
    void a_task_can_be_paused_and_resumed() throws IOException {
      String id = submit("{\"kind\":\"k\"}");

      assertThat(server.request("PATCH", "/task/pause/" + id).status()).isEqualTo(200);
      assertThat(status(id)).isEqualTo("Paused");
      assertThat(server.request("PATCH", "/task/resume/" + id).status()).isEqualTo(200);
      assertThat(status(id)).isEqualTo("Pending");
    }

    @Test
    void retry_revives_a_canceled_task() throws IOException {
      String id = submit("{\"kind\":\"k\"}");
      server.request("DELETE", "/task/" + id);

      assertThat(
              server.post("/task/" + id + "/retry", "{\"at\":\"2100-01-01T00:00:00Z\"}").status())
          .isEqualTo(409);
      RawResponse response = server.request("POST", "/task/" + id + "/retry");

      assertThat(response.status()).isEqualTo(200);
      assertThat(response.json().get("status").stringValue()).isEqualTo("Pending");
      assertThat(response.json().get("attempt").intValue()).isEqualTo(1);
    }

    @Test
    void an_action_that_the_state_does_not_allow_is_a_409() throws IOException {
      String id = submit("{\"kind\":\"k\"}");
      server.request("DELETE", "/task/" + id);

      RawResponse refused = server.request("PATCH", "/task/pause/" + id);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").stringValue()).contains(id, "Canceled");
    }

    @ParameterizedTest
    @CsvSource({
      "GET, /task/%s",
      "DELETE, /task/%s",
      "PATCH, /task/pause/%s",
      "PATCH, /task/resume/%s",
      "POST, /task/%s/retry"
    })
    void an_unknown_task_is_a_404(String method, String path) throws IOException {
      for (String id : List.of(UNKNOWN_ID, "7", "1-1-1-1-1")) {
        RawResponse response = RawHttpClient.request(server.port(), method, path.formatted(id));
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
      }
    }

    @Test
    void an_invalid_retry_time_is_rejected() throws IOException {
      String id = submit("{\"kind\":\"k\"}");

      assertThat(server.post("/task/" + id + "/retry", "{\"at\":5}").status()).isEqualTo(400);
      assertThat(server.post("/task/" + id + "/retry", "{\"when\":5}").body())
          .contains("unknown field");
    }
  }
}
