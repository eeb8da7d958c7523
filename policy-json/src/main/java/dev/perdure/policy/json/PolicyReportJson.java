// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.explain.PolicyProperties;
import dev.perdure.policy.explain.PolicyWords;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import java.util.function.ToIntFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the results of explain, lint and simulate as JSON. */
public final class PolicyReportJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private PolicyReportJson() {}

  /** Writes a policy in its canonical form and in words. */
  public static ObjectNode text(WrittenPolicy written) {
    RetryPolicy policy = written.policy();
    ObjectNode json = NODES.objectNode();
    json.set("canonical", policy.isNone() ? NODES.nullNode() : PolicyJson.write(policy));
    json.put("dialect", written.dialectName());
    ArrayNode words = json.putArray("words");
    PolicyProperties.of(policy)
        .forEach(property -> words.add(property.label() + ": " + property.text()));
    return json.put("sentence", PolicyWords.of(policy));
  }

  /** Writes when a timeline ends; null if it goes on. */
  public static JsonNode end(Timeline timeline) {
    if (timeline.end() == null) {
      return NODES.nullNode();
    }
    Timeline.Range total = timeline.total();
    return NODES
        .objectNode()
        .put("reason", timeline.end().text())
        .put("after_attempt", timeline.entries().getLast().attempt())
        .put("total_min_ms", total.earliest().toMillis())
        .put("total_max_ms", total.latest().toMillis())
        .put("total_expected_ms", total.expected().toMillis());
  }

  /** Writes the decision after one attempt. */
  public static ObjectNode decision(Timeline.Entry entry) {
    ObjectNode json = NODES.objectNode().put("attempt", entry.attempt());
    return switch (entry) {
      case Timeline.End end -> json.put("retry", false).put("reason", end.reason().text());
      case Timeline.Retry retry ->
          json.put("retry", true)
              .put("delay_min_ms", retry.delay().earliest().toMillis())
              .put("delay_max_ms", retry.delay().latest().toMillis());
    };
  }

  /** Writes the decision after one attempt, with the total delays and the position on a ladder. */
  public static ObjectNode entry(Timeline.Entry entry) {
    ObjectNode json = decision(entry);
    if (entry instanceof Timeline.Retry retry) {
      totals(json, retry);
    }
    return json;
  }

  private static void totals(ObjectNode json, Timeline.Retry retry) {
    Timeline.Range total = retry.total();
    json.put("delay_expected_ms", retry.delay().expected().toMillis())
        .put("total_min_ms", total.earliest().toMillis())
        .put("total_max_ms", total.latest().toMillis())
        .put("total_expected_ms", total.expected().toMillis());
    LadderPosition position = retry.ladderPosition();
    if (position != null) {
      json.put("step", position.step())
          .put("steps", position.steps())
          .put("step_retry", position.retry())
          .put("step_count", position.count());
    }
  }

  public static ObjectNode warnings(LintReport report) {
    ObjectNode json = NODES.objectNode();
    ArrayNode array = json.putArray("warnings");
    for (Linter.Warning warning : report.warnings()) {
      array
          .addObject()
          .put("id", warning.id())
          .put("path", warning.path())
          .put("message", warning.message())
          .put("fix", warning.fix());
    }
    if (report.canonical() != null) {
      json.set("canonical", report.canonical());
    }
    return json;
  }

  public static ObjectNode report(OutageSimulation.Report report) {
    Scenario scenario = report.scenario();
    ObjectNode json = NODES.objectNode();
    json.set("scenario", scenario(scenario));
    json.put("outage_starts_ms", scenario.outageStart().toMillis());
    json.put("outage_ends_ms", scenario.outageEnd().toMillis());
    json.set("without_retries", run(scenario, report.withoutRetries()));
    json.set("with_policy", run(scenario, report.withPolicy()));
    json.set("with_budget", run(scenario, report.withBudget()));
    return json;
  }

  private static ObjectNode scenario(Scenario scenario) {
    return NODES
        .objectNode()
        .put("clients", scenario.clients())
        .put("capacity", scenario.capacity())
        .put("load", scenario.load())
        .put("outage_ms", scenario.outage().toMillis())
        .put("remaining", scenario.remaining())
        .put("timeout_ms", scenario.timeout().toMillis())
        .put("horizon_ms", scenario.horizon().toMillis())
        .put("budget", scenario.budget())
        .put("seed", scenario.seed());
  }

  private static ObjectNode run(Scenario scenario, OutageResult result) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("verdict", result.verdict().text())
            .put("amplification", result.amplification())
            .put("peak_load", result.peakLoad(scenario))
            .put("success_rate", result.successRate())
            .put("requests", result.requests())
            .put("attempts", result.attempts())
            .put("succeeded", result.succeeded())
            .put("rejected_by_budget", result.rejectedByBudget());
    json.put("drain_ms", result.drainTime() == null ? null : (Long) result.drainTime().toMillis());
    json.set("arrived", perSecond(result, OutageResult.Second::arrived));
    json.set("sent", perSecond(result, OutageResult.Second::sent));
    json.set("answered", perSecond(result, OutageResult.Second::answered));
    json.set("waiting", perSecond(result, OutageResult.Second::waiting));
    return json;
  }

  private static ArrayNode perSecond(
      OutageResult result, ToIntFunction<OutageResult.Second> number) {
    ArrayNode array = NODES.arrayNode();
    result.seconds().forEach(second -> array.add(number.applyAsInt(second)));
    return array;
  }
}
