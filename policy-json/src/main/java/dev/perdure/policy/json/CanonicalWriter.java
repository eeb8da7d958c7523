// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the canonical form. The order of fields and the units are always the same. */
final class CanonicalWriter {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<FailureMatcher> ALL_FAILURES = List.of(FailureMatcher.any());

  private CanonicalWriter() {}

  static ObjectNode write(RetryPolicy policy) {
    ObjectNode json = NODES.objectNode();
    writeLimit(json, policy.maxRetries());
    if (policy.isNone()) {
      return json;
    }
    json.set("backoff", backoff(policy.backoff()));
    json.set("jitter", jitter(policy.jitter()));
    if (policy.maxDelay() != null) {
      json.put("max_delay", text(policy.maxDelay()));
    }
    writeExpiry(json, policy.expiry());
    if (!policy.retryOn().equals(ALL_FAILURES)) {
      json.set("retry_on", matchers(policy.retryOn()));
    }
    if (!policy.neverOn().isEmpty()) {
      json.set("never_on", matchers(policy.neverOn()));
    }
    if (!policy.retryAfter().equals(RetryAfter.DEFAULT)) {
      json.set("retry_after", retryAfter(policy.retryAfter()));
    }
    if (!policy.overrides().isEmpty()) {
      ArrayNode overrides = json.putArray("overrides");
      policy.overrides().forEach(override -> overrides.add(override(override)));
    }
    return json;
  }

  private static void writeLimit(ObjectNode json, RetryLimit limit) {
    if (limit.unlimited()) {
      json.putNull("max_retries");
    } else {
      json.put("max_retries", limit.retries());
    }
  }

  private static ObjectNode backoff(Backoff backoff) {
    return switch (backoff) {
      case Backoff.Immediate immediate -> typed("immediate");
      case Backoff.Fixed fixed -> typed("fixed").put("delay", text(fixed.delay()));
      case Backoff.Linear linear ->
          typed("linear")
              .put("initial", text(linear.initial()))
              .put("increment", text(linear.increment()));
      case Backoff.Exponential exponential ->
          typed("exponential")
              .put("initial", text(exponential.initial()))
              .put("multiplier", exponential.multiplier());
      case Backoff.Schedule schedule -> typed("schedule").set("delays", delays(schedule));
      case Backoff.Ladder ladder -> typed("ladder").set("steps", steps(ladder));
    };
  }

  private static ArrayNode delays(Backoff.Schedule schedule) {
    ArrayNode delays = NODES.arrayNode();
    schedule.delays().forEach(delay -> delays.add(text(delay)));
    return delays;
  }

  private static ArrayNode steps(Backoff.Ladder ladder) {
    ArrayNode steps = NODES.arrayNode();
    for (Backoff.Step step : ladder.steps()) {
      steps.addObject().put("count", step.count()).put("delay", text(step.delay()));
    }
    return steps;
  }

  private static JsonNode jitter(Jitter jitter) {
    return switch (jitter) {
      case Jitter.None none -> NODES.stringNode("none");
      case Jitter.Full full -> NODES.stringNode("full");
      case Jitter.Equal equal -> NODES.stringNode("equal");
      case Jitter.Decorrelated decorrelated -> NODES.stringNode("decorrelated");
      case Jitter.Spread spread -> typed("spread").put("factor", spread.factor());
      case Jitter.Add add -> typed("add").put("factor", add.factor());
    };
  }

  private static void writeExpiry(ObjectNode json, Expiry expiry) {
    switch (expiry) {
      case Expiry.Never never -> {}
      case Expiry.After after -> json.put("expires_after", text(after.age()));
      case Expiry.At at -> json.put("expires_at", InstantText.of(at.instant()));
    }
  }

  private static ArrayNode matchers(List<FailureMatcher> matchers) {
    ArrayNode texts = NODES.arrayNode();
    matchers.forEach(matcher -> texts.add(matcher.text()));
    return texts;
  }

  private static ObjectNode retryAfter(RetryAfter retryAfter) {
    return NODES.objectNode().put("honor", retryAfter.honor()).put("cap", text(retryAfter.cap()));
  }

  private static ObjectNode override(PolicyOverride override) {
    ObjectNode json = NODES.objectNode();
    json.set("on", matchers(override.on()));
    if (override.maxRetries() != null) {
      writeLimit(json, override.maxRetries());
    }
    if (override.backoff() != null) {
      json.set("backoff", backoff(override.backoff()));
    }
    if (override.jitter() != null) {
      json.set("jitter", jitter(override.jitter()));
    }
    if (override.maxDelay() != null) {
      json.put("max_delay", text(override.maxDelay()));
    }
    return json;
  }

  private static ObjectNode typed(String type) {
    return NODES.objectNode().put("type", type);
  }

  private static String text(Duration duration) {
    return DurationText.format(duration);
  }
}
