// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Groups the newest dead deliveries by host, status and failure kind. */
final class DeliveryGroupRoute {

  private static final int MAX_GROUPS = 100;
  private static final Duration DEFAULT_SINCE = Duration.ofDays(1);
  private static final Duration MIN_SINCE = Duration.ofSeconds(1);
  static final Duration MAX_SINCE = Duration.ofDays(366);

  private final Engine engine;

  DeliveryGroupRoute(Engine engine) {
    this.engine = engine;
  }

  private static final class Group {
    private final Delivery sample;
    private Instant first;
    private Instant last;
    private long count;

    Group(Delivery sample) {
      this.sample = sample;
      this.first = ended(sample);
      this.last = first;
    }

    void add(Delivery delivery) {
      Instant at = ended(delivery);
      first = at.isBefore(first) ? at : first;
      last = at.isAfter(last) ? at : last;
      count++;
    }
  }

  static Instant ended(Delivery delivery) {
    return Objects.requireNonNull(delivery.times().endedAt(), "a dead delivery has ended");
  }

  Response list(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("since"));
    Duration given = query.duration("since");
    Duration since = given == null ? DEFAULT_SINCE : given;
    if (since.compareTo(MIN_SINCE) < 0 || since.compareTo(MAX_SINCE) > 0) {
      query.addProblem("since", "must be from 1s to %dd".formatted(MAX_SINCE.toDays()));
    }
    query.requireValid();
    Instant begin = engine.now().minus(since);
    Map<DeadDelivery, Group> groups = new LinkedHashMap<>();
    String next =
        DeadDeliveryScan.forEach(
            engine,
            null,
            delivery -> {
              if (!ended(delivery).isBefore(begin)) {
                groups
                    .computeIfAbsent(DeadDelivery.of(delivery), key -> new Group(delivery))
                    .add(delivery);
              }
              return true;
            });
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    groups.entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().count))
        .limit(MAX_GROUPS)
        .forEach(entry -> json.add(toJson(entry.getKey(), entry.getValue(), next != null)));
    return Response.ok(json);
  }

  private static ObjectNode toJson(DeadDelivery key, Group group, boolean capped) {
    Delivery sample = group.sample;
    Delivery.DeliveryFailure failure = sample.lastFailure();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("host", key.host())
            .put("status", key.status())
            .put("failure_kind", key.failureKind())
            .put("count", group.count)
            .put("capped", capped)
            .put("first_at", InstantText.of(group.first))
            .put("last_at", InstantText.of(group.last));
    json.putObject("sample")
        .put("id", sample.id().toString())
        .put("task_id", sample.task().toString())
        .put("message", failure == null ? null : failure.message());
    return json;
  }
}
