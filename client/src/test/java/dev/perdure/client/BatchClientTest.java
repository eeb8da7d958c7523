// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.policy.RetryPolicy;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Batches and dependencies: what the client sends, and how it reads the responses. */
@Timeout(60)
class BatchClientTest extends ScriptedServerFixture {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final UUID PARENT = new UUID(3, 4);

  private static final String BATCH =
      """
      {"batch_id": "ID", "name": "nightly", "run": 2,
       "runs": [{"run": 1, "started_at": "NOW", "ended_at": "NOW", "outcome": "failure",
                 "failure": {"kind": "http", "status": 503}},
                {"run": 2, "started_at": "NOW", "ended_at": null, "outcome": null}],
       "next_run_at": null, "total_tasks": 3,
       "status_counts": {"waiting": 1, "pending": 0, "retry_pending": 1, "success": 1, "napping": 4},
       "total_success": 7, "total_failures": 1, "total_expected": 20, "progress": 0.4,
       "created_at": "NOW", "last_updated": "NOW", "ended_at": null, "stopped_at": null,
       "retry": {"preset": "queue"}, "context": {"day": 7}}"""
          .replace("ID", ID.toString())
          .replace("NOW", NOW.toString());

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  /** The body of the only request. */
  private JsonNode body() {
    assertThat(requests).hasSize(1);
    return json(requests.getFirst().split(" ", 3)[2]);
  }

  @Nested
  class Submitting {

    @Test
    void names_parents_by_local_id_and_by_task_id() throws IOException {
      TaskRequest report =
          TaskRequest.of("report")
              .after("import", "check")
              .after(PARENT)
              .afterEvenIfFailed("notify")
              .afterEvenIfFailed(ID);

      try (PerdureClient client = scripted(task(), 201)) {
        client.submit(TaskRequest.of("import").localId("import"), report);
      }

      assertThat(body().get(0).has("dependencies")).isFalse();
      assertThat(body().get(1).get("dependencies"))
          .isEqualTo(
              json(
                  """
                  [{"id": "import", "requires_success": true},
                   {"id": "check", "requires_success": true},
                   {"id": "%s", "requires_success": true},
                   {"id": "notify", "requires_success": false},
                   {"id": "%s", "requires_success": false}]"""
                      .formatted(PARENT, ID)));
    }

    @Test
    void a_task_request_does_not_change() {
      TaskRequest first = TaskRequest.of("a").after("b");
      TaskRequest second = first.after("c");

      assertThat(first.toJson().get("dependencies")).hasSize(1);
      assertThat(second.toJson().get("dependencies")).hasSize(2);
    }

    @Test
    void sends_every_field_of_a_batch() throws IOException {
      BatchRequest batch =
          BatchRequest.of(TaskRequest.of("a"), TaskRequest.of("b"))
              .name("nightly")
              .retry(RetryPolicy.queue(5))
              .context(Map.of("day", 7))
              .onSuccess(Webhook.post(URI.create("https://example.org/ok")))
              .onFailure(Webhook.post(URI.create("https://example.org/no")))
              .onFinished(Webhook.post(URI.create("https://example.org/end")))
              .deadEndCancel(true)
              .shardKey("tenant-7");

      try (PerdureClient client = scripted(task(), 201)) {
        assertThat(client.submit(batch).batchId()).isEqualTo(ID);
      }

      JsonNode sent = body();
      assertThat(sent.propertyNames())
          .containsExactlyInAnyOrder(
              "tasks",
              "name",
              "retry",
              "context",
              "on_success",
              "on_failure",
              "on_finished",
              "dead_end_cancel",
              "shard_key");
      assertThat(sent.get("tasks")).hasSize(2);
      assertThat(sent.get("retry").get("max_retries").intValue()).isEqualTo(5);
      assertThat(sent.get("context")).isEqualTo(json("{\"day\": 7}"));
      assertThat(sent.get("on_finished").get(0).get("params").get("url").stringValue())
          .isEqualTo("https://example.org/end");
      assertThat(sent.get("dead_end_cancel").booleanValue()).isTrue();
      assertThat(sent.get("shard_key").stringValue()).isEqualTo("tenant-7");
      assertThat(keys).doesNotContain("null");
    }

    @Test
    void takes_a_policy_as_json_and_an_idempotency_key() throws IOException {
      BatchRequest batch =
          BatchRequest.of(List.of(TaskRequest.of("a"))).retryJson("{\"preset\": \"queue\"}");

      try (PerdureClient client = scripted(task(), 201)) {
        client.submit("nightly-7", batch);
      }

      assertThat(body())
          .isEqualTo(json("{\"tasks\": [{\"kind\": \"a\"}], \"retry\": {\"preset\": \"queue\"}}"));
      assertThat(keys).containsExactly("nightly-7");
    }

    @Test
    void a_batch_needs_a_task() {
      assertThatThrownBy(BatchRequest::of)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("tasks: must contain at least one task");
    }

    @Test
    void a_batch_is_printed_without_its_context_and_webhooks() {
      BatchRequest batch =
          BatchRequest.of(TaskRequest.of("a")).name("nightly").context(Map.of("token", "secret"));

      assertThat(batch).hasToString("BatchRequest[name=nightly, tasks=1]");
    }
  }

  @Nested
  class Reading {

    @Test
    void a_batch() throws IOException {
      try (PerdureClient client = scripted(BATCH, 200)) {
        BatchInfo batch = client.batches().get(ID);

        assertThat(requests).containsExactly("GET /batch/" + ID);
        assertThat(batch.id()).isEqualTo(ID);
        assertThat(batch.name()).isEqualTo("nightly");
        assertThat(batch.run()).isEqualTo(2);
        assertThat(batch.totalTasks()).isEqualTo(3);
        assertThat(batch.count(TaskStatus.RETRY_PENDING)).isEqualTo(1);
        assertThat(batch.count(TaskStatus.CANCELED)).isZero();
        assertThat(batch.live()).as("unknown statuses included").isEqualTo(6);
        assertThat(batch.statusCounts()).containsEntry(TaskStatus.UNKNOWN, 4L);
        assertThat(batch.totalSuccess()).isEqualTo(7);
        assertThat(batch.totalFailures()).isEqualTo(1);
        assertThat(batch.totalExpected()).isEqualTo(20);
        assertThat(batch.progress()).isEqualTo(0.4);
        assertThat(batch.createdAt()).isEqualTo(NOW);
        assertThat(batch.endedAt()).isNull();
        assertThat(batch.retry()).isEqualTo(json("{\"preset\": \"queue\"}"));
        assertThat(batch.context()).isEqualTo(json("{\"day\": 7}"));
        assertThat(batch.runs()).hasSize(2);
        assertThat(batch.runs().getFirst().outcome()).isEqualTo("failure");
        assertThat(batch.runs().getFirst().failure())
            .isEqualTo(json("{\"kind\": \"http\", \"status\": 503}"));
        assertThat(batch.runs().getLast().endedAt()).isNull();
      }
    }

    @Test
    void no_batch() throws IOException {
      String problem = "{\"title\": \"Not Found\", \"detail\": \"there is no batch\"}";
      try (PerdureClient client = scripted(problem, 404)) {
        assertThat(client.batches().find(ID)).isEmpty();
      }
    }

    @Test
    void a_page_of_batches() throws IOException {
      String row =
          """
          [{"batch_id": "ID", "name": null, "run": 1, "total_tasks": 2,
            "status_counts": {"success": 2}, "kinds": ["mail", "report"], "created_at": "NOW",
            "last_updated": "NOW", "ended_at": "NOW", "first_created_at": "NOW",
            "latest_updated_at": "NOW"}]"""
              .replace("ID", ID.toString())
              .replace("NOW", NOW.toString());
      BatchSearch search =
          BatchSearch.all()
              .name("night")
              .kind("mail")
              .status(TaskStatus.RETRY_PENDING)
              .createdAfter(NOW)
              .createdBefore(NOW)
              .ended()
              .pageSize(10)
              .after("c");

      try (PerdureClient client = scripted(row, 200)) {
        Page<BatchInfo> page = client.batches().list(search);

        assertThat(page.next()).isEqualTo("x");
        assertThat(page.items()).hasSize(1);
        BatchInfo batch = page.items().getFirst();
        assertThat(batch.kinds()).containsExactly("mail", "report");
        assertThat(batch.endedAt()).isEqualTo(NOW);
        assertThat(batch.runs()).isEmpty();
        assertThat(batch.progress()).isNull();
      }
      assertThat(requests)
          .containsExactly(
              "GET /batches?name=night&kind=mail&status=RetryPending"
                  + "&created_after=2026-01-01T00%3A00%3A00Z&created_before=2026-01-01T00%3A00%3A00Z"
                  + "&state=ended&page_size=10&after=c");
    }

    @Test
    void only_live_batches() throws IOException {
      try (PerdureClient client = scripted("[]", 200)) {
        client.batches().list(BatchSearch.all().live());
      }
      assertThat(requests).containsExactly("GET /batches?state=live");
    }

    @Test
    void a_graph() throws IOException {
      String graph =
          "{\"tasks\": %s, \"links\": [{\"parent_id\": \"%s\", \"child_id\": \"%s\"}, %s]}"
              .formatted(
                  task(),
                  PARENT,
                  ID,
                  "{\"parent_id\": \"%s\", \"child_id\": \"%s\", \"requires_success\": false}"
                      .formatted(ID, PARENT));

      try (PerdureClient client = scripted(graph, 200)) {
        BatchGraph read = client.batches().graph(ID);

        assertThat(requests).containsExactly("GET /dag/" + ID);
        assertThat(read.tasks()).extracting(TaskInfo::id).containsExactly(ID);
        assertThat(read.truncated()).isFalse();
        assertThat(read.links())
            .containsExactly(
                new DependencyInfo(PARENT, ID, true), new DependencyInfo(ID, PARENT, false));
      }
    }
  }

  @Nested
  class Changing {

    @Test
    void stop_cancels_what_is_live() throws IOException {
      String stopped =
          """
          {"batch_id": "%s", "canceled_waiting": 1, "canceled_pending": 2, "canceled_claimed": 3,
           "canceled_running": 4, "canceled_retry_pending": 5, "canceled_paused": 6,
           "canceled_parked": 8, "already_terminal": 7}"""
              .formatted(ID);

      try (PerdureClient client = scripted(stopped, 200)) {
        BatchStopResponse result = client.batches().stop(ID);

        assertThat(result).isEqualTo(new BatchStopResponse(ID, 1, 2, 3, 4, 5, 6, 8, 7));
        assertThat(result.canceled()).isEqualTo(29);
      }
      assertThat(requests).containsExactly("DELETE /batch/" + ID);
    }

    @Test
    void retry_revives_the_failed_tasks() throws IOException {
      String revived = "{\"batch_id\": \"%s\", \"run\": 1, \"revived\": 3}".formatted(ID);

      try (PerdureClient client = scripted(revived, 200)) {
        assertThat(client.batches().retry(ID)).isEqualTo(new BatchRetryResponse(ID, 1, 3, null));
      }
      assertThat(requests).containsExactly("POST /batch/%s/retry".formatted(ID));
    }

    @Test
    void run_again_starts_a_new_run() throws IOException {
      String started =
          "{\"batch_id\": \"%s\", \"run\": 2, \"revived\": 9, \"next_run_at\": \"%s\"}"
              .formatted(ID, NOW);

      try (PerdureClient client = scripted(started, 200, 200)) {
        assertThat(client.batches().runAgain(ID)).isEqualTo(new BatchRetryResponse(ID, 2, 9, NOW));
        client.batches().runAgain(ID, 1);
      }
      assertThat(requests)
          .containsExactly(
              "POST /batch/%s/retry {\"run\":\"new\"}".formatted(ID),
              "POST /batch/%s/retry {\"run\":\"new\",\"expected_run\":1}".formatted(ID));
    }

    @Test
    void resolve_marks_a_failed_task_as_succeeded() throws IOException {
      String task = json(task()).get(0).toString();
      try (PerdureClient client = scripted(task, 200, 200)) {
        assertThat(client.resolve(ID, "fixed by hand", null).id()).isEqualTo(ID);
        client.resolve(ID, "fixed by hand", Map.of("rows", 3));
      }
      assertThat(requests)
          .containsExactly(
              "POST /task/%s/resolve {\"reason\":\"fixed by hand\"}".formatted(ID),
              "POST /task/%s/resolve {\"reason\":\"fixed by hand\",\"result\":{\"rows\":3}}"
                  .formatted(ID));
    }

    @Test
    void retry_can_ignore_dependencies() throws IOException {
      try (PerdureClient client = scripted(json(task()).get(0).toString(), 200)) {
        client.retryIgnoringDependencies(ID);
      }
      assertThat(requests)
          .containsExactly("POST /task/%s/retry {\"ignore_dependencies\":true}".formatted(ID));
    }
  }
}
