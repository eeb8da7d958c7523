// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class BulkRouteTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  BulkRouteTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder);
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private JsonNode bulk(String body) throws IOException {
    RawResponse response = server.post("/task/bulk", body);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private void submitMany(String kind, int count) throws IOException {
    server.post(
        "/task",
        IntStream.range(0, count)
            .mapToObj(i -> "{\"kind\": \"%s\"}".formatted(kind))
            .collect(Collectors.joining(",", "[", "]")));
  }

  private long count(String query) throws IOException {
    return Long.parseLong(server.get("/task?" + query).header("X-Total-Count"));
  }

  @Test
  void a_dry_run_counts_and_changes_nothing() throws IOException {
    submitMany("job", 3);
    submitMany("job-archive", 2);

    JsonNode counts =
        bulk("{\"action\": \"cancel\", \"filter\": {\"kind\": \"job\"}, \"dry_run\": true}");

    assertThat(counts.get("matched").longValue()).isEqualTo(3);
    assertThat(counts.get("changed").longValue()).isEqualTo(3);
    assertThat(counts.get("dry_run").booleanValue()).isTrue();
    assertThat(count("status=Pending")).isEqualTo(5);
    assertThat(server.get("/audit").json()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"60", "\"60\""})
  void a_timeout_can_be_a_number(String timeout) throws IOException {
    server.post(
        "/task", "[{\"kind\": \"a\", \"timeout\": 60}, {\"kind\": \"a\", \"timeout\": 61}]");

    JsonNode counts =
        bulk("{\"action\": \"cancel\", \"filter\": {\"timeout\": %s}}".formatted(timeout));

    assertThat(counts.get("changed").longValue()).isEqualTo(1);
  }

  @Test
  void a_bulk_action_is_audited() throws IOException {
    submitMany("job", 3);
    bulk("{\"action\": \"cancel\", \"filter\": {\"kind\": \"job\"}}");

    JsonNode entry = server.get("/audit").json().get(0);
    assertThat(entry.get("action").stringValue()).isEqualTo("bulk");
    assertThat(entry.get("detail").get("changed").longValue()).isEqualTo(3);
    assertThat(entry.get("detail").get("filter")).hasToString("{\"kind\":\"job\"}");
  }

  @Test
  void changes_every_matching_task_page_by_page_and_no_other() throws IOException {
    submitMany("job", 1_203);
    submitMany("job-archive", 2);

    JsonNode counts = bulk("{\"action\": \"cancel\", \"filter\": {\"kind\": \"job\"}}");

    assertThat(counts.get("matched").longValue()).isEqualTo(1_203);
    assertThat(counts.get("changed").longValue()).isEqualTo(1_203);
    assertThat(counts.get("next").isNull()).isTrue();
    assertThat(count("status=Canceled")).isEqualTo(1_203);
    assertThat(count("status=Pending")).isEqualTo(2);
    JsonNode again = bulk("{\"action\": \"cancel\", \"filter\": {\"kind\": \"job\"}}");
    assertThat(again.get("changed").longValue()).isZero();
    assertThat(again.get("skipped").longValue()).isEqualTo(1_203);
  }

  @Test
  void supports_cancel_pause_resume_and_retry() throws IOException {
    submitMany("job", 2);
    bulk("{\"action\": \"pause\", \"filter\": {\"kind\": \"job\"}}");
    assertThat(count("status=Paused")).isEqualTo(2);
    assertThat(client.claim("")).isEmpty();
    bulk("{\"action\": \"resume\", \"filter\": {\"status\": \"Paused\"}}");
    assertThat(count("status=Paused")).isZero();

    String waiting = client.submitJob(TestApiClient.LATER);
    client.claim(", \"limit\": 3");
    client.patch(waiting, "{\"status\": \"Failure\"}");
    bulk("{\"action\": \"cancel\", \"filter\": {\"status\": [\"Running\", \"Pending\"]}}");
    assertThat(count("status=Canceled")).isEqualTo(2);

    JsonNode counts = bulk("{\"action\": \"retry\", \"filter\": {\"kind\": \"job\"}}");
    assertThat(counts.get("changed").longValue()).isEqualTo(3);
    assertThat(client.claim(", \"limit\": 9")).as("due at once").hasSize(3);
  }

  /** A task of an earlier run cannot be retried, and must not keep the others from it. */
  @Test
  void retry_leaves_out_tasks_of_earlier_runs() throws Exception {
    String earlier = client.submit("{\"kind\": \"job\"}");
    failNext();
    String batch = client.show(earlier).get("batch_id").stringValue();
    assertThat(server.post("/batch/" + batch + "/retry", "{\"run\": \"new\"}").status())
        .isEqualTo(200);
    failNext();
    client.submit("{\"kind\": \"job\"}");
    failNext();

    for (boolean dryRun : new boolean[] {true, false}) {
      JsonNode counts =
          bulk(
              "{\"action\": \"retry\", \"filter\": {\"kind\": \"job\"}, \"dry_run\": %s}"
                  .formatted(dryRun));
      assertThat(counts.get("matched").longValue()).isEqualTo(3);
      assertThat(counts.get("changed").longValue()).isEqualTo(2);
    }
    assertThat(client.status(earlier)).isEqualTo("Failure");
    assertThat(count("status=Pending")).isEqualTo(2);
  }

  private void failNext() throws IOException {
    String id = client.claimOne().get("id").stringValue();
    assertThat(client.patch(id, "{\"status\": \"Failure\"}").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"action": "cancel"}                                           | filter
          {"action": "cancel", "filter": {}}                             | filter
          {"action": "cancel", "filter": "all"}                          | filter
          {"action": "cancel", "filter": {"kid": "x"}}                   | filter.kid
          {"action": "cancel", "filter": {"status": "Runing"}}           | filter.status
          {"action": "cancel", "filter": {"batch_id": "x"}}              | filter.batch_id
          {"action": "cancel", "filter": {"kind": 7}}                    | filter.kind
          {"action": "cancel", "filter": {"page_size": "7"}}             | filter.page_size
          {"action": "cancel", "filter": {"kind": null}}                 | filter.kind
          {"action": "cancel", "filter": {"kind": "job", "name": null}}  | filter.name
          {"action": "cancel", "filter": {"kind": ""}}                   | filter.kind
          {"action": "cancel", "filter": {"kind": " "}}                  | filter.kind
          {"action": "cancel", "filter": {"kind": []}}                   | filter.kind
          {"action": "cancel", "filter": {"kind": ["job", ""]}}          | filter.kind[1]
          {"action": "cancel", "filter": {"status": []}}                 | filter.status
          {"action": "cancel", "filter": {"status": ""}}                 | filter.status
          {"action": "cancel", "filter": {"status": ["Pending", ""]}}    | filter.status[1]
          {"action": "cancel", "filter": {"status": ["Pending", null]}}  | filter.status[1]
          {"filter": {"kind": "job"}}                                    | action
          {"action": "cancle", "filter": {"kind": "job"}}                | action
          {"action": "cancel", "filter": {"kind": "j"}, "dry_run": 1}    | dry_run
          {"action": "cancel", "filter": {"kind": "j"}, "dry-run": true} | dry-run
          {"action": "cancel", "filter": {"kind": "j"}, "after": "x"}    | after
          """)
  void an_invalid_request_is_rejected_and_changes_nothing(String body, String path)
      throws IOException {
    submitMany("job", 1);

    RawResponse response = server.post("/task/bulk", body);

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo(path);
    assertThat(count("status=Pending")).isEqualTo(1);
  }
}
