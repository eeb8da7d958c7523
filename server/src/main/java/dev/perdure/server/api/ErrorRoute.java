// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.ErrorGroup;
import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Groups failed tasks and waiting retries by their errors. */
final class ErrorRoute {

  private static final List<String> PARAMETERS = List.of("state", "since", "kind", "by");
  private static final String FAILURE = "Failure";
  private static final String RETRY_PENDING = "RetryPending";
  private static final Duration DEFAULT_SINCE = Duration.ofDays(1);
  private static final Duration MIN_SINCE = Duration.ofSeconds(1);
  private static final Duration MAX_SINCE = Duration.ofDays(366);

  private final Engine engine;

  ErrorRoute(Engine engine) {
    this.engine = engine;
  }

  Response list(Request request) {
    ErrorGroups found = engine.tasks().errors(query(request.query()));
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    found.groups().forEach(group -> json.add(toJson(group)));
    return Response.ok(json)
        .withHeader("X-Total-Count", Integer.toString(json.size()))
        .withHeader("X-Total-Exact", Boolean.toString(found.complete()));
  }

  private static ErrorQuery query(QueryParameters parameters) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    String state = query.oneOf("state", List.of(FAILURE, RETRY_PENDING));
    String by = query.oneOf("by", List.of("error", "kind"));
    Duration given = query.duration("since");
    Duration since = given == null ? DEFAULT_SINCE : given;
    if (since.compareTo(MIN_SINCE) < 0 || since.compareTo(MAX_SINCE) > 0) {
      query.addProblem("since", "must be from 1s to %dd".formatted(MAX_SINCE.toDays()));
    }
    query.requireValid();
    return ErrorQuery.of(since)
        .withRetries(RETRY_PENDING.equals(state))
        .withKind(LimitQuery.wholeKind(query.text("kind")))
        .withByKind("kind".equals(by));
  }

  private static ObjectNode toJson(ErrorGroup group) {
    Attempt attempt = group.sampleAttempt();
    AttemptDetails details = attempt == null ? null : attempt.details();
    int status = details == null ? Failure.NO_STATUS : details.status();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("error", group.error())
            .put("title", group.title())
            .put("failure_kind", failureKind(group, details))
            .put("status", status == Failure.NO_STATUS ? null : (Integer) status)
            .put("code", details == null ? null : details.code());
    ObjectNode reasons = json.putObject("give_up_reasons");
    group.giveUpReasons().forEach(reasons::put);
    ArrayNode kinds = json.putArray("kinds");
    group.kinds().entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .forEach(
            kind -> kinds.addObject().put("kind", kind.getKey()).put("count", kind.getValue()));
    json.put("count", group.count())
        .put("capped", group.capped())
        .put("first_at", InstantText.of(group.firstAt()))
        .put("last_at", InstantText.of(group.lastAt()));
    ArrayNode spark = json.putArray("spark");
    group.spark().forEach(spark::add);
    json.putObject("sample")
        .put("task", group.sample() == null ? null : group.sample().toString())
        .put("message", details == null ? null : details.message());
    return json;
  }

  private static @Nullable String failureKind(ErrorGroup group, @Nullable AttemptDetails details) {
    return details == null || details.failureKind() == null
        ? group.failureKind()
        : details.failureKind();
  }
}
