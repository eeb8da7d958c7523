// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import dev.perdure.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The valid requests that are mutated. A route without an entry here gets a body with fields of
 * many routes.
 */
final class ValidRequests {

  private static final String RETRY =
      """
      {"max_retries": 5, "backoff": {"type": "exponential", "initial": "1s", "multiplier": 2.0},
       "jitter": {"type": "spread", "factor": 0.25}, "max_delay": "5m", "expires_after": "14d",
       "retry_on": ["timeout", "5xx", "429", "code:no_slots", "exception:java.io.IOException"],
       "never_on": ["4xx"], "retry_after": {"honor": true, "cap": "60s"},
       "overrides": [{"on": ["429"], "backoff": {"type": "fixed", "delay": "3s"}}]}""";
  private static final String WEBHOOK =
      """
      {"kind": "Webhook", "params": {"url": "https://callee.invalid/x", "verb": "Post",
       "body": {"id": "{{task.id}}"}, "headers": {"X-A": "b"}, "timeout": "5s"}}""";

  private static final String SCHEDULE =
      """
      {"trigger": {"cron": "0 8 * * 1-5", "zone": "Europe/Paris"},
       "task": {"kind": "mail", "payload": {"a": 1}, "on_start": %s}, "retry": %s,
       "enabled": true, "overlap": "queue", "misfire": "skip"%s}"""
          .formatted(WEBHOOK, RETRY, "%s");

  /** Stands for the API key of the requests. */
  private static final String KEY = "$KEY";

  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry(
              "POST /task",
              """
              [{"kind": "mail", "name": "a", "payload": {"to": ["ada", 1, null]},
                "metadata": {"a": "b"}, "retry": %1$s, "run_at": "2029-01-31T12:00:00Z",
                "deadline": "2030-01-31T12:00:00Z", "timeout": 30, "priority": 5, "id": "a",
                "expected_count": 10,
                "rules": [{"type": "Concurrency", "max_concurrency": 2,
                           "matcher": {"kind": "mail", "status": "Running", "fields": ["a"]}},
                          {"type": "Capacity", "max_capacity": 100},
                          {"type": "Rate", "max_starts": 5, "per": "1s", "burst": 2}],
                "dependencies": [{"id": "b", "requires_success": false}], "on_start": %2$s, "on_failure": [%2$s],
                "notify": [{"on": ["success", "retry"], "channel": "ops"}]},
               {"kind": "mail", "dedupe_key": "a", "dedupe": "replace"},
               {"kind": "mail", "dedupe_strategy": [{"kind": "mail", "fields": ["a"], "status": "Pending"}]},
               {"kind": "mail", "id": "b", "retry": [{"count": 3, "delay_minutes": 5}]},
               {"kind": "mail", "retry": {"retry_strategy": "fixed_delay", "delay_seconds": 5, "max_attempts": 2}}]"""
                  .formatted(RETRY, WEBHOOK)),
          Map.entry("POST /task/{id}/retry", "{\"at\": \"2030-01-31T12:00:00Z\"}"),
          Map.entry(
              "POST /task/{id}/resolve", "{\"result\": {\"rows\": 7}, \"reason\": \"by hand\"}"),
          Map.entry("POST /batch/{id}/retry", "{\"run\": \"failed\"}"),
          Map.entry(
              "PATCH /batch/{id}/rules",
              "{\"kind\": \"mail\", \"rules\": [{\"type\": \"Capacity\", \"max_capacity\": 100}]}"),
          Map.entry(
              "PUT /limit/{kind}",
              """
              {"max_concurrency": 5, "rate": {"max_starts": 5, "per": "1s", "burst": 2},
               "fields": ["a"]}"""),
          Map.entry("POST /schedule", SCHEDULE.formatted(", \"name\": \"a\"")),
          Map.entry("PUT /schedule/{id}", SCHEDULE.formatted("")),
          Map.entry("PATCH /schedule/{id}", SCHEDULE.formatted("")),
          Map.entry(
              "POST /schedule/preview",
              "{\"trigger\": {\"at\": \"08:00\", \"days\": [\"mon\"], \"zone\": \"Europe/Paris\"},"
                  + " \"count\": 5}"),
          Map.entry(
              "PATCH /task/{id}",
              """
              {"status": "Failure", "failure_reason": "no", "failure_code": "no_slots",
               "failure_status": 503, "exception_types": ["java.io.IOException"], "stack": "at a",
               "retryable": true, "retry_after": "5s", "new_success": 1, "new_failures": 1,
               "metadata": {"a": 1}, "priority": 3, "expected_count": 10, "epoch": 1}"""),
          Map.entry("PUT /task/{id}", "{\"new_success\": 1, \"new_failures\": 2, \"epoch\": 1}"),
          Map.entry(
              "POST /task/claim",
              """
              {"kinds": ["mail"], "limit": 1, "wait": "1ms", "worker": "w", "lease": "1s",
               "include": ["batch"]}"""),
          Map.entry("POST /task/{id}/heartbeat", "{\"epoch\": 1, \"lease\": \"1s\"}"),
          Map.entry(
              "POST /task/bulk",
              "{\"action\": \"pause\", \"filter\": {\"kind\": \"mail\"}, \"dry_run\": true}"),
          Map.entry(
              "POST /delivery/bulk",
              """
              {"action": "redeliver", "filter": {"host": "a.example", "status": 503,
               "failure_kind": "http", "state": "dead", "since": "1d"}, "spread": "1m",
               "dry_run": true}"""),
          Map.entry("POST /session", "{\"key\": \"" + KEY + "\"}"),
          Map.entry("POST /key", "{\"name\": \"a\", \"roles\": [\"admin\"]}"),
          Map.entry(
              "POST /policy/explain",
              "{\"policy\": %s, \"failures\": [{\"kind\": \"http\", \"status\": 503}],"
                      .formatted(RETRY)
                  + " \"attempts\": 5}"),
          Map.entry(
              "POST /policy/lint",
              "{\"policy\": %s, \"clients\": 10, \"method\": \"POST\", \"layers\": 2,"
                      .formatted(RETRY)
                  + " \"idempotency_key\": true, \"key_lifetime\": \"1d\", \"amplification\": 3}"),
          Map.entry(
              "POST /policy/simulate",
              "{\"policy\": %s, \"clients\": 10, \"capacity\": 10, \"load\": 0.5,".formatted(RETRY)
                  + " \"outage\": \"5s\", \"remaining\": 0, \"timeout\": \"1s\","
                  + " \"horizon\": \"60s\", \"budget\": 0.1, \"seed\": 1}"));

  /** For routes without an entry: fields of many routes. */
  private static final String DEFAULT_BODY =
      """
      {"id": "x", "name": "a", "kind": "mail", "status": "Success", "epoch": 1, "at": "2030-01-01T00:00:00Z",
       "trigger": {"every": "5m"}, "task": {"kind": "mail"}, "retry": %s, "on_start": %s,
       "tasks": [{"kind": "mail"}], "filter": {"kind": "mail"}, "rules": [], "enabled": true,
       "limit": 1, "action": "pause"}"""
          .formatted(RETRY, WEBHOOK);

  /** Parameters without which a route answers nothing. */
  private static final Map<String, Map<String, String>> QUERIES =
      Map.of("GET /find", Map.of("q", "mail"));

  private static final Set<String> BODILESS = Set.of("GET", "HEAD", "DELETE");

  private final FuzzFixture fixture;
  private final String key;

  /**
   * @param key the API key of every request
   */
  ValidRequests(FuzzFixture fixture, String key) {
    this.fixture = fixture;
    this.key = key;
  }

  RawRequest of(Route route, SplittableRandom random) {
    return of(route, HostileInputs.any(fixture.ids(route), random));
  }

  /** A request with this id in its path, if the path has one. */
  RawRequest of(Route route, String id) {
    String path = route.pattern().replace("{epoch}", "1").replaceAll("\\{[^}]*}", id);
    String name = route.method() + " " + route.pattern();
    RawRequest bare =
        new RawRequest(
            route.method(),
            path,
            QUERIES.getOrDefault(name, Map.of()),
            List.of("Authorization: Bearer " + key),
            new byte[0],
            true);
    boolean bodiless =
        BODILESS.contains(route.method())
            || route.pattern().matches(".*/(pause|resume)/.*|.*/(redeliver|test|trigger)");
    if (bodiless && !BODIES.containsKey(name)) {
      return bare;
    }
    String body = BODIES.getOrDefault(name, DEFAULT_BODY).replace(KEY, key);
    return bare.withHeader(RawRequest.JSON).withBody(body.getBytes(StandardCharsets.UTF_8));
  }
}
