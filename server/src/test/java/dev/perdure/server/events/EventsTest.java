// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
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

  private static StreamClient watching(TestServer server) throws IOException {
    StreamClient streamClient = StreamClient.of(server.port(), "/events");
    assertThat(streamClient.status()).isEqualTo(200);
    assertThat(streamClient.next("retry")).isEqualTo("retry: 1000");
    return streamClient;
  }

  @Test
  void tells_that_tasks_were_submitted() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient streamClient = watching(server)) {
      assertThat(streamClient.head())
          .contains("Content-Type: text/event-stream", "Cache-Control: no-store")
          .contains("X-Accel-Buffering: no");

      server.post("/task", TASK);

      assertThat(streamClient.next("event:")).isEqualTo("event: tasks");
      assertThat(streamClient.next("data:")).isEqualTo("data: {}");
    }
  }

  @Test
  void names_what_changed_when_it_knows() throws IOException {
    try (TestServer server = database.server(folder)) {
      JsonNode tasks = server.post("/task", "[%s, %s, %s]".formatted(TASK, TASK, TASK)).json();
      try (StreamClient streamClient = watching(server)) {
        String told = "data: {}";
        // What is told together with a hint that names nothing names nothing: the submission's may
        // come late.
        for (int i = 0; i < tasks.size() && told.equals("data: {}"); i++) {
          server.request("DELETE", "/task/" + tasks.get(i).get("id").stringValue());
          told = streamClient.next("data:");
        }

        assertThat(told)
            .isEqualTo(
                "data: {\"kinds\":[\"mail\"],\"batches\":[\"%s\"]}"
                    .formatted(tasks.get(0).get("batch_id").stringValue()));
      }
    }
  }

  @Test
  void tells_of_a_thousand_submissions_in_a_few_events() throws Exception {
    try (TestServer server = database.server(folder);
        ExecutorService clients = Executors.newFixedThreadPool(8)) {
      String many = "[" + TASK + (", " + TASK).repeat(SUBMISSIONS - 1) + "]";
      JsonNode earlier = server.post("/task", many).json();
      try (StreamClient streamClient = watching(server)) {
        List<Future<RawResponse>> answers = new ArrayList<>();
        for (int i = 0; i < SUBMISSIONS; i++) {
          answers.add(clients.submit(() -> server.post("/task", TASK)));
        }
        for (Future<RawResponse> answer : answers) {
          assertThat(answer.get().status()).isEqualTo(201);
        }

        assertThat(untilNamed(server, streamClient, earlier)).isBetween(1, SUBMISSIONS / 2);
      }
    }
  }

  /**
   * Cancels one after the other until that is all there is to tell: how many events came before.
   */
  private static int untilNamed(TestServer server, StreamClient streamClient, JsonNode tasks)
      throws IOException {
    int events = 0;
    for (JsonNode task : tasks) {
      server.request("DELETE", "/task/" + task.get("id").stringValue());
      String data = streamClient.next("data:");
      if (data.contains("mail")) {
        return events;
      }
      events++;
    }
    throw new AssertionError("still untold after " + events);
  }

  @Test
  void no_more_than_allowed_watch_at_once() throws Exception {
    try (TestServer server = database.server(folder, Map.of(Settings.MAX_EVENT_STREAMS, "2"));
        StreamClient first = watching(server)) {
      StreamClient second = watching(server);
      RawResponse refused = server.get("/events");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.json().get("detail").stringValue())
          .startsWith("all 2 event streams are in use");

      second.close();
      Eventually.await(() -> statusOfNext(server), status -> status == 200);
      assertThat(first.next("data:")).isEqualTo("data: {}");
    }
  }

  /** That a client has gone is seen when something is sent to it. */
  private static int statusOfNext(TestServer server) throws IOException {
    server.post("/task", TASK);
    try (StreamClient streamClient = StreamClient.of(server.port(), "/events")) {
      return streamClient.status();
    }
  }

  @ResourceLock(Resources.SYSTEM_ERR)
  @Test
  void a_stopping_server_ends_the_streams_at_once() throws IOException {
    TestServer server = database.server(folder, Map.of(Settings.SHUTDOWN_TIMEOUT, "15s"));
    try (StreamClient streamClient = watching(server);
        StreamClient silent = StreamClient.silent(server.port(), "/events")) {
      server.post("/task", TASK);
      assertThat(streamClient.next("data:")).isNotEqualTo(StreamClient.END);
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      PrintStream before = System.err;
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      try {
        server.close();
      } finally {
        System.setErr(before);
      }

      assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("cut off");
      assertThat(streamClient.next("0")).isEqualTo("0");
      assertThat(streamClient.next("more")).isEqualTo(StreamClient.END);
      assertThat(silent.next("more")).isEqualTo(StreamClient.END);
    }
  }

  @Test
  void a_client_that_does_not_read_hurts_nobody() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient silent = StreamClient.silent(server.port(), "/events");
        StreamClient streamClient = watching(server)) {
      for (int i = 0; i < 3; i++) {
        server.post("/task", TASK);
        assertThat(streamClient.next("data:")).isEqualTo("data: {}");
      }
      assertThat(server.get("/health").status()).isEqualTo(200);
      assertThat(silent.next("data:")).isEqualTo("data: {}");
    }
  }

  @Test
  void work_of_another_node_is_told_now_and_then() throws IOException {
    Map<Setting<?>, String> same = Map.of(Settings.DATABASE_URL, database.url(folder));
    try (TestServer other = TestServer.in(folder, same);
        TestServer server = TestServer.in(folder, same)) {
      String id = other.post("/task", TASK).json().get(0).get("id").stringValue();
      try (StreamClient streamClient = watching(server)) {
        other.request("DELETE", "/task/" + id);

        assertThat(streamClient.next("data:")).isEqualTo("data: {}");
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // A stream never ends.
  void who_may_not_look_any_more_does_not_watch_any_more() throws IOException {
    try (TestServer server = database.server(folder);
        StreamClient stranger = watching(server)) {
      String admin = created(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
      String body = "{\"name\": \"b\", \"roles\": [\"read\"]}";
      JsonNode reader = server.request(admin, "POST", "/key", body).json();
      try (StreamClient revoked =
              StreamClient.withKey(server.port(), "/events", reader.get("key").stringValue());
          StreamClient allowed = StreamClient.withKey(server.port(), "/events", admin)) {
        assertThat(revoked.status()).isEqualTo(200);
        server.request(admin, "DELETE", "/key/" + reader.get("id").stringValue(), "");

        assertThat(stranger.next("0")).as("the last chunk").isEqualTo("0");
        assertThat(revoked.next("0")).isEqualTo("0");
        server.request(admin, "POST", "/task", TASK);
        assertThat(allowed.next("data:")).isEqualTo("data: {}");
      }
    }
  }

  private static String created(RawResponse rawResponse) {
    assertThat(rawResponse.status()).as(rawResponse.body()).isEqualTo(201);
    return rawResponse.json().get("key").stringValue();
  }

  @Test
  void only_looking_is_allowed() throws IOException {
    try (TestServer server = database.server(folder)) {
      RawResponse refused = server.post("/events", TASK);
      assertThat(refused.status()).isEqualTo(405);
      assertThat(refused.header("Allow")).isEqualTo("GET, HEAD");
    }
  }
}
