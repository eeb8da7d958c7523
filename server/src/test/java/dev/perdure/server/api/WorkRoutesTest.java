// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Databases;
import dev.perdure.server.Desk;
import dev.perdure.server.TestServer;
import dev.perdure.server.Until;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Wire;
import dev.perdure.server.http.Wire.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
@EnumSource
class WorkRoutesTest {

  private static final String WAITING =
      "{\"worker\": \"ada\", \"kinds\": [\"job\"], \"wait\": \"60s\"}";

  private final Databases database;
  @TempDir private Path folder;
  private TestServer server;
  private Desk desk;

  WorkRoutesTest(Databases database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server = database.server(folder, Map.of(Settings.MAX_REQUESTS, "2"));
    desk = new Desk(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Stream<String> paths(Answer answer) {
    return answer.json().get("errors").valueStream().map(error -> error.get("path").stringValue());
  }

  @Nested
  class Claiming {

    @Test
    void a_worker_is_given_all_it_needs() throws IOException {
      String id = desk.submit("{\"kind\": \"job\", \"payload\": {\"n\": 7}}");
      desk.submit("{\"kind\": \"another\"}");

      JsonNode leases = desk.claim(", \"limit\": 10, \"lease\": \"90s\"");

      assertThat(leases).hasSize(1);
      JsonNode task = leases.get(0);
      assertThat(task.get("id").stringValue()).isEqualTo(id);
      assertThat(task.get("payload").get("n").intValue()).isEqualTo(7);
      assertThat(task.get("status").stringValue()).isEqualTo("Running");
      assertThat(task.get("worker").stringValue()).isEqualTo("ada");
      assertThat(task.get("epoch").longValue()).isEqualTo(1);
      assertThat(
              Duration.between(
                  Instant.parse(task.get("started_at").stringValue()),
                  Instant.parse(task.get("lease_until").stringValue())))
          .isBetween(Duration.ofSeconds(89), Duration.ofSeconds(91));
      assertThat(desk.claim("")).as("it has a worker").isEmpty();
      assertThat(server.get("/metrics").body()).contains("claim_duration_seconds");
    }

    @Test
    void a_kind_that_no_task_can_have_is_refused_by_its_place() throws IOException {
      Answer answer =
          server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"job\", \"\\u0000\"]}");

      assertThat(answer.status()).isEqualTo(400);
      assertThat(paths(answer)).containsExactly("kinds[1]");
    }

    @Test
    void a_worker_gets_one_task_unless_it_asks_for_more() throws IOException {
      desk.submit("[{\"kind\": \"job\"}, {\"kind\": \"job\"}, {\"kind\": \"job\"}]");

      assertThat(desk.claim("")).hasSize(1);
      assertThat(desk.claim(", \"limit\": 5")).hasSize(2);
    }

    @Test
    void those_who_wait_are_answered_when_there_is_something_and_keep_nobody_out()
        throws Exception {
      List<CompletableFuture<Answer>> waiting =
          Stream.generate(() -> desk.claiming(", \"wait\": \"20s\"")).limit(6).toList();
      for (int i = 0; i < waiting.size(); i++) {
        // Two requests at once are all that this server takes: who waits does not count.
        submitPatiently();
      }

      List<String> taken =
          waiting.stream()
              .map(answer -> answer.orTimeout(60, TimeUnit.SECONDS).join().json())
              .map(leases -> leases.get(0).get("id").stringValue())
              .toList();
      assertThat(taken).hasSize(6).doesNotHaveDuplicates();
    }

    /** While claims are on their way in they do take a place each. */
    private void submitPatiently() throws Exception {
      Answer answer =
          Until.answered(
              () -> server.post("/task", "{\"kind\": \"job\"}"), told -> told.status() != 503);
      assertThat(answer.status()).isEqualTo(201);
    }

    @Test
    void when_too_many_wait_the_next_is_told_to_come_again() throws Exception {
      server.close();
      server =
          database.server(
              folder, Map.of(Settings.MAX_CONNECTIONS, "8", Settings.MAX_EVENT_STREAMS, "4"));
      desk = new Desk(server);
      List<CompletableFuture<Answer>> waiting =
          Stream.generate(() -> desk.claiming(", \"wait\": \"60s\"")).limit(2).toList();

      Answer refused =
          Until.answered(
              () -> desk.tryClaim(", \"wait\": \"1ms\""), answer -> answer.status() != 200);

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.json().get("detail").stringValue())
          .isEqualTo("2 workers wait for tasks already, as many as may");
      assertThat(desk.claim("")).as("who does not wait").isEmpty();
      desk.submit("[{\"kind\": \"job\"}, {\"kind\": \"job\"}]");
      assertThat(waiting)
          .allSatisfy(
              one -> assertThat(one.orTimeout(20, TimeUnit.SECONDS).join().json()).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0ms", "PT0S"})
    void who_does_not_want_to_wait_is_answered_at_once(String wait) throws IOException {
      assertThat(desk.claim(", \"wait\": \"%s\"".formatted(wait))).isEmpty();
      String id = desk.submitJob(Desk.AT_ONCE);
      assertThat(desk.claim(", \"wait\": \"%s\"".formatted(wait)).get(0).get("id").stringValue())
          .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"soon\"", "\"-1s\"", "0", "\"0\"", "true"})
    void a_wait_that_is_none_is_refused(String wait) throws IOException {
      Answer answer =
          server.post(
              "/task/claim",
              "{\"worker\": \"ada\", \"kinds\": [\"job\"], \"wait\": %s}".formatted(wait));

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.json().get("errors").get(0).get("path").stringValue()).isEqualTo("wait");
    }

    @Test
    void who_waits_in_vain_gets_nothing() throws IOException {
      assertThat(desk.claim(", \"wait\": \"200ms\"")).isEmpty();
    }

    @Test
    void a_server_that_stops_waits_for_nobody_who_waits() throws Exception {
      try (Wire wire = claimingOn(WAITING)) {
        server.get("/health");

        server.close();

        // Whether it waited already or came too late: it is answered, not cut off.
        assertThat(wire.answer().status()).isIn(200, 503);
      }
    }

    @Test
    void who_hangs_up_leaves_what_comes_to_the_next() throws Exception {
      try (Wire wire = claimingOn(WAITING)) {
        wire.hangUp();
      }
      String id = desk.submitJob(Desk.LATER);

      JsonNode task = desk.claim(", \"wait\": \"10s\"").get(0);

      assertThat(task.get("id").stringValue()).isEqualTo(id);
      assertThat(task.get("losses").intValue()).isZero();
    }

    /** A claim on a connection of its own. */
    private Wire claimingOn(String body) throws IOException {
      return Wire.to(server.port())
          .send(
              """
              POST /task/claim HTTP/1.1
              Host: localhost
              Content-Type: application/json
              Content-Length: %d

              %s"""
                  .replace("\n", "\r\n")
                  .formatted(body.length(), body));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {"kinds": ["job"]}                                        | worker
            {"worker": "", "kinds": ["job"]}                          | worker
            {"worker": "01890000-0000-7000-8000-000000000000", "kinds": ["job"]} | worker
            {"worker": "ada"}                                         | kinds
            {"worker": "ada", "kinds": []}                            | kinds
            {"worker": "ada", "kinds": "job"}                         | kinds
            {"worker": "ada", "kinds": ["perdure:webhook"]}           | kinds
            {"worker": "ada", "kinds": [7]}                           | kinds[0]
            {"worker": "ada", "kinds": ["job"], "limit": 0}           | limit
            {"worker": "ada", "kinds": ["job"], "limit": 1001}        | limit
            {"worker": "ada", "kinds": ["job"], "wait": 5}            | wait
            {"worker": "ada", "kinds": ["job"], "wait": "61s"}        | wait
            {"worker": "ada", "kinds": ["job"], "lease": "10ms"}      | lease
            {"worker": "ada", "kinds": ["job"], "lease": "25h"}       | lease
            {"worker": "ada", "kinds": ["job"], "lim": 1}             | lim
            """)
    void what_makes_no_sense_is_told(String body, String path) throws IOException {
      Answer answer = server.post("/task/claim", body);

      assertThat(answer.status()).as(answer.body()).isEqualTo(400);
      assertThat(paths(answer)).contains(path);
    }

    @Test
    void a_name_that_cannot_be_read_is_told_as_that() throws IOException {
      Answer answer =
          server.post("/task/claim", "{\"worker\": \"w\\u0000\", \"kinds\": [\"job\"]}");

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.json().get("detail").stringValue())
          .isEqualTo("worker: must have 1 to 255 characters, all of them printable");
    }

    @Test
    void an_unknown_field_is_told_with_the_nearest_known_one() throws IOException {
      assertThat(desk.tryClaim(", \"leese\": \"60s\"").body()).contains("did you mean 'lease'?");
      assertThat(server.post("/task/claim", "{\"worker\": ").status()).isEqualTo(400);
      assertThat(server.get("/task/claim").status()).as("it is no task's id").isEqualTo(405);
    }
  }

  @Nested
  class Beating {

    @Test
    void a_heartbeat_extends_the_lease() throws IOException {
      String id = desk.submitJob(Desk.LATER);
      desk.claim("");

      Answer answer = desk.beat(id, "{\"epoch\": 1, \"lease\": \"10m\"}");

      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(answer.json().get("epoch").longValue()).isEqualTo(1);
      assertThat(Instant.parse(answer.json().get("lease_until").stringValue()))
          .isAfter(Instant.now().plusSeconds(590));
    }

    @Test
    void a_stale_one_is_told_so() throws IOException {
      String id = desk.submitJob(Desk.LATER);
      desk.claim("");

      assertThat(desk.beat(id, "{\"epoch\": 2}").json().get("detail").stringValue())
          .isEqualTo(
              "task %s is Running in epoch 1: the lease of epoch 2 is not the one under way"
                  .formatted(id));
      server.ask("DELETE", "/task/" + id);
      Answer canceled = desk.beat(id, "{\"epoch\": 1}");
      assertThat(canceled.status()).isEqualTo(409);
      assertThat(canceled.json().get("detail").stringValue())
          .isEqualTo("task %s is Canceled in epoch 1: no attempt is under way".formatted(id));
      assertThat(desk.beat(Desk.NOBODY, "{\"epoch\": 1}").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {}                            | epoch
            {"epoch": 0}                  | epoch
            {"epoch": "1"}                | epoch
            {"epoch": 1, "lease": "1ms"}  | lease
            {"epoch": 1, "least": "60s"}  | least
            """)
    void what_makes_no_sense_is_told(String body, String path) throws IOException {
      Answer answer = desk.beat(desk.submitJob(Desk.LATER), body);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(paths(answer)).containsExactly(path);
    }
  }

  @Nested
  class Counting {

    @Test
    void counters_are_added_to() throws IOException {
      String id = desk.submitJob(Desk.LATER);
      desk.claim("");

      assertThat(desk.put(id, "{\"epoch\": 1, \"new_success\": 3}").status()).isEqualTo(202);
      desk.put(id, "{\"epoch\": 1, \"new_success\": 4, \"new_failures\": 1}");
      assertThat(desk.put(id, "{\"new_success\": 10}").status()).as("an operator").isEqualTo(202);

      assertThat(desk.show(id).get("success").longValue()).isEqualTo(17);
      assertThat(desk.show(id).get("failures").longValue()).isEqualTo(1);
    }

    @Test
    void what_is_stale_or_over_or_unknown_is_told_so() throws IOException {
      String id = desk.submitJob(Desk.LATER);
      assertThat(desk.put(id, "{\"new_success\": 1}").status()).as("pending").isEqualTo(409);
      desk.claim("");
      assertThat(desk.put(id, "{\"epoch\": 9, \"new_success\": 1}").status()).isEqualTo(409);
      desk.patch(id, "{\"epoch\": 1, \"status\": \"Success\"}");
      assertThat(desk.put(id, "{\"epoch\": 1, \"new_success\": 1}").status()).isEqualTo(409);
      assertThat(desk.put(id, "{\"new_success\": 1}").status()).isEqualTo(409);
      assertThat(desk.put(Desk.NOBODY, "{\"new_success\": 1}").status()).isEqualTo(404);
      assertThat(desk.put(Desk.NOBODY, "{\"epoch\": 1}").status()).isEqualTo(404);
      assertThat(desk.show(id).get("success").longValue()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {"new_success": -1}                   | new_success
            {"new_failures": 9223372036854775808} | new_failures
            {"new_success": 1.5}                  | new_success
            {"success": 1}                        | success
            """)
    void what_makes_no_sense_is_told(String body, String path) throws IOException {
      Answer answer = desk.put(desk.submitJob(Desk.LATER), body);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(paths(answer)).containsExactly(path);
    }
  }
}
