// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.FieldError;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lists webhook deliveries and sends them again. */
final class DeliveryRoutes {

  private final Engine engine;
  private final ApiLimits limits;
  private final DeliveryGroupRoute groups;
  private final DeliveryBulkRoute bulk;

  DeliveryRoutes(Engine engine, ApiLimits limits) {
    this.engine = engine;
    this.limits = limits;
    this.groups = new DeliveryGroupRoute(engine);
    this.bulk = new DeliveryBulkRoute(engine);
  }

  Response list(Request request) {
    DeliveryQuery query = DeliveryQuery.of(request.query(), limits);
    DeliveryPage page = engine.deliveries().list(query.filter(), query.page());
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    page.deliveries().forEach(delivery -> json.add(DeliveryJson.of(delivery)));
    Response response = Response.ok(json);
    String next = page.nextCursor();
    return next == null ? response : response.withHeader("Link", LinkHeader.next(request, next));
  }

  Response groups(Request request) {
    return groups.list(request);
  }

  Response bulk(Request request) {
    return bulk.handle(request);
  }

  /** Sends a delivery again that is sent or dead. A pending one is refused: it will be sent. */
  Response redeliver(Request request) {
    UUID id = id(request);
    AuditedCommands.runAndRecord(
        request, AuditEntry.of("redeliver", id.toString()), () -> redelivered(id));
    return AuditedCommands.respondWith(id, () -> DeliveryJson.of(delivery(id)));
  }

  private UUID redelivered(UUID id) {
    if (!engine.redeliver(id)) {
      throw HttpProblemException.conflict(
          "delivery %s is %s and will be sent without this request"
              .formatted(id, delivery(id).state().text()));
    }
    return id;
  }

  private Delivery delivery(UUID id) {
    return engine
        .deliveries()
        .find(id)
        .orElseThrow(() -> HttpProblemException.notFound("there is no delivery " + id));
  }

  private static UUID id(Request request) {
    String text = request.pathVariable("id");
    UUID id = QueryReader.parseUuid(text);
    if (id == null) {
      throw HttpProblemException.notFound(
          "'%s' is not a delivery id".formatted(FieldError.sanitize(text)));
    }
    return id;
  }
}
