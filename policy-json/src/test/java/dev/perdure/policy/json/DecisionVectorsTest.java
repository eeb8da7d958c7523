// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DecisionVectorsTest {

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int SEEDS = 1_000;

  private record Expected(String name, RetryPolicy policy, JsonNode decision) {

    Decision draw(long seed) {
      DecisionContext context =
          DecisionContext.attempt(decision.get("attempt").longValue())
              .withAge(Duration.ofMillis(decision.path("age_ms").longValue(0)));
      Failure failure = FailureJson.read(decision.get("failure"));
      return policy.decide(context, failure, new SplittableRandom(seed));
    }
  }

  @Test
  void confirms_every_expected_decision() throws Exception {
    DecisionVectors.Result result = DecisionVectors.check(file());

    assertThat(result.differences()).isEmpty();
    assertThat(result.passed()).isEqualTo(expected().size()).isGreaterThan(150);
  }

  @Test
  void draws_every_delay_within_its_bounds() throws Exception {
    for (Expected expected : expected()) {
      JsonNode expect = expected.decision().get("expect");
      for (long seed = 0; seed < SEEDS; seed++) {
        Decision decision = expected.draw(seed);
        if (!expect.get("retry").booleanValue()) {
          assertThat(decision).as(expected.name()).isInstanceOf(Decision.GiveUp.class);
          break;
        }
        assertThat(((Decision.Retry) decision).delay().toMillis())
            .as("%s, attempt %s, seed %d", expected.name(), expected.decision(), seed)
            .isBetween(
                expect.get("delay_min_ms").longValue() - 1,
                expect.get("delay_max_ms").longValue() + 1);
      }
    }
  }

  @Test
  void reports_every_difference() {
    DecisionVectors.Result result =
        DecisionVectors.check(
            json(
                """
                [{"name": "three retries", "policy": {"max_retries": 3}, "decisions": [
                  {"attempt": 0, "failure": {"kind": "timeout"},
                   "expect": {"retry": true, "delay_min_ms": 5001, "delay_max_ms": 4999}},
                  {"attempt": 1, "failure": {"kind": "timeout"},
                   "expect": {"retry": true, "delay_min_ms": 9998, "delay_max_ms": 10000}},
                  {"attempt": 1, "failure": {"kind": "timeout"},
                   "expect": {"retry": true, "delay_min_ms": 10000, "delay_max_ms": 10002}},
                  {"attempt": 3, "failure": {"kind": "timeout"},
                   "expect": {"retry": false, "reason": "expired"}},
                  {"attempt": 2, "failure": {"kind": "timeout"},
                   "expect": {"retry": false, "reason": "exhausted"}}]}]
                """));

    assertThat(result.passed()).isEqualTo(1);
    assertThat(result.differences())
        .containsExactly(
            "three retries, decisions[1], attempt 1:"
                + " expected retry after 9998..10000 ms, found retry after 10000..10000 ms",
            "three retries, decisions[2], attempt 1:"
                + " expected retry after 10000..10002 ms, found retry after 10000..10000 ms",
            "three retries, decisions[3], attempt 3: expected give up: expired, found give up: exhausted",
            "three retries, decisions[4], attempt 2:"
                + " expected give up: exhausted, found retry after 20000..20000 ms");
  }

  @Test
  void uses_the_current_time_and_the_previous_delay() {
    DecisionVectors.Result result =
        DecisionVectors.check(
            json(
                """
                [{"name": "decorrelated", "policy": {"backoff": {"type": "linear", "initial": "1s"},
                    "jitter": "decorrelated", "expires_at": "2026-01-01T00:00:00Z"},
                  "decisions": [
                  {"attempt": 1, "prev_delay_ms": 2000, "now": "2025-01-01T00:00:00+01:00",
                   "failure": {"kind": "timeout"},
                   "expect": {"retry": true, "delay_min_ms": 1000, "delay_max_ms": 6000}},
                  {"attempt": 1, "now": "2025-12-31T23:59:59Z", "failure": {"kind": "timeout"},
                   "expect": {"retry": false, "reason": "expired"}}]}]
                """));

    assertThat(result.differences()).isEmpty();
    assertThat(result.passed()).isEqualTo(2);
  }

  @Test
  void reports_parts_with_the_wrong_form() {
    DecisionVectors.Result result =
        DecisionVectors.check(
            json(
                """
                [7,
                 {"policy": null},
                 {"name": "bad policy", "policy": {"backoff": 1}, "decisions": []},
                 {"name": "bad decision", "policy": null, "decisions": [
                   {"atempt": 0, "failure": {"kind": "tiemout"}, "expect": {"retry": false}}]}]
                """));

    assertThat(result.passed()).isZero();
    assertThat(result.differences()).hasSize(4);
    assertThat(result.differences().get(0)).contains("vector 0", "must be an object");
    assertThat(result.differences().get(1)).contains("vector 1", "name", "decisions");
    assertThat(result.differences().get(2)).contains("bad policy", "backoff");
    assertThat(result.differences().get(3))
        .contains("bad decision", "attempt", "'timeout'", "expect.reason", "atempt");
    assertThat(DecisionVectors.check(json("{}")).differences()).hasSize(1);
  }

  private static List<Expected> expected() throws Exception {
    List<Expected> all = new ArrayList<>();
    for (JsonNode vector : file()) {
      RetryPolicy policy = PolicyJson.read(vector.get("policy"));
      for (JsonNode decision : vector.get("decisions")) {
        all.add(new Expected(vector.get("name").stringValue(), policy, decision));
      }
    }
    return all;
  }

  private static JsonNode file() throws Exception {
    try (InputStream file = DecisionVectorsTest.class.getResourceAsStream("/vectors/policy.json")) {
      return MAPPER.readTree(file);
    }
  }

  private static JsonNode json(String text) {
    return MAPPER.readTree(text);
  }
}
