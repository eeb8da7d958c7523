// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.Problem;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.webhook.DeliveryJson;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Shows what was told to others, and tells it again. */
final class DeliveryRoutes {

  private final Outbox outbox;
  private final TaskLimits limits;

  DeliveryRoutes(Engine engine, TaskLimits limits) {
    this.outbox = engine.outbox();
    this.limits = limits;
  }

  Response list(Request request) {
    DeliveryQuery query = DeliveryQuery.of(request.query(), limits);
    DeliveryPage page = outbox.list(query.filter(), query.page());
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    page.deliveries().forEach(delivery -> json.add(DeliveryJson.of(delivery)));
    Response response = Response.ok(json);
    String next = page.next();
    return next == null ? response : response.with("Link", Links.next(request, next));
  }

  /** Sends again what has arrived or was given up; what is still to be sent will be. */
  Response redeliver(Request request) {
    UUID id = id(request);
    Deeds.carryOut(request, Deed.of("redeliver", id.toString()), () -> redelivered(id));
    return Deeds.shown(id, () -> DeliveryJson.of(delivery(id)));
  }

  private UUID redelivered(UUID id) {
    if (!outbox.redeliver(id)) {
      throw RefusedException.conflict(
          "delivery %s is %s: it will be sent".formatted(id, delivery(id).state().text()));
    }
    return id;
  }

  private Delivery delivery(UUID id) {
    return outbox
        .find(id)
        .orElseThrow(() -> RefusedException.notFound("there is no delivery " + id));
  }

  private static UUID id(Request request) {
    String text = request.variable("id");
    UUID id = QueryForm.uuid(text);
    if (id == null) {
      throw RefusedException.notFound(
          "there is no delivery '%s', which is not an id".formatted(Problem.quotable(text)));
    }
    return id;
  }
}
