// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.store.jdbc.JdbcStore.ConnectionCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Health, readiness, metrics and the list of nodes. */
final class NodeRoutes {

  private static final Duration READY_TIMEOUT = Duration.ofSeconds(2);
  private static final String NOT_ALIVE =
      "this node takes no work: it has just started, or it could not write to the database for 3/5"
          + " of worker_claim_timeout_secs";
  private static final Duration TAKEOVER = Duration.ofMinutes(5);
  private static final UUID NO_TASK = new UUID(0, 0);
  private static final String PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Engine engine;
  private final TaskStore store;
  private final ReadinessCheck readinessCheck;
  private final PrometheusMetrics metrics;
  private final NodeInfo nodeInfo;

  NodeRoutes(Engine engine, TaskStore store, PrometheusMetrics metrics, NodeInfo nodeInfo) {
    this.engine = engine;
    this.store = store;
    this.readinessCheck = new ReadinessCheck(() -> store.reader().find(NO_TASK), READY_TIMEOUT);
    this.metrics = metrics;
    this.nodeInfo = nodeInfo;
  }

  /** The process is running. Whether it can work is {@link #ready}. */
  Response health(Request request) {
    ConnectionCounts connections = nodeInfo.connections().get();
    return Response.ok(
        object()
            .put("status", "ok")
            .put("database", engine.isAlive() ? "healthy" : "unhealthy")
            .put("pool_size", connections.open())
            .put("pool_idle", connections.idle()));
  }

  /** The store can be read, and it could be written to recently: the node's row is alive. */
  Response ready(Request request) {
    String reason = engine.isAlive() ? readinessCheck.reasonNotReady() : NOT_ALIVE;
    if (reason != null) {
      throw HttpProblemException.unavailable(reason);
    }
    return Response.ok(object().put("status", "ready"));
  }

  Response metrics(Request request) {
    return Response.text(HttpStatus.OK, PROMETHEUS_CONTENT_TYPE, metrics.scrape());
  }

  Response node(Request request) {
    ObjectNode json =
        object()
            .put("name", nodeInfo.name())
            .put("version", nodeInfo.version())
            .put("started_at", InstantText.of(nodeInfo.startedAt()));
    ArrayNode nodes = json.putArray("nodes");
    Instant now = store.now();
    for (NodeDetails node : store.overview().nodes()) {
      addNode(nodes.addObject(), node, now);
    }
    return Response.ok(json);
  }

  private void addNode(ObjectNode json, NodeDetails node, Instant now) {
    NodeLoad load = node.load();
    boolean dead = node.deadAt() != null;
    json.put("id", node.id().toString())
        .put("name", node.name())
        .put("version", load == null ? null : load.version())
        .put("joined_at", InstantText.of(node.joinedAt()))
        .put("seen_at", InstantText.of(node.lastSeen()))
        .put("state", node.state(now).text());
    json.putObject("slots")
        .put("busy", load == null || dead ? 0 : load.busy())
        .put("of", load == null ? null : load.slots());
    node.kinds().forEach(json.putArray("kinds")::add);
    json.put("held", mayHold(node, now) ? store.nodes().leasesOf(node.id()).size() : 0);
  }

  /** Other nodes take over what a dead node held, so its tasks are counted only for a while. */
  private static boolean mayHold(NodeDetails node, Instant now) {
    return node.deadAt() == null || node.deadAt().plus(TAKEOVER).isAfter(now);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
