// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Status;
import java.time.Duration;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tells how the process is. */
final class ProcessRoutes {

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final String NOT_ALIVE =
      "this node does no work: it has just started, or could not write to the store for 3/5 of"
          + " worker_claim_timeout_secs";
  private static final UUID NO_TASK = new UUID(0, 0);
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final Engine engine;
  private final TaskStore store;
  private final Readiness readiness;
  private final Metrics metrics;
  private final NodeFacts facts;

  ProcessRoutes(Engine engine, TaskStore store, Metrics metrics, NodeFacts facts) {
    this.engine = engine;
    this.store = store;
    this.readiness = new Readiness(() -> store.reader().find(NO_TASK), PATIENCE);
    this.metrics = metrics;
    this.facts = facts;
  }

  /** The process is there; whether it can work is another question. */
  Response health(Request request) {
    return Response.ok(object().put("status", "up"));
  }

  /** The store can be read, and could be written to a moment ago: the node's row is. */
  Response ready(Request request) {
    String trouble = engine.isAlive() ? readiness.trouble() : NOT_ALIVE;
    if (trouble != null) {
      throw RefusedException.unavailable(trouble);
    }
    return Response.ok(object().put("status", "ready"));
  }

  Response metrics(Request request) {
    return Response.text(Status.OK, PROMETHEUS, metrics.scrape());
  }

  Response node(Request request) {
    ObjectNode json =
        object()
            .put("name", facts.name())
            .put("version", facts.version())
            .put("started_at", facts.startedAt().toString());
    ArrayNode nodes = json.putArray("nodes");
    for (NodeBook.Node node : store.nodes().alive()) {
      ObjectNode row = nodes.addObject().put("id", node.id().toString()).put("name", node.name());
      node.kinds().forEach(row.putArray("kinds")::add);
    }
    return Response.ok(json);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
