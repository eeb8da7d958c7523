// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.RetryPolicy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class PolicyJsonRoundTripTest {

  private static final int SEEDS = 3_000;

  @Test
  void reads_every_policy_that_it_writes() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RetryPolicy policy = RandomJsonPolicies.of(seed);
      JsonNode json = PolicyJson.write(policy);
      String text = json.toString();

      assertThat(PolicyJson.read(json)).as("seed %d: %s", seed, text).isEqualTo(policy);
      assertThat(PolicyJson.read(text)).as("seed %d, as text: %s", seed, text).isEqualTo(policy);
      assertThat(PolicyJson.read(JsonMapper.shared().readTree(text)))
          .as("seed %d, as a tree of another mapper: %s", seed, text)
          .isEqualTo(policy);
      assertThat(PolicyJson.write(PolicyJson.read(text)))
          .as("seed %d, written again", seed)
          .isEqualTo(json)
          .hasToString(text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"max_retries":0}""",
        """
        {"max_retries":0,"backoff":{"type":"immediate"},"jitter":"none"}""",
        """
        {"max_retries":0,"backoff":{"type":"immediate"},"jitter":{"type":"add","factor":0.0}}""",
        """
        {"max_retries":5,"backoff":{"type":"exponential","initial":"1s","multiplier":2.0},\
        "jitter":{"type":"spread","factor":0.25},"max_delay":"5m","expires_after":"14d",\
        "retry_on":["timeout","5xx","429","code:no_slots","exception:java.io.IOException"],\
        "never_on":["4xx"],"retry_after":{"honor":true,"cap":"1m"},\
        "overrides":[{"on":["429"],"backoff":{"type":"exponential","initial":"3s","multiplier":3.0}}]}""",
        """
        {"max_retries":null,"backoff":{"type":"ladder","steps":[{"count":2,"delay":"250ms"},\
        {"count":0,"delay":"36500d"}]},"jitter":"full","expires_at":"2026-01-31T12:00:00.001Z"}""",
        """
        {"max_retries":1,"backoff":{"type":"linear","initial":"90s","increment":"2h"},\
        "jitter":"decorrelated","overrides":[{"on":["*"],"max_retries":null,"jitter":"equal"}]}"""
      })
  void writes_the_canonical_form(String text) {
    assertThat(PolicyJson.write(PolicyJson.read(text))).hasToString(text);
  }

  @Test
  void omits_defaults() {
    String longForm =
        """
        {"backoff": {"type": "linear", "initial": "60s"}, "retry_on": ["*"], "never_on": [],
         "retry_after": {"honor": true, "cap": "1d"}, "overrides": [], "jitter": {"type": "full"}}
        """;

    assertThat(PolicyJson.write(PolicyJson.read(longForm)))
        .hasToString(
            """
            {"max_retries":3,"backoff":{"type":"linear","initial":"1m","increment":"1m"},\
            "jitter":"full"}""");
  }

  @Test
  void writes_presets_in_full() {
    for (String preset : List.of("http", "queue", "transient")) {
      RetryPolicy policy = PolicyJson.read("{\"preset\": \"%s\"}".formatted(preset));

      assertThat(PolicyJson.write(policy).has("preset")).isFalse();
      assertThat(PolicyJson.read(PolicyJson.write(policy))).isEqualTo(policy);
    }
  }
}
