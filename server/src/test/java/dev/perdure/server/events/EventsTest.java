// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Databases;
import dev.perdure.server.TestServer;
import dev.perdure.server.Until;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Watcher;
import dev.perdure.server.http.Wire.Answer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** {@code GET /events} over real connections. */
@ParameterizedClass
@EnumSource
class EventsTest {

  private static final String TASK = "{\"kind\": \"mail\"}";
  private static final int SUBMISSIONS = 1_000;

  private final Databases database;
  @TempDir private Path folder;

  EventsTest(Databases database) {
    this.database = database;
  }

  private static Watcher watching(TestServer server) throws IOException {
    Watcher watcher = Watcher.of(server.port(), "/events");
    assertThat(watcher.status()).isEqualTo(200);
    assertThat(watcher.next("retry")).isEqualTo("retry: 1000");
    return watcher;
  }

  @Test
  void tells_that_tasks_were_submitted() throws IOException {
    try (TestServer server = database.server(folder);
        Watcher watcher = watching(server)) {
      assertThat(watcher.head())
          .contains("Content-Type: text/event-stream", "Cache-Control: no-store")
          .contains("X-Accel-Buffering: no");

      server.post("/task", TASK);

      assertThat(watcher.next("event:")).isEqualTo("event: tasks");
      assertThat(watcher.next("data:")).isEqualTo("data: {}");
    }
  }

  @Test
  void names_what_changed_when_it_knows() throws IOException {
    try (TestServer server = database.server(folder)) {
      JsonNode tasks = server.post("/task", "[%s, %s, %s]".formatted(TASK, TASK, TASK)).json();
      try (Watcher watcher = watching(server)) {
        String told = "data: {}";
        // What is told together with a hint that names nothing names nothing: the submission's may
        // come late.
        for (int i = 0; i < tasks.size() && told.equals("data: {}"); i++) {
          server.ask("DELETE", "/task/" + tasks.get(i).get("id").stringValue());
          told = watcher.next("data:");
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
      try (Watcher watcher = watching(server)) {
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < SUBMISSIONS; i++) {
          answers.add(clients.submit(() -> server.post("/task", TASK)));
        }
        for (Future<Answer> answer : answers) {
          assertThat(answer.get().status()).isEqualTo(201);
        }

        assertThat(untilNamed(server, watcher, earlier)).isBetween(1, SUBMISSIONS / 2);
      }
    }
  }

  /**
   * Cancels one after the other until that is all there is to tell: how many events came before.
   */
  private static int untilNamed(TestServer server, Watcher watcher, JsonNode tasks)
      throws IOException {
    int events = 0;
    for (JsonNode task : tasks) {
      server.ask("DELETE", "/task/" + task.get("id").stringValue());
      String data = watcher.next("data:");
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
        Watcher first = watching(server)) {
      Watcher second = watching(server);
      Answer refused = server.get("/events");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.json().get("detail").stringValue()).startsWith("2 streams of events");

      second.close();
      Until.answered(() -> statusOfNext(server), status -> status == 200);
      assertThat(first.next("data:")).isEqualTo("data: {}");
    }
  }

  /** That a client has gone is seen when something is sent to it. */
  private static int statusOfNext(TestServer server) throws IOException {
    server.post("/task", TASK);
    try (Watcher watcher = Watcher.of(server.port(), "/events")) {
      return watcher.status();
    }
  }

  @Test
  void a_stopping_server_ends_the_streams_at_once() throws IOException {
    TestServer server = database.server(folder, Map.of(Settings.STOP_TIMEOUT, "15s"));
    try (Watcher watcher = watching(server);
        Watcher silent = Watcher.silent(server.port(), "/events")) {
      server.post("/task", TASK);
      assertThat(watcher.next("data:")).isNotEqualTo(Watcher.END);
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      PrintStream before = System.err;
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      try {
        server.close();
      } finally {
        System.setErr(before);
      }

      assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("cut off");
      assertThat(watcher.next("0")).isEqualTo("0");
      assertThat(watcher.next("more")).isEqualTo(Watcher.END);
      assertThat(silent.next("more")).isEqualTo(Watcher.END);
    }
  }

  @Test
  void a_client_that_does_not_read_hurts_nobody() throws IOException {
    try (TestServer server = database.server(folder);
        Watcher silent = Watcher.silent(server.port(), "/events");
        Watcher watcher = watching(server)) {
      for (int i = 0; i < 3; i++) {
        server.post("/task", TASK);
        assertThat(watcher.next("data:")).isEqualTo("data: {}");
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
      try (Watcher watcher = watching(server)) {
        other.ask("DELETE", "/task/" + id);

        assertThat(watcher.next("data:")).isEqualTo("data: {}");
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // A stream never ends.
  void who_may_not_look_any_more_does_not_watch_any_more() throws IOException {
    try (TestServer server = database.server(folder);
        Watcher stranger = watching(server)) {
      String admin = created(server.post("/key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"));
      String body = "{\"name\": \"b\", \"roles\": [\"read\"]}";
      JsonNode reader = server.ask(admin, "POST", "/key", body).json();
      try (Watcher revoked =
              Watcher.withKey(server.port(), "/events", reader.get("key").stringValue());
          Watcher allowed = Watcher.withKey(server.port(), "/events", admin)) {
        assertThat(revoked.status()).isEqualTo(200);
        server.ask(admin, "DELETE", "/key/" + reader.get("id").stringValue(), "");

        assertThat(stranger.next("0")).as("the last chunk").isEqualTo("0");
        assertThat(revoked.next("0")).isEqualTo("0");
        server.ask(admin, "POST", "/task", TASK);
        assertThat(allowed.next("data:")).isEqualTo("data: {}");
      }
    }
  }

  private static String created(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().get("key").stringValue();
  }

  @Test
  void only_looking_is_allowed() throws IOException {
    try (TestServer server = database.server(folder)) {
      Answer refused = server.post("/events", TASK);
      assertThat(refused.status()).isEqualTo(405);
      assertThat(refused.header("Allow")).isEqualTo("GET, HEAD");
    }
  }
}
