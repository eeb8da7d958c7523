// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Limits of kinds over HTTP. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class KindLimitRoutesTest {

  private static final String JOB = "{\"kind\": \"job\", \"metadata\": {\"tenant\": \"acme\"}}";
  private static final String ONE = "{\"max_concurrency\": 1}";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  KindLimitRoutesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server =
        database.server(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private JsonNode ok(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private JsonNode set(String kind, String body) throws IOException {
    return ok(server.send("PUT", "/limit/" + kind, body));
  }

  private List<String> claimed() throws IOException {
    return client.claim(", \"limit\": 10").findValuesAsString("id");
  }

  @Test
  void are_set_shown_and_removed() throws IOException {
    JsonNode set =
        set(
            "job",
            """
            {"max_concurrency": 10, "rate": {"max_starts": 5, "per": "1s", "burst": 3},
             "fields": ["tenant", "host"]}""");

    assertThat(set.toString())
        .startsWith(
            """
            {"kind":"job","max_concurrency":10,"rate":{"max_starts":5,"per":"1s","burst":3},\
            "fields":["tenant","host"],"set_by":"operator","updated_at":\"""");
    assertThat(Instant.parse(set.get("updated_at").stringValue())).isAfter(Instant.EPOCH);
    assertThat(ok(server.get("/limit/job"))).isEqualTo(set);
    assertThat(ok(server.request("DELETE", "/limit/job"))).isEqualTo(set);
    for (String method : List.of("GET", "DELETE")) {
      RawResponse missing = server.request(method, "/limit/job");
      assertThat(missing.status()).isEqualTo(404);
      assertThat(missing.json().get("detail").stringValue())
          .isEqualTo("the kind 'job' has no limits");
    }
  }

  @Test
  void the_new_limits_replace_all_old_ones() throws IOException {
    set("job", "{\"max_concurrency\": 1, \"fields\": [\"tenant\"]}");

    JsonNode changed =
        set("job", "{\"max_concurency\": null, \"rate\": {\"max_starts\": 2, \"per\": \"1m\"}}");

    assertThat(changed.get("max_concurrency").isNull()).isTrue();
    assertThat(changed.get("rate")).hasToString("{\"max_starts\":2,\"per\":\"1m\",\"burst\":1}");
    assertThat(changed.get("fields")).isEmpty();
    assertThat(set("job", "{\"max_concurency\": 4}").get("max_concurrency").intValue())
        .isEqualTo(4);
  }

  @Test
  void hold_for_tasks_without_rules_and_for_those_that_run_already() throws IOException {
    client.submit(JOB);
    client.submit(JOB);
    assertThat(claimed()).hasSize(2);
    set("job", "{\"max_concurrency\": 3}");
    String third = client.submit(JOB);
    String fourth = client.submit(JOB);

    assertThat(claimed()).containsExactly(third);
    assertThat(client.show(fourth).get("blocked_by"))
        .hasToString(
            """
            {"type":"concurrency","key":"concurrency:kind:job[]","used":3,"max":3,"ahead":0}""");
    ok(server.request("DELETE", "/limit/job"));
    assertThat(client.claimOne().get("id").stringValue()).isEqualTo(fourth);
  }

  @Test
  void hold_for_tasks_with_webhooks() throws Exception {
    set("job", ONE);
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk()) {
      String task = "{\"kind\": \"job\", \"on_start\": %s}".formatted(receiver.action("/start"));
      server.post("/task", "[%1$s, %1$s]".formatted(task));
      WebhookReceiver.ReceivedCall first = receiver.next();
      JsonNode limit =
          Eventually.await(
              () -> server.get("/limit?kind=job").json().get(0),
              found -> found.get("waiting").intValue() == 1);
      assertThat(limit.get("used").intValue()).isEqualTo(1);
      assertThat(receiver.count()).isEqualTo(1);

      String target = first.handle().getRawPath() + "?" + first.handle().getRawQuery();
      ok(server.send("PATCH", target, "{\"status\": \"Success\"}"));
      assertThat(receiver.next().handle()).isNotEqualTo(first.handle());
    }
  }

  @Test
  void are_recorded_in_the_audit_log() throws IOException {
    set("job", ONE);
    ok(server.request("DELETE", "/limit/job"));
    server.request("DELETE", "/limit/job");
    server.send("PUT", "/limit/job", "{}");

    JsonNode entries = ok(server.get("/audit?subject=job"));

    assertThat(entries.findValuesAsString("action")).containsExactly("remove limits", "set limits");
    assertThat(entries.findValuesAsString("who")).containsOnly("anyone");
    assertThat(entries.get(0).get("detail"))
        .hasToString("{\"max_concurrency\":1,\"rate\":null,\"fields\":[],\"set_by\":\"operator\"}");
    assertThat(entries.get(1).get("detail"))
        .hasToString("{\"max_concurrency\":1,\"rate\":null,\"fields\":[]}");
    assertThat(Instant.parse(entries.get(1).get("at").stringValue())).isAfter(Instant.EPOCH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a/b", "100%", "%2F", "a b+c", "größe 🦊", "a;b?c#d&e=f", "\"x\"[1]", "kind:job"})
  void kinds_have_any_characters(String kind) throws IOException {
    String target = "/limit/" + URLEncoder.encode(kind, StandardCharsets.UTF_8).replace("+", "%20");

    JsonNode set = ok(server.send("PUT", target, ONE));

    assertThat(set.get("kind").stringValue()).isEqualTo(kind);
    assertThat(ok(server.get(target))).isEqualTo(set);
    assertThat(ok(server.get("/limit")).findValuesAsString("kind")).containsExactly(kind);
    assertThat(ok(server.request("DELETE", target))).isEqualTo(set);
  }

  @Nested
  class Refused {

    private List<String> errors(String kind, String body) throws IOException {
      RawResponse refused = server.send("PUT", "/limit/" + kind, body);
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(server.get("/limit/job").status()).isEqualTo(404);
      return refused
          .json()
          .get("errors")
          .valueStream()
          .map(e -> e.get("path").stringValue() + ": " + e.get("message").stringValue())
          .toList();
    }

    @Test
    void all_errors_are_reported_at_once() throws IOException {
      assertThat(
              errors(
                  "x".repeat(101),
                  """
                  {"max_concurrency": 0, "rate": {"max_starts": 2, "per": 5, "burst": 3, "x": 1},
                   "fields": ["a", "a"], "max_capacity": 5}"""))
          .satisfiesExactlyInAnyOrder(
              error -> assertThat(error).startsWith("kind: ").contains("100"),
              error ->
                  assertThat(error)
                      .startsWith("max_concurrency: must be a whole number from 1 to 1000000000"),
              error -> assertThat(error).startsWith("rate.per: 5 has no unit: write \"5s\""),
              error ->
                  assertThat(error).startsWith("rate.burst: must be a whole number from 1 to 2"),
              error -> assertThat(error).startsWith("rate.x: unknown field"),
              error -> assertThat(error).startsWith("fields[1]: must be the name"),
              error -> assertThat(error).startsWith("max_capacity: unknown field"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"fields\": [\"a\"]}", "{\"rate\": null}"})
    void no_limit_at_all(String body) throws IOException {
      assertThat(errors("job", body))
          .containsExactly(": must have max_concurrency, a rate, or both");
    }

    @Test
    void a_body_that_is_not_an_object() throws IOException {
      assertThat(errors("job", "[1]")).containsExactly(": must be an object, not an array");
    }

    @Test
    void a_kind_that_does_not_fit_into_a_key() throws IOException {
      String quotes = "%22".repeat(70);
      assertThat(errors(quotes, ONE))
          .containsExactly("kind: is too long for a limit, because of its special characters");
    }
  }

  @Nested
  class Listing {

    @BeforeEach
    void limitTwoKinds() throws IOException {
      String rules =
          """
          [{"type": "Rate", "max_starts": 5, "per": "1s"},
           {"type": "Concurrency", "max_concurrency": 2, "matcher": {"fields": ["tenant"]}}]""";
      client.submit(JOB.replace("}}", "}, \"rules\": %s}".formatted(rules)));
      set("job", "{\"max_concurrency\": 7, \"rate\": {\"max_starts\": 9, \"per\": \"1s\"}}");
      set("jobs", "{\"max_concurrency\": 8, \"fields\": [\"tenant\"]}");
      set("kind", ONE);
      client.claimOne();
    }

    private List<String> keys(String query) throws IOException {
      return ok(server.get("/limit" + query)).findValuesAsString("key");
    }

    @Test
    void finds_the_limits_of_a_kind_and_of_its_tasks() throws IOException {
      assertThat(keys("?kind=job"))
          .containsExactly(
              "concurrency:job[tenant=\"acme\"]",
              "concurrency:kind:job[]",
              "rate:job[]",
              "rate:kind:job[]");
      assertThat(ok(server.get("/limit?kind=job")).findValuesAsString("scope"))
          .containsExactly("task", "kind", "task", "kind");
      assertThat(keys("?kind=kind")).containsExactly("concurrency:kind:kind[]");
      assertThat(keys("?kind=jobs")).as("no task was considered yet").isEmpty();
      assertThat(keys("")).hasSize(5);
      assertThat(keys("?kind=job&after=concurrency:kind:a"))
          .containsExactly("concurrency:kind:job[]", "rate:job[]", "rate:kind:job[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?page_size=1", "?kind=job&page_size=1", "?kind=job&page_size=3"})
    void pages_follow_each_other_without_gaps(String first) throws IOException {
      List<String> found = new ArrayList<>();
      String target = "/limit" + first;
      while (target != null) {
        RawResponse page = server.get(target);
        assertThat(page.json()).isNotEmpty();
        found.addAll(page.json().findValuesAsString("key"));
        String link = page.header("Link");
        target = link == null || link.isEmpty() ? null : link.substring(1, link.indexOf('>'));
      }

      assertThat(found).isEqualTo(keys(first.contains("kind") ? "?kind=job" : ""));
    }
  }
}
