// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.notify.Channel;
import dev.perdure.server.notify.Notifications;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lists and tests notification channels. Only their names and types are ever shown. */
final class ChannelRoutes {

  private final Notifications notifications;

  ChannelRoutes(Notifications notifications) {
    this.notifications = notifications;
  }

  Response list(Request request) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    notifications.channels().all().forEach(channel -> json.add(json(channel)));
    return Response.ok(json);
  }

  /** Sends a test message at once, so that the operator sees whether it arrives. */
  Response test(Request request) {
    Channel channel = find(request.pathVariable("name"));
    if (!notifications.admitTest(channel)) {
      throw HttpProblemException.of(
              HttpStatus.TOO_MANY_REQUESTS,
              "Rate limit reached: the channel %s cannot get another message now; try again in a minute"
                  .formatted(channel.name()))
          .withHeader("Retry-After", "60");
    }
    request.audit(AuditEntry.of("test channel", channel.name()));
    Optional<Failure> failure = send(channel);
    int status = failure.map(Failure::status).orElse(Failure.NO_STATUS);
    return Response.ok(
        json(channel)
            .put("sent", failure.isEmpty())
            .put("failure_status", status == Failure.NO_STATUS ? null : (Integer) status)
            .put("failure_reason", failure.map(Failure::message).orElse(null)));
  }

  private Optional<Failure> send(Channel channel) {
    try {
      return notifications.test(channel);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw HttpProblemException.of(HttpStatus.SERVICE_UNAVAILABLE, "the server is stopping");
    }
  }

  private Channel find(String name) {
    return notifications
        .channels()
        .find(name)
        .orElseThrow(
            () ->
                HttpProblemException.notFound(
                    "there is no channel '%s'".formatted(FieldError.sanitize(name))));
  }

  private static ObjectNode json(Channel channel) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", channel.name())
        .put("type", channel.type().text());
  }
}
