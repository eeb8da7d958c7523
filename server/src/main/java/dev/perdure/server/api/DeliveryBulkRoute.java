// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
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

  private static final class BulkProgress {
    private int matched;
    private int changed;
  }

  Response handle(Request request) {
    BulkRequest bulk = readRequest(request);
    return Response.ok(bulk.dryRun() ? preview(bulk) : run(request, bulk));
  }

  /** Keeps only the first match, because a delivery has its request, which may have megabytes. */
  private ObjectNode preview(BulkRequest bulk) {
    BulkProgress progress = new BulkProgress();
    AtomicReference<JsonNode> example = new AtomicReference<>(JsonNodeFactory.instance.nullNode());
    String next =
        DeadDeliveryScan.forEach(
            engine,
            bulk.after(),
            delivery -> {
              if (bulk.filter().test(delivery)) {
                if (progress.matched == 0) {
                  example.set(DeliveryJson.of(delivery));
                }
                progress.matched++;
              }
              return true;
            });
    progress.changed = progress.matched;
    ObjectNode counts = counts(bulk, progress, next);
    counts.set("example", example.get());
    return counts;
  }

  private ObjectNode run(Request request, BulkRequest bulk) {
    List<UUID> matches = new ArrayList<>();
    String next =
        DeadDeliveryScan.forEach(
            engine,
            bulk.after(),
            delivery -> {
              if (bulk.filter().test(delivery)) {
                matches.add(delivery.id());
              }
              return matches.size() < MAX_DELIVERIES;
            });
    BulkProgress progress = new BulkProgress();
    try {
      redeliver(matches, bulk.spread(), progress);
    } catch (RuntimeException e) {
      throw interrupted(request, bulk, progress, e);
    }
    ObjectNode counts = counts(bulk, progress, next);
    request.audit(auditEntry(bulk, counts));
    return counts;
  }

  /** The k-th of n is due after spread × k/n. Another request may have sent some again already. */
  private void redeliver(List<UUID> matches, @Nullable Duration spread, BulkProgress progress) {
    long length = spread == null ? 0 : spread.toMillis();
    for (UUID id : matches) {
      Duration delay = Duration.ofMillis(length * progress.matched / matches.size());
      if (engine.redeliverDead(id, delay)) {
        progress.changed++;
      }
      progress.matched++;
    }
  }

  /**
   * Records a bulk action that stopped halfway, and returns the exception to throw. The same
   * request continues it, because the deliveries that are sent again are not dead any more.
   */
  private static RuntimeException interrupted(
      Request request, BulkRequest bulk, BulkProgress progress, RuntimeException cause) {
    ObjectNode counts = counts(bulk, progress, bulk.after()).put("interrupted", true);
    request.audit(auditEntry(bulk, counts));
    return cause instanceof StoreException
        ? HttpProblemException.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "the database became unreachable after %d deliveries were changed, and one more may be changed too: to continue, send the request again"
                .formatted(progress.changed))
        : cause;
  }

  private static AuditEntry auditEntry(BulkRequest bulk, ObjectNode counts) {
    ObjectNode detail = counts.deepCopy();
    detail.set("filter", bulk.filterJson());
    return new AuditEntry("redeliver", null, detail);
  }

  private static ObjectNode counts(BulkRequest bulk, BulkProgress progress, @Nullable String next) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", "redeliver")
        .put("dry_run", bulk.dryRun())
        .put("matched", progress.matched)
        .put("changed", progress.changed)
        .put("skipped", progress.matched - progress.changed)
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
