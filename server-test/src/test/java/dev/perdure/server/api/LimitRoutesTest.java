// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

/** Limits over HTTP. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class LimitRoutesTest {

  private static final String ONE_AT_A_TIME =
      """
      {"type": "Concurrency", "max_concurrency": 1, "matcher": {"fields": ["tenant"]}}""";
  private static final String OF_ACME =
      """
      {"kind": "job", "metadata": {"tenant": "acme"}, "rules": [%s]}"""
          .formatted(ONE_AT_A_TIME);

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  LimitRoutesTest(TestDatabase database) {
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

  private JsonNode blockedBy(String id) throws IOException {
    return client.show(id).get("blocked_by");
  }

  private JsonNode limits(String query) throws IOException {
    RawResponse listed = server.get("/limit" + query);
    assertThat(listed.status()).as(listed.body()).isEqualTo(200);
    return listed.json();
  }

  private List<String> keys(String query) throws IOException {
    return limits(query).findValuesAsString("key");
  }

  @Nested
  class Waiting {

    @Test
    void a_task_that_a_limit_holds_back_says_so() throws IOException {
      String running = client.submit(OF_ACME);
      String next = client.submit(OF_ACME);
      String last = client.submit(OF_ACME);
      String other = client.submit(OF_ACME.replace("acme", "globex"));

      assertThat(client.claim(", \"limit\": 10").findValuesAsString("id"))
          .containsExactlyInAnyOrder(running, other);

      assertThat(blockedBy(next))
          .hasToString(
              """
              {"type":"concurrency","key":"concurrency:job[tenant=\\"acme\\"]","used":1,"max":1,\
              "ahead":0}""");
      assertThat(blockedBy(last).get("ahead").intValue()).isEqualTo(1);
      assertThat(blockedBy(running).isNull()).isTrue();
      assertThat(blockedBy(other).isNull()).isTrue();
      assertThat(client.status(next)).isEqualTo("Pending");
    }

    @Test
    void the_next_task_starts_when_the_first_has_ended() throws IOException {
      client.submit(OF_ACME);
      JsonNode first = client.claimOne();
      String next = client.submit(OF_ACME);
      assertThat(client.claim("")).isEmpty();

      client.settle(first, "\"status\": \"Success\"");

      assertThat(blockedBy(next).isNull()).as("waits for a worker only").isTrue();
      assertThat(client.claimOne().get("id").stringValue()).isEqualTo(next);
    }

    @Test
    void a_capacity_is_shown_in_items() throws IOException {
      String task =
          """
          {"kind": "job", "expected_count": %d, "rules": [{"type": "Capacity", "max_capacity": 100}]}""";
      client.submit(task.formatted(60));
      JsonNode running = client.claimOne();
      String large = client.submit(task.formatted(70));
      assertThat(client.claim("")).isEmpty();
      client.put(
          running.get("id").stringValue(),
          "{\"epoch\": %s, \"new_success\": 15}".formatted(running.get("epoch")));

      assertThat(blockedBy(large))
          .hasToString(
              """
              {"type":"capacity","key":"capacity:job[]","used":45,"max":100,"ahead":0}""");
    }

    @Test
    void a_rate_says_when_the_next_start_is_allowed() throws IOException {
      String task =
          """
          {"kind": "job", "rules": [{"type": "Rate", "max_starts": 2, "per": "2h"}]}""";
      client.submit(task);
      Instant started = Instant.parse(client.claimOne().get("started_at").stringValue());
      String next = client.submit(task);
      assertThat(client.claim("")).isEmpty();

      JsonNode blocked = blockedBy(next);
      assertThat(blocked.get("type").stringValue()).isEqualTo("rate");
      assertThat(Instant.parse(blocked.get("next_start_at").stringValue()))
          .isBetween(started.plusSeconds(3_590), started.plusSeconds(3_610));
      JsonNode limit = limits("").get(0);
      assertThat(limit.get("per").stringValue()).isEqualTo("2h");
      assertThat(limit.get("burst").intValue()).isEqualTo(1);
      assertThat(limit.get("next_start_at")).isEqualTo(blocked.get("next_start_at"));
    }

    @Test
    void a_burst_is_part_of_when_the_next_start_is_allowed() throws IOException {
      client.submit(
          """
          {"kind": "job", "rules": [{"type": "Rate", "max_starts": 2, "per": "2h", "burst": 2}]}""");
      Instant started = Instant.parse(client.claimOne().get("started_at").stringValue());

      JsonNode limit = limits("").get(0);
      assertThat(limit.get("burst").intValue()).isEqualTo(2);
      Instant next = Instant.parse(limit.get("next_start_at").stringValue());
      assertThat(Duration.between(started, next).abs()).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Nested
  class Listing {

    @BeforeEach
    void submitTasksOfThreeKinds() throws IOException {
      client.submit(OF_ACME);
      client.submit(OF_ACME);
      client.submit(OF_ACME);
      client.submit(OF_ACME.replace("acme", "globex"));
      client.submit(OF_ACME.replace("\"job\"", "\"jobs\""));
      client.submit(
          """
          {"kind": "job", "rules": [{"type": "Rate", "max_starts": 5, "per": "1s", "burst": 3}]}""");
      server.post(
          "/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"job\", \"jobs\"], \"limit\": 10}");
    }

    @Test
    void shows_what_is_in_use_and_what_waits() throws IOException {
      JsonNode limit = limits("").get(0);

      assertThat(limit)
          .hasToString(
              """
              {"key":"concurrency:job[tenant=\\"acme\\"]","type":"concurrency","kind":"job",\
              "scope":"task","max":1,"used":1,"waiting":2}""");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "            | job[tenant=\"acme\"] job[tenant=\"globex\"] jobs[tenant=\"acme\"] job[]",
          "?kind=job   | job[tenant=\"acme\"] job[tenant=\"globex\"] job[]",
          "?kind=%3Djob | job[tenant=\"acme\"] job[tenant=\"globex\"] job[]",
          "?kind=jobs  | jobs[tenant=\"acme\"]",
          "?kind=jo    | ",
          "?kind=job&after=concurrency:job[tenant%3D%22acme%22] | job[tenant=\"globex\"] job[]",
          "?kind=job&after=concurrency:z | job[]",
          "?after=rate:z | ",
        })
    void is_filtered_by_kind(String query, String found) throws IOException {
      assertThat(
              String.join(" ", keys(query == null ? "" : query))
                  .replaceAll("(concurrency|rate):", ""))
          .isEqualTo(found == null ? "" : found);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"/limit?page_size=1", "/limit?kind=job&page_size=1", "/limit?page_size=2"})
    void pages_follow_each_other_without_gaps(String first) throws IOException {
      List<String> found = new ArrayList<>();
      String target = first;
      while (target != null) {
        RawResponse page = server.get(target);
        assertThat(page.json()).isNotEmpty();
        found.addAll(page.json().findValuesAsString("key"));
        String link = page.header("Link");
        target = link == null || link.isEmpty() ? null : link.substring(1, link.indexOf('>'));
      }

      assertThat(found).isEqualTo(keys(first.contains("kind") ? "?kind=job" : ""));
    }

    @ParameterizedTest
    @CsvSource({"?page_size=0, page_size", "?knid=job, knid", "?page=1, page"})
    void refuses_a_wrong_query(String query, String path) throws IOException {
      RawResponse refused = server.get("/limit" + query);

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().get("errors").findValuesAsString("path")).containsExactly(path);
    }
  }

  @Nested
  class Submitting {

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]"})
    void no_rules(String rules) throws IOException {
      JsonNode task =
          client.show(client.submit("{\"kind\": \"job\", \"rules\": %s}".formatted(rules)));

      assertThat(task.get("rules")).isEmpty();
      assertThat(task.get("blocked_by").isNull()).isTrue();
    }

    @Test
    void rules_are_shown_as_given() throws IOException {
      String rules =
          """
          [{"max_concurency":3,"type":"Concurency"},{"type":"Rate","per":"1m","max_starts":10}]""";

      String id = client.submit("{\"kind\": \"job\", \"rules\": %s}".formatted(rules));

      assertThat(client.show(id).get("rules")).hasToString(rules);
    }

    @Test
    void all_errors_are_reported_at_once() throws IOException {
      RawResponse refused =
          server.post(
              "/task",
              """
              [{"kind": "job", "rules": [
                {"type": "Concurrency", "max_concurrency": 0, "matcher": {"kind": "other"}},
                {"type": "Capacity", "max_capacity": 5},
                {"type": "Rate", "max_starts": 1, "per": "400d", "burst": 2},
                {"type": "Speed"},
                {"type": "Concurrency", "max_concurrency": 1, "matcher": {"status": "Failure",
                 "fields": ["a", "a", "%s", 7]}, "max": 1}]},
               {"kind": "job", "expected_count": null, "rules": [{"type": "Capacity", "max_capacity": 5}]}]"""
                  .formatted("x".repeat(256)));

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().get("errors").findValuesAsString("path"))
          .containsExactlyInAnyOrder(
              "[0].rules[0].max_concurrency",
              "[0].rules[0].matcher.kind",
              "[0].rules[1]",
              "[0].rules[2].burst",
              "[0].rules[3].type",
              "[0].rules[4].matcher.status",
              "[0].rules[4].matcher.fields[1]",
              "[0].rules[4].matcher.fields[2]",
              "[0].rules[4].matcher.fields[3]",
              "[0].rules[4].max",
              "[1].rules[0]");
      assertThat(refused.body())
          .contains("limits the items of running tasks: set the task's 'expected_count'");
    }

    @Test
    void at_most_ten_rules() throws IOException {
      String eleven = String.join(",", Collections.nCopies(11, ONE_AT_A_TIME));

      RawResponse refused =
          server.post("/task", "{\"kind\": \"job\", \"rules\": [%s]}".formatted(eleven));

      assertThat(refused.json().get("errors").findValuesAsString("path")).containsExactly("rules");
    }
  }

  @Test
  void the_limits_of_stored_tasks_can_be_changed() throws IOException {
    RawResponse stored = server.send("POST", "/task", "[%1$s, %1$s, %1$s]".formatted(OF_ACME));
    String target = "/batch/%s/rules".formatted(stored.header("X-Batch-ID"));
    assertThat(client.claim(", \"limit\": 5")).hasSize(1);
    String rules = "[%s]".formatted(ONE_AT_A_TIME.replace("1,", "3,"));
    String body = "{\"kind\": \"job\", \"rules\": %s}".formatted(rules);

    RawResponse changed = server.send("PATCH", target, body);
    assertThat(changed.json().get("updated_count").intValue()).isEqualTo(3);
    String id = stored.json().get(0).get("id").stringValue();
    assertThat(client.show(id).get("rules")).as("as given").hasToString(rules.replace(" ", ""));
    JsonNode entry = server.get("/audit").json().get(0);
    assertThat(entry.get("action").stringValue()).isEqualTo("change rules");
    assertThat(entry.get("subject").stringValue()).isEqualTo(stored.header("X-Batch-ID"));
    assertThat(client.claim(", \"limit\": 5")).hasSize(2);
    RawResponse none = server.send("PATCH", target, "{\"kind\": \"other\", \"rules\": []}");
    assertThat(none.json().get("updated_count").intValue()).isZero();
  }

  @Test
  void a_limit_on_capacity_is_refused_for_stored_tasks_without_an_expected_count()
      throws IOException {
    RawResponse stored =
        server.send(
            "POST", "/task", "[{\"kind\": \"job\", \"expected_count\": 5}, {\"kind\": \"job\"}]");
    String target = "/batch/%s/rules".formatted(stored.header("X-Batch-ID"));
    List<String> ids = stored.json().findValuesAsString("id");
    String body =
        "{\"kind\": \"job\", \"rules\": [%s, {\"type\": \"Capacity\", \"max_capacity\": 9}]}"
            .formatted(ONE_AT_A_TIME);

    RawResponse refused = server.send("PATCH", target, body);
    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    JsonNode error = refused.json().get("errors").get(0);
    assertThat(error.get("path").asString()).isEqualTo("rules[1]");
    assertThat(error.get("message").asString())
        .contains("task " + ids.get(1) + " has no expected count", "set it first");
    assertThat(client.show(ids.get(0)).get("rules")).isEmpty();
    assertThat(client.show(ids.get(1)).get("rules")).isEmpty();

    server.send("PATCH", "/task/" + ids.get(1), "{\"expected_count\": 3}");
    assertThat(server.send("PATCH", target, body).status()).isEqualTo(200);
  }

  @Test
  void a_change_of_rules_reports_all_problems_with_their_paths() throws IOException {
    RawResponse stored = server.send("POST", "/task", "[%s]".formatted(OF_ACME));
    String target = "/batch/%s/rules".formatted(stored.header("X-Batch-ID"));
    RawResponse refused =
        server.send("PATCH", target, "{\"kind\": 7, \"rules\": [{\"type\": \"Rate\"}], \"x\": 1}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body())
        .contains("\"kind\"", "rules[0].max_starts", "rules[0].per", "unknown field");
    assertThat(server.send("PATCH", target, "{\"kind\": \"a\\u0000\", \"rules\": []}").status())
        .isEqualTo(400);
    String unknown = "/batch/00000000-0000-0000-0000-000000000000/rules";
    assertThat(server.send("PATCH", unknown, "{\"kind\": \"a\", \"rules\": []}").status())
        .isEqualTo(404);
  }
}
