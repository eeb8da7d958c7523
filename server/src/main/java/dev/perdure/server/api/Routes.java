// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static dev.perdure.server.http.Role.READ;

import dev.perdure.engine.store.TaskStore;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.RouteTable;
import java.time.InstantSource;
import java.util.List;

/** Every path with its handler. */
public final class Routes {

  private final ProcessRoutes process;
  private final PolicyRoutes policy;

  public Routes(TaskStore store, Metrics metrics, NodeFacts facts, InstantSource clock) {
    process = new ProcessRoutes(store, metrics, facts);
    policy = new PolicyRoutes(clock);
  }

  public RouteTable table() {
    return new RouteTable(all());
  }

  List<Route> all() {
    return List.of(
        Route.get("/health", READ, process::health),
        Route.get("/ready", READ, process::ready),
        Route.get("/metrics", READ, process::metrics),
        Route.get("/node", READ, process::node),
        Route.post("/policy/explain", READ, policy::explain),
        Route.post("/policy/simulate", READ, policy::simulate),
        Route.post("/policy/lint", READ, policy::lint));
  }
}
