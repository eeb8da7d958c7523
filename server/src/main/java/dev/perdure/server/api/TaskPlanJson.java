// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.TaskPlan;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.json.PolicyReportJson;
import dev.perdure.policy.json.WrittenPolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the plan of a task as JSON. */
final class TaskPlanJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private TaskPlanJson() {}

  /**
   * @param policy the policy as it was submitted; null without one
   */
  static ObjectNode of(TaskPlan plan, @Nullable String policy) {
    ObjectNode json = NODES.objectNode();
    json.set("policy", policy(policy));
    plan.why().forEach(json.putArray("why")::add);
    ArrayNode coming = json.putArray("coming");
    plan.coming().forEach(attempt -> coming.add(coming(attempt)));
    json.set("end", end(plan.end()));
    return json.put("more", plan.more());
  }

  private static ObjectNode policy(@Nullable String stored) {
    try {
      return PolicyReportJson.text(
          stored == null ? WrittenPolicy.NONE : WrittenPolicy.read(stored));
    } catch (InvalidPolicyException unreadable) {
      return PolicyReportJson.text(WrittenPolicy.NONE);
    }
  }

  private static ObjectNode coming(TaskPlan.Coming attempt) {
    return NODES
        .objectNode()
        .put("attempt", attempt.attempt())
        .put("at", InstantText.of(attempt.at()))
        .put("at_min", InstantText.of(attempt.earliest()))
        .put("at_max", InstantText.of(attempt.latest()))
        .put("drawn", attempt.drawn())
        .put("step", attempt.step());
  }

  private static JsonNode end(TaskPlan.@Nullable End end) {
    return end == null
        ? NODES.nullNode()
        : NODES
            .objectNode()
            .put("reason", end.reason())
            .put("after_attempt", end.afterAttempt())
            .put("at_min", InstantText.of(end.earliest()))
            .put("at_max", InstantText.of(end.latest()));
  }
}
