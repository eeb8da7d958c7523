// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.policy.json.Vectors;
import dev.perdure.server.cli.client.Census;
import dev.perdure.server.cli.client.Count;
import dev.perdure.server.cli.client.Load;
import dev.perdure.server.config.Configuration;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the commands answer to programs. */
final class Json {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Json() {}

  static ObjectNode errors(List<Problem> problems) {
    ObjectNode json = NODES.objectNode();
    ArrayNode errors = json.putArray("errors");
    for (Problem problem : problems) {
      errors.addObject().put("path", problem.path()).put("message", problem.message());
    }
    return json;
  }

  static ObjectNode version(String version, String java) {
    return NODES.objectNode().put("version", version).put("java", java);
  }

  static ObjectNode vectors(Vectors.Result result) {
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
          .put("value", entry.shown())
          .put("from", entry.from())
          .put("variable", entry.setting().variable())
          .put("flag", entry.setting().flag());
    }
    return json;
  }

  static ObjectNode migrated(String database) {
    return NODES.objectNode().put("database", database).put("up_to_date", true);
  }

  static ObjectNode census(Census census) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("live", census.live().number())
            .put("ended", census.ended().number())
            .put("paused", census.paused().number());
    ObjectNode byStatus = json.putObject("by_status");
    census.byStatus().forEach((status, count) -> byStatus.put(status, count.number()));
    // The server counts only so far: what a program must not take as the whole.
    Map<String, Count> counts = new LinkedHashMap<>(census.byStatus());
    counts.put("live", census.live());
    counts.put("ended", census.ended());
    counts.put("paused", census.paused());
    ArrayNode atLeast = json.putArray("at_least");
    counts.entrySet().stream()
        .filter(entry -> entry.getValue().more())
        .forEach(entry -> atLeast.add(entry.getKey()));
    return json;
  }

  static ObjectNode round(Load.Round round) {
    return NODES
        .objectNode()
        .put("submitted_per_second", Math.round(round.submitted()))
        .put("settled_per_second", Math.round(round.settled()))
        .put("post_p50_us", round.median().toNanos() / 1_000)
        .put("post_p99_us", round.p99().toNanos() / 1_000);
  }

  static ObjectNode serving(URI url) {
    return NODES.objectNode().put("url", url.toString()).put("pid", ProcessHandle.current().pid());
  }
}
