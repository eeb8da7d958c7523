// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static dev.perdure.server.webhook.action.ActionJson.HIDDEN;

import dev.perdure.server.redact.Redaction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Removes from actions everything that may be a secret, so that they can be shown. */
final class RedactedActions {

  private RedactedActions() {}

  /** Redacts an object that maps trigger fields to their actions. */
  static ObjectNode of(JsonNode actions) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    actions.propertyStream().forEach(field -> shown.set(field.getKey(), each(field.getValue())));
    return shown;
  }

  private static JsonNode each(JsonNode value) {
    if (!value.isArray()) {
      return action(value);
    }
    ArrayNode shown = JsonNodeFactory.instance.arrayNode();
    value.forEach(one -> shown.add(action(one)));
    return shown;
  }

  private static ObjectNode action(JsonNode action) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    action
        .propertyStream()
        .forEach(
            field ->
                shown.set(
                    field.getKey(),
                    field.getKey().equals("params") ? params(field.getValue()) : field.getValue()));
    return shown;
  }

  private static ObjectNode params(JsonNode params) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    params
        .propertyStream()
        .forEach(field -> shown.set(field.getKey(), param(field.getKey(), field.getValue())));
    return shown;
  }

  private static JsonNode param(String name, JsonNode value) {
    return switch (name) {
      case "url" -> JsonNodeFactory.instance.stringNode(Redaction.url(value.asString("")));
      case "headers" -> headers(value);
      case "body" -> value.isNull() ? value : JsonNodeFactory.instance.stringNode(HIDDEN);
      default -> value;
    };
  }

  private static ObjectNode headers(JsonNode headers) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    headers.propertyNames().forEach(name -> shown.put(name, HIDDEN));
    return shown;
  }
}
