// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.bench.LoadGenerator;
import dev.perdure.cli.watch.CappedCount;
import dev.perdure.cli.watch.StatusCounts;
import dev.perdure.client.BulkResult;
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

/** Builds the JSON that commands print themselves. */
final class CliJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private CliJson() {}

  static ObjectNode errors(List<FieldError> errors) {
    ObjectNode json = NODES.objectNode();
    ArrayNode array = json.putArray("errors");
    for (FieldError error : errors) {
      array.addObject().put("path", error.path()).put("message", error.message());
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

  static ObjectNode migrated(String database, int applied) {
    return NODES
        .objectNode()
        .put("database", database)
        .put("up_to_date", true)
        .put("migrations_applied", applied);
  }

  static ObjectNode statusCounts(StatusCounts counts) {
    ObjectNode json =
        NODES.objectNode().put("live", counts.live().value()).put("ended", counts.ended().value());
    counts.batch().ifPresent(batch -> json.put("run", batch.run()));
    ObjectNode byStatus = json.putObject("by_status");
    counts.byStatus().forEach((status, count) -> byStatus.put(status, count.value()));
    // The server stops counting at a limit: these numbers are lower bounds.
    Map<String, CappedCount> all = new LinkedHashMap<>(counts.byStatus());
    all.put("live", counts.live());
    all.put("ended", counts.ended());
    ArrayNode atLeast = json.putArray("at_least");
    all.entrySet().stream()
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

  static ObjectNode bulk(String action, boolean dryRun, BulkResult result) {
    return NODES
        .objectNode()
        .put("action", action)
        .put("dry_run", dryRun)
        .put("matched", result.matched())
        .put("changed", result.changed())
        .put("skipped", result.skipped());
  }

  static ObjectNode serving(URI url) {
    return NODES.objectNode().put("url", url.toString()).put("pid", ProcessHandle.current().pid());
  }
}
