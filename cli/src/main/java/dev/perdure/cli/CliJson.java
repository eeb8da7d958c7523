// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.CappedCount;
import dev.perdure.client.LoadGenerator;
import dev.perdure.client.StatusCounts;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.json.DecisionVectors;
import dev.perdure.server.config.Configuration;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the commands answer to programs. */
final class CliJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private CliJson() {}

  static ObjectNode errors(List<FieldError> fieldErrors) {
    ObjectNode json = NODES.objectNode();
    ArrayNode errors = json.putArray("errors");
    for (FieldError fieldError : fieldErrors) {
      errors.addObject().put("path", fieldError.path()).put("message", fieldError.message());
    }
    return json;
  }

  static ObjectNode version(String version, String java) {
    return NODES.objectNode().put("version", version).put("java", java);
  }

  static ObjectNode vectors(DecisionVectors.Result result) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("passed", result.passed())
            .put("failed", result.differences().size());
    ArrayNode differences = json.putArray("differences");
    result.differences().forEach(differences::add);
    return json;
  }

  static ObjectNode configuration(Configuration configuration) {
    ObjectNode json = NODES.objectNode();
    for (Configuration.Entry entry : configuration.entries()) {
      json.putObject(entry.setting().name())
          .put("value", entry.redactedText())
          .put("from", entry.origin())
          .put("variable", entry.setting().environmentVariable())
          .put("flag", entry.setting().flag());
    }
    return json;
  }

  static ObjectNode migrated(String database) {
    return NODES.objectNode().put("database", database).put("up_to_date", true);
  }

  static ObjectNode statusCounts(StatusCounts statusCounts) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("live", statusCounts.live().value())
            .put("ended", statusCounts.ended().value())
            .put("paused", statusCounts.paused().value());
    ObjectNode byStatus = json.putObject("by_status");
    statusCounts
        .byStatus()
        .forEach((status, cappedCount) -> byStatus.put(status, cappedCount.value()));
    // The server counts only so far: what a program must not take as the whole.
    Map<String, CappedCount> cappedCounts = new LinkedHashMap<>(statusCounts.byStatus());
    cappedCounts.put("live", statusCounts.live());
    cappedCounts.put("ended", statusCounts.ended());
    cappedCounts.put("paused", statusCounts.paused());
    ArrayNode atLeast = json.putArray("at_least");
    cappedCounts.entrySet().stream()
        .filter(entry -> entry.getValue().capped())
        .forEach(entry -> atLeast.add(entry.getKey()));
    return json;
  }

  static ObjectNode round(LoadGenerator.Round round) {
    return NODES
        .objectNode()
        .put("submitted_per_second", Math.round(round.submittedPerSecond()))
        .put("settled_per_second", Math.round(round.settledPerSecond()))
        .put("post_p50_us", round.median().toNanos() / 1_000)
        .put("post_p99_us", round.p99().toNanos() / 1_000);
  }

  static ObjectNode serving(URI url) {
    return NODES.objectNode().put("url", url.toString()).put("pid", ProcessHandle.current().pid());
  }
}
