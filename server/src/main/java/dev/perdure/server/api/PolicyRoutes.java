// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.json.PolicyReportJson;
import dev.perdure.policy.json.WrittenPolicy;
import dev.perdure.policy.simulate.InvalidScenarioException;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains, lints and simulates retry policies. Stores nothing. */
final class PolicyRoutes {

  private static final int MAX_ENTRIES = 1_000;
  private static final int MAX_CLIENTS = 1_000_000;
  private static final int MAX_LAYERS = 20;

  private final InstantSource clock;

  private final SimulationRunner simulations = new SimulationRunner();

  PolicyRoutes(InstantSource clock) {
    this.clock = clock;
  }

  Response explain(Request request) {
    BodyReader body = BodyReader.of(request);
    WrittenPolicy written = body.policy();
    RetryPolicy policy = written.policy();
    List<Failure> failures = body.failures(policy, MAX_ENTRIES);
    int attemptCount = body.integer("attempts", 0, 1, MAX_ENTRIES);
    body.requireValid();

    Instant now = clock.instant();
    Timeline timeline =
        attemptCount > 0
            ? Timeline.ofAttempts(policy, failures, now, attemptCount)
            : Timeline.untilEnd(policy, failures, now, MAX_ENTRIES);
    ObjectNode json = PolicyReportJson.text(written);
    ArrayNode attempts = json.putArray("attempts");
    timeline.entries().forEach(entry -> attempts.add(PolicyReportJson.entry(entry)));
    json.set("end", PolicyReportJson.end(timeline));
    return Response.ok(json.put("more", timeline.goesOn()));
  }

  Response lint(Request request) {
    BodyReader body = BodyReader.of(request);
    WrittenPolicy policy = body.policy();
    Linter.LintContext usual = Linter.LintContext.DEFAULT;
    Linter.LintContext context =
        new Linter.LintContext(
            body.integer("clients", usual.clients(), 1, MAX_CLIENTS),
            body.text("method"),
            body.bool("idempotency_key", usual.idempotencyKey()),
            body.duration("key_lifetime", usual.keyLifetime()),
            body.integer("layers", usual.layers(), 1, MAX_LAYERS),
            body.number("amplification", usual.amplificationBound(), 1),
            clock.instant());
    body.requireValid();
    return Response.ok(PolicyReportJson.warnings(policy.lint(context)));
  }

  Response simulate(Request request) {
    BodyReader body = BodyReader.of(request);
    RetryPolicy policy = body.policy().policy();
    Failure failure = body.failures(policy, 1).getFirst();
    Scenario scenario = scenario(body);
    body.requireValid();
    try {
      return Response.ok(
          simulations.run(policy, failure, scenario, request.permit()::isClientGone));
    } catch (InvalidScenarioException invalid) {
      throw HttpProblemException.invalid(invalid.errors());
    }
  }

  private static Scenario scenario(BodyReader body) {
    Scenario usual = Scenario.DEFAULT;
    return new Scenario(
        body.integer("clients", usual.clients(), 1, MAX_CLIENTS),
        body.integer("capacity", usual.capacity(), 1, MAX_CLIENTS),
        body.number("load", usual.load(), 0),
        body.duration("outage", usual.outage()),
        body.number("remaining", usual.remaining(), 0),
        body.duration("timeout", usual.timeout()),
        body.duration("horizon", usual.horizon()),
        body.number("budget", usual.budget(), 0),
        body.integer("seed", usual.seed()));
  }
}
