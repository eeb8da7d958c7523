// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Shows every setting of this node and where its value comes from. Secrets are never shown. */
final class ConfigurationRoute {

  private final Configuration configuration;

  ConfigurationRoute(Configuration configuration) {
    this.configuration = configuration;
  }

  Response show(Request request) {
    ArrayNode settings = JsonNodeFactory.instance.arrayNode();
    for (Configuration.Entry entry : configuration.entries()) {
      settings
          .addObject()
          .put("name", entry.setting().name())
          .put("value", entry.isSecret() && !entry.text().isEmpty() ? "set" : entry.redactedText())
          .put("source", entry.source())
          .put("secret", entry.isSecret())
          .put("text", entry.setting().description());
    }
    return Response.ok(settings);
  }
}
