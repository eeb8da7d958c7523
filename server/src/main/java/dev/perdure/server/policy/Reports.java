// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.policy;

import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.explain.Timeline;
import dev.perdure.policy.simulate.Run;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.Simulation;
import dev.perdure.server.cli.chart.Course;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What explain, lint and simulate answer to programs. */
public final class Reports {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Reports() {}

  /** What is decided after one attempt, and nothing else: a row of a table of decisions. */
  public static ObjectNode decision(Timeline.Entry entry) {
    ObjectNode json = NODES.objectNode().put("attempt", entry.attempt());
    return switch (entry) {
      case Timeline.End end -> json.put("retry", false).put("reason", end.reason().text());
      case Timeline.Retry retry ->
          json.put("retry", true)
              .put("delay_min_ms", retry.delay().earliest().toMillis())
              .put("delay_max_ms", retry.delay().latest().toMillis());
    };
  }

  /** The same, with its place on the way to the end. */
  public static ObjectNode entry(Timeline.Entry entry) {
    ObjectNode json = decision(entry);
    if (entry instanceof Timeline.Retry retry) {
      way(json, retry);
    }
    return json;
  }

  private static void way(ObjectNode json, Timeline.Retry retry) {
    Timeline.Range total = retry.total();
    json.put("delay_expected_ms", retry.delay().expected().toMillis())
        .put("total_min_ms", total.earliest().toMillis())
        .put("total_max_ms", total.latest().toMillis())
        .put("total_expected_ms", total.expected().toMillis());
    Timeline.Rung rung = retry.rung();
    if (rung != null) {
      json.put("step", rung.step())
          .put("steps", rung.steps())
          .put("step_retry", rung.retry())
          .put("step_count", rung.count());
    }
  }

  public static ObjectNode warnings(List<Linter.Warning> warnings) {
    ObjectNode json = NODES.objectNode();
    ArrayNode array = json.putArray("warnings");
    for (Linter.Warning warning : warnings) {
      array
          .addObject()
          .put("id", warning.id())
          .put("path", warning.path())
          .put("message", warning.message())
          .put("fix", warning.fix());
    }
    return json;
  }

  public static ObjectNode report(Simulation.Report report) {
    List<Course> courses = Course.of(report);
    ObjectNode json = NODES.objectNode();
    json.set("scenario", scenario(report.scenario()));
    json.put("outage_starts_ms", courses.getFirst().outageStart().toMillis());
    json.put("outage_ends_ms", courses.getFirst().outageEnd().toMillis());
    json.set("without_retries", course(courses.get(0)));
    json.set("with_policy", course(courses.get(1)));
    json.set("with_budget", course(courses.get(2)));
    return json;
  }

  private static ObjectNode scenario(Scenario scenario) {
    return NODES
        .objectNode()
        .put("clients", scenario.clients())
        .put("capacity", scenario.capacity())
        .put("load", scenario.load())
        .put("outage_ms", scenario.outage().toMillis())
        .put("remaining", scenario.remaining())
        .put("timeout_ms", scenario.timeout().toMillis())
        .put("horizon_ms", scenario.horizon().toMillis())
        .put("budget", scenario.budget())
        .put("seed", scenario.seed());
  }

  private static ObjectNode course(Course course) {
    Run run = course.run();
    ObjectNode json =
        NODES
            .objectNode()
            .put("verdict", run.verdict().name().toLowerCase(Locale.ROOT))
            .put("amplification", run.amplification())
            .put("peak_load", course.peakLoad())
            .put("success_rate", run.successRate())
            .put("requests", run.requests())
            .put("attempts", run.attempts())
            .put("succeeded", run.succeeded())
            .put("refused", run.refused());
    json.put("drain_ms", run.drain() == null ? null : (Long) run.drain().toMillis());
    json.set("arrived", perSecond(run, Run.Second::arrived));
    json.set("sent", perSecond(run, Run.Second::sent));
    json.set("answered", perSecond(run, Run.Second::answered));
    json.set("waiting", perSecond(run, Run.Second::waiting));
    return json;
  }

  private static ArrayNode perSecond(Run run, ToIntFunction<Run.Second> number) {
    ArrayNode array = NODES.arrayNode();
    run.seconds().forEach(second -> array.add(number.applyAsInt(second)));
    return array;
  }
}
