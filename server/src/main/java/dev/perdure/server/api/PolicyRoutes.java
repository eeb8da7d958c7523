// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.simulate.InvalidScenarioException;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.Simulation;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.policy.Reports;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Says what a policy will do, what is unwise in it, and what it does to a service in trouble. */
final class PolicyRoutes {

  private static final int MOST_ENTRIES = 1_000;
  private static final int MOST_CLIENTS = 1_000_000;
  private static final int MOST_LAYERS = 20;

  private final InstantSource clock;

  /** A simulation may keep a processor busy for seconds; the others are for tasks. */
  private final Semaphore simulating = new Semaphore(1);

  PolicyRoutes(InstantSource clock) {
    this.clock = clock;
  }

  Response explain(Request request) {
    Form form = Form.of(request);
    RetryPolicy policy = form.policy();
    List<Failure> failures = form.failures(policy, MOST_ENTRIES);
    int exactly = form.whole("attempts", 0, 1, MOST_ENTRIES);
    form.requireRight();

    Instant now = clock.instant();
    Timeline timeline =
        exactly > 0
            ? Timeline.ofAttempts(policy, failures, now, exactly)
            : Timeline.untilEnd(policy, failures, now, MOST_ENTRIES);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode attempts = json.putArray("attempts");
    timeline.entries().forEach(entry -> attempts.add(Reports.entry(entry)));
    return Response.ok(json.put("more", exactly == 0 && timeline.end() == null));
  }

  Response lint(Request request) {
    Form form = Form.of(request);
    RetryPolicy policy = form.policy();
    Linter.Use usual = Linter.Use.DEFAULT;
    Linter.Use use =
        new Linter.Use(
            form.whole("clients", usual.clients(), 1, MOST_CLIENTS),
            form.text("method"),
            form.truth("idempotency_key", usual.idempotencyKey()),
            form.length("key_lifetime", usual.keyLifetime()),
            form.whole("layers", usual.layers(), 1, MOST_LAYERS),
            form.number("amplification", usual.amplificationBound(), 1));
    form.requireRight();
    return Response.ok(Reports.warnings(Linter.lint(policy, use)));
  }

  Response simulate(Request request) {
    Form form = Form.of(request);
    RetryPolicy policy = form.policy();
    Failure failure = form.failures(policy, 1).getFirst();
    Scenario scenario = scenario(form);
    form.requireRight();
    if (!simulating.tryAcquire()) {
      throw RefusedException.unavailable("another simulation is running, and one runs at a time");
    }
    try {
      return Response.ok(Reports.report(Simulation.of(policy, failure, scenario)));
    } catch (InvalidScenarioException invalid) {
      throw RefusedException.invalid(invalid.problems());
    } finally {
      simulating.release();
    }
  }

  private static Scenario scenario(Form form) {
    Scenario usual = Scenario.DEFAULT;
    return new Scenario(
        form.whole("clients", usual.clients(), 1, MOST_CLIENTS),
        form.whole("capacity", usual.capacity(), 1, MOST_CLIENTS),
        form.number("load", usual.load(), 0),
        form.length("outage", usual.outage()),
        form.number("remaining", usual.remaining(), 0),
        form.length("timeout", usual.timeout()),
        form.length("horizon", usual.horizon()),
        form.number("budget", usual.budget(), 0),
        form.whole("seed", usual.seed()));
  }
}
