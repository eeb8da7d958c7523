// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * The node that responded, and every node of its cluster.
 *
 * @param name the name of the node that responded
 * @param version the version it runs
 */
public record ClusterInfo(String name, String version, Instant startedAt, List<Member> nodes) {

  /**
   * A node that is alive or died within the last day.
   *
   * @param state {@code alive}, {@code late} or {@code dead}
   * @param kinds the kinds of tasks that it runs itself
   */
  public record Member(UUID id, String name, String state, List<String> kinds) {

    static Member of(JsonNode json) {
      JsonFields node = new JsonFields(json);
      return new Member(
          node.required("id", node::id),
          node.required("name", node::text),
          node.required("state", node::text),
          node.texts("kinds"));
    }
  }

  /** Reads the server's JSON. */
  public static ClusterInfo of(JsonNode json) {
    JsonFields node = new JsonFields(json);
    return new ClusterInfo(
        node.required("name", node::text),
        node.required("version", node::text),
        node.required("started_at", node::instant),
        node.list("nodes", Member::of));
  }
}
