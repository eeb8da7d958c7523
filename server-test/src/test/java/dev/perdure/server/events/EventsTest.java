// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.StreamClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** {@code GET /events} over real connections. */
@Tag("slow")
@ParameterizedClass
@EnumSource
class EventsTest {

  private static final String TASK = "{\"kind\": \"mail\"}";
  private static final int SUBMISSIONS = 1_000;

  private final TestDatabase database;
  @TempDir private Path folder;

  EventsTest(TestDatabase database) {
    this.database = database;
  }

  private static StreamClient openStream(TestServer server) throws IOException {
    StreamClient stream = StreamClient.of(server.port(), "/events");
    assertThat(stream.status()).isEqualTo(200);
    assertThat(stream.next("retry")).isEqualTo("retry: 1000");
    return stream;
  }

  @Test
  void sends_an_event_when_tasks_are_submitted() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient stream = openStream(server)) {
      assertThat(stream.head())
          .contains("Content-Type: text/event-stream", "Cache-Control: no-store")
          .contains("X-Accel-Buffering: no");

      server.post("/task", TASK);

      assertThat(stream.next("event:")).isEqualTo("event: hello");
      assertThat(stream.next("data:")).startsWith("data: {\"version\":\"test\",\"now\":\"20");
      assertThat(stream.next("event:")).isEqualTo("event: tasks");
      assertThat(stream.next("data:")).isEqualTo("data: {}");
      assertThat(stream.nextData("batches")).isEqualTo("data: {}");
    }
  }

  @Test
  void sends_an_event_when_a_schedule_changes() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient stream = openStream(server)) {
      server.post(
          "/schedule",
          "{\"name\": \"s\", \"trigger\": {\"every\": \"1h\"}, \"task\": {\"kind\": \"a\"}}");

      assertThat(stream.nextData("schedules")).isEqualTo("data: {}");
    }
  }

  @Test
  void names_the_nodes_when_they_change() throws IOException {
    Map<Setting<?>, String> same = Map.of(Settings.DATABASE_URL, database.url(folder));
    try (TestServer server = TestServer.in(folder, same);
        StreamClient stream = openStream(server)) {
      assertThat(stream.nextData("nodes")).isEqualTo("data: {}");
      try (TestServer other = TestServer.in(folder, same)) {
        assertThat(other.get("/health").status()).isEqualTo(200);
        assertThat(stream.nextData("nodes")).isEqualTo("data: {}");
      }
    }
  }

  @Test
  void names_the_kind_and_batch_of_a_changed_task() throws IOException {
    try (TestServer server = database.server(folder)) {
      JsonNode tasks = server.post("/task", "[%s, %s, %s]".formatted(TASK, TASK, TASK)).json();
      try (StreamClient stream = openStream(server)) {
        String data = "data: {}";
        String canceled = "";
        // The hint of the submission names nothing and may arrive late. An event that includes it
        // names nothing either.
        for (int i = 0; i < tasks.size() && data.equals("data: {}"); i++) {
          canceled = tasks.get(i).get("id").stringValue();
          server.request("DELETE", "/task/" + canceled);
          data = stream.nextData("tasks");
        }

        assertThat(data)
            .isEqualTo(
                "data: {\"kinds\":[\"mail\"],\"batches\":[\"%s\"],\"tasks\":[\"%s\"]}"
                    .formatted(tasks.get(0).get("batch_id").stringValue(), canceled));
      }
    }
  }

  @Test
  void merges_a_thousand_submissions_into_fewer_events() throws Exception {
    try (TestServer server = database.server(folder);
        ExecutorService clients = Executors.newFixedThreadPool(8)) {
      String many = "[" + TASK + (", " + TASK).repeat(SUBMISSIONS - 1) + "]";
      JsonNode earlier = server.post("/task", many).json();
      try (StreamClient stream = openStream(server)) {
        List<Future<RawResponse>> responses = new ArrayList<>();
        for (int i = 0; i < SUBMISSIONS; i++) {
          responses.add(clients.submit(() -> server.post("/task", TASK)));
        }
        for (Future<RawResponse> response : responses) {
          assertThat(response.get().status()).isEqualTo(201);
        }

        assertThat(eventsBeforeNamedChange(server, stream, earlier)).isBetween(1, SUBMISSIONS / 2);
      }
    }
  }

  /**
   * Cancels tasks one by one until an event names their kind; returns the number of events before
   * it.
   */
  private static int eventsBeforeNamedChange(TestServer server, StreamClient stream, JsonNode tasks)
      throws IOException {
    int events = 0;
    for (JsonNode task : tasks) {
      server.request("DELETE", "/task/" + task.get("id").stringValue());
      String data = stream.nextData("tasks");
      if (data.contains("mail")) {
        return events;
      }
      events++;
    }
    throw new AssertionError("none of " + events + " events names a kind");
  }

  @Test
  void a_stream_beyond_the_limit_gets_a_503() throws Exception {
    try (TestServer server = database.server(folder, Map.of(Settings.MAX_EVENT_STREAMS, "2"));
        StreamClient first = openStream(server)) {
      StreamClient second = openStream(server);
      RawResponse refused = server.get("/events");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.json().get("detail").stringValue())
          .startsWith("all 2 event streams are in use");

      second.close();
      Eventually.await(() -> statusOfNext(server), status -> status == 200);
      assertThat(first.nextData("tasks")).isEqualTo("data: {}");
    }
  }

  /** The server notices a disconnected client when it sends an event. */
  private static int statusOfNext(TestServer server) throws IOException {
    server.post("/task", TASK);
    try (StreamClient stream = StreamClient.of(server.port(), "/events")) {
      return stream.status();
    }
  }

  @ResourceLock(Resources.SYSTEM_ERR)
  @Test
  void a_stopping_server_ends_the_streams_at_once() throws IOException {
    TestServer server = database.server(folder, Map.of(Settings.SHUTDOWN_TIMEOUT, "15s"));
    try (StreamClient stream = openStream(server);
        StreamClient silent = StreamClient.silent(server.port(), "/events")) {
      server.post("/task", TASK);
      assertThat(stream.nextData("tasks")).isNotEqualTo(StreamClient.END);
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      PrintStream before = System.err;
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      try {
        server.close();
      } finally {
        System.setErr(before);
      }

      assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("cut off");
      assertThat(stream.next("0")).isEqualTo("0");
      assertThat(stream.next("more")).isEqualTo(StreamClient.END);
      assertThat(silent.next("more")).isEqualTo(StreamClient.END);
    }
  }

  @Test
  void a_client_that_does_not_read_does_not_delay_others() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient silent = StreamClient.silent(server.port(), "/events");
        StreamClient stream = openStream(server)) {
      for (int i = 0; i < 3; i++) {
        server.post("/task", TASK);
        assertThat(stream.nextData("tasks")).isEqualTo("data: {}");
      }
      assertThat(server.get("/health").status()).isEqualTo(200);
      assertThat(silent.nextData("tasks")).isEqualTo("data: {}");
    }
  }

  @Test
  void a_change_by_another_node_causes_an_event() throws IOException {
    Map<Setting<?>, String> same = Map.of(Settings.DATABASE_URL, database.url(folder));
    try (TestServer other = TestServer.in(folder, same);
        TestServer server = TestServer.in(folder, same)) {
      String id = other.post("/task", TASK).json().get(0).get("id").stringValue();
      try (StreamClient stream = openStream(server)) {
        other.request("DELETE", "/task/" + id);

        // Deliveries are named as well if it is the other node's message or the refresh.
        assertThat(stream.nextData("tasks")).isIn("data: {}", "data: {\"deliveries\":true}");
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // A stream never ends.
  void a_stream_ends_when_its_caller_loses_access() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient anonymous = openStream(server)) {
      String admin = created(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
      String body = "{\"name\": \"b\", \"roles\": [\"read\"]}";
      JsonNode reader = server.request(admin, "POST", "/key", body).json();
      try (StreamClient revoked =
              StreamClient.withKey(server.port(), "/events", reader.get("key").stringValue());
          StreamClient allowed = StreamClient.withKey(server.port(), "/events", admin)) {
        assertThat(revoked.status()).isEqualTo(200);
        server.request(admin, "DELETE", "/key/" + reader.get("id").stringValue(), "");

        assertThat(anonymous.next("0")).as("the last chunk").isEqualTo("0");
        assertThat(revoked.next("0")).isEqualTo("0");
        server.request(admin, "POST", "/task", TASK);
        assertThat(allowed.nextData("tasks")).isEqualTo("data: {}");
      }
    }
  }

  /** An EventSource cannot send an API key. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // A stream never ends.
  void a_stream_of_a_session_ends_with_it() throws IOException {
    try (TestServer server = database.server(folder)) {
      String admin = created(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
      String cookie =
          server
              .post("/session", "{\"key\": \"%s\"}".formatted(admin))
              .header("Set-Cookie")
              .replaceAll(";.*", "");
      String[] headers = {"Cookie: " + cookie, "Sec-Fetch-Site: same-origin", "X-Perdure-UI: 1"};
      try (StreamClient stream = StreamClient.withHeaders(server.port(), "/events", headers)) {
        assertThat(stream.status()).isEqualTo(200);
        RawHttpClient.request(server.port(), "DELETE", "/session", headers);

        assertThat(stream.next("0")).as("the last chunk").isEqualTo("0");
      }
    }
  }

  private static String created(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("key").stringValue();
  }

  @Test
  void only_get_and_head_are_allowed() throws IOException {
    try (TestServer server = database.server(folder)) {
      RawResponse refused = server.post("/events", TASK);
      assertThat(refused.status()).isEqualTo(405);
      assertThat(refused.header("Allow")).isEqualTo("GET, HEAD");
    }
  }
}
