// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InstantText;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes attempts as JSON. */
final class AttemptJson {

  private AttemptJson() {}

  static ArrayNode rows(List<AttemptRow> rows) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    rows.forEach(row -> array.add(row(row)));
    return array;
  }

  static ObjectNode row(AttemptRow row) {
    return fields(row.attempt()).put("has_stack", row.hasStack());
  }

  /** An attempt with everything. */
  static ObjectNode of(Attempt attempt) {
    AttemptDetails details = attempt.details();
    ObjectNode json =
        fields(attempt).put("has_stack", details.stack() != null).put("stack", details.stack());
    json.set("result", TaskJson.parseStored(details.result()));
    return json;
  }

  private static ObjectNode fields(Attempt attempt) {
    AttemptDetails details = attempt.details();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("number", attempt.number())
            .put("epoch", attempt.epoch())
            .put("worker", attempt.worker())
            .put("started_at", InstantText.of(attempt.startedAt()))
            .put("ended_at", InstantText.of(attempt.endedAt()))
            .put("outcome", details.outcome().text())
            .put("failure_kind", details.failureKind())
            .put(
                "status", details.status() == Failure.NO_STATUS ? null : (Integer) details.status())
            .put("code", details.code())
            .put("message", details.message())
            .put("delay_ms", details.delay() == null ? null : (Long) details.delay().toMillis())
            .put("next_at", InstantText.of(attempt.nextAttemptAt()));
    details.exceptionTypes().forEach(json.putArray("exception_types")::add);
    return json;
  }
}
