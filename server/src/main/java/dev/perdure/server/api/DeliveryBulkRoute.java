// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Sends dead deliveries again that match a filter. */
final class DeliveryBulkRoute {

  /** How many deliveries one request sends again; {@code next} continues from there. */
  static final int MAX_DELIVERIES = 1_000;

  private static final Duration MIN_SPREAD = Duration.ofSeconds(1);
  private static final Duration MAX_SPREAD = Duration.ofDays(14);
  private static final String FILTERS = "state, host, status, failure_kind, since";

  private final Engine engine;

  DeliveryBulkRoute(Engine engine) {
    this.engine = engine;
  }

  private record BulkRequest(
      Predicate<Delivery> filter,
      JsonNode filterJson,
      @Nullable Duration spread,
      boolean dryRun,
      @Nullable String after) {}

  Response handle(Request request) {
    BulkRequest bulk = readRequest(request);
    List<Delivery> matches = new ArrayList<>();
    int most = bulk.dryRun() ? Integer.MAX_VALUE : MAX_DELIVERIES;
    String next =
        DeadDeliveryScan.forEach(
            engine,
            bulk.after(),
            delivery -> {
              if (bulk.filter().test(delivery)) {
                matches.add(delivery);
              }
              return matches.size() < most;
            });
    ObjectNode counts;
    if (bulk.dryRun()) {
      counts = counts(true, matches.size(), matches.size(), next);
      counts.set(
          "example",
          matches.isEmpty()
              ? JsonNodeFactory.instance.nullNode()
              : DeliveryJson.of(matches.getFirst()));
    } else {
      int changed = redeliver(matches, bulk.spread());
      counts = counts(false, matches.size(), changed, next);
      ObjectNode detail = counts.deepCopy();
      detail.set("filter", bulk.filterJson());
      request.audit(new AuditEntry("redeliver", null, detail));
    }
    return Response.ok(counts);
  }

  /** The k-th of n is due after spread × k/n. */
  private int redeliver(List<Delivery> matches, @Nullable Duration spread) {
    long length = spread == null ? 0 : spread.toMillis();
    int changed = 0;
    for (int i = 0; i < matches.size(); i++) {
      Duration delay = Duration.ofMillis(length * i / matches.size());
      if (engine.redeliver(matches.get(i).id(), delay)) {
        changed++;
      }
    }
    return changed;
  }

  private static ObjectNode counts(
      boolean dryRun, int matched, int changed, @Nullable String next) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", "redeliver")
        .put("dry_run", dryRun)
        .put("matched", matched)
        .put("changed", changed)
        .put("skipped", matched - changed)
        .put("next", next);
  }

  private BulkRequest readRequest(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader action = body.required("action");
    if (action != null) {
      action.oneOf("action", List.of("redeliver"));
    }
    JsonValueReader given = body.required("filter");
    Predicate<Delivery> filter = filter(given, engine.now());
    JsonValueReader spread = body.optional("spread");
    Duration length = spread == null ? null : spread.duration();
    if (spread != null
        && length != null
        && (length.compareTo(MIN_SPREAD) < 0 || length.compareTo(MAX_SPREAD) > 0)) {
      spread.addError("must be from 1s to %dd".formatted(MAX_SPREAD.toDays()));
    }
    boolean dryRun = body.bool("dry_run", false);
    JsonValueReader after = body.optional("after");
    String cursor = after == null ? null : after.text();
    if (after != null && cursor != null && QueryReader.parseUuid(cursor) == null) {
      after.addError("must be the 'next' value of an earlier response to the same request");
    }
    body.requireValid();
    return new BulkRequest(filter, Objects.requireNonNull(given).json(), length, dryRun, cursor);
  }

  /** A field that is null selects deliveries without that value, as the groups have it. */
  private static Predicate<Delivery> filter(@Nullable JsonValueReader value, Instant now) {
    JsonObjectReader fields = value == null ? null : value.object();
    if (value == null || fields == null) {
      return delivery -> true;
    }
    if (value.json().isEmpty()) {
      value.addError("must have at least one of " + FILTERS);
    }
    JsonValueReader state = fields.optional("state");
    if (state != null) {
      state.oneOf("state", List.of("dead"));
    }
    JsonValueReader host = fields.optional("host");
    JsonValueReader status = fields.optional("status");
    JsonValueReader kind = fields.optional("failure_kind");
    JsonValueReader since = fields.optional("since");
    fields.rejectUnknown();
    String hostText = host == null || host.isNull() ? null : host.text();
    Long number = status == null || status.isNull() ? null : status.integer(100, 999);
    String kindText = kind == null || kind.isNull() ? null : kind.text();
    Duration age = since == null ? null : since.duration();
    if (since != null && age != null && age.compareTo(DeliveryGroupRoute.MAX_SINCE) > 0) {
      since.addError("must be at most %dd".formatted(DeliveryGroupRoute.MAX_SINCE.toDays()));
      age = null;
    }
    Instant begin = age == null ? Instant.MIN : now.minus(age);
    Integer wanted = number == null ? null : (Integer) number.intValue();
    return delivery -> {
      DeadDelivery dead = DeadDelivery.of(delivery);
      return (host == null || Objects.equals(dead.host(), hostText))
          && (status == null || Objects.equals(dead.status(), wanted))
          && (kind == null || Objects.equals(dead.failureKind(), kindText))
          && !DeliveryGroupRoute.ended(delivery).isBefore(begin);
    };
  }
}
