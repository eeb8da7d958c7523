// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Manages API keys through a server. */
record RemoteKeyAdmin(PerdureClient client) implements KeyAdmin {

  @Override
  public JsonNode create(String name, List<String> roles, @Nullable Duration validity) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("name", name);
    roles.forEach(body.putArray("roles")::add);
    if (validity != null) {
      body.put("expires_after", DurationText.format(validity));
    }
    return client.send("POST", "/key", body).json();
  }

  @Override
  public JsonNode list() {
    List<JsonNode> keys = client.get("/key", Map.of()).page(key -> key).items();
    return JsonNodeFactory.instance.arrayNode().addAll(keys);
  }

  /** The server itself reports a key that does not exist. */
  @Override
  public Optional<JsonNode> revoke(String id) {
    return Optional.of(
        client.send("DELETE", "/key/" + IdArguments.require("key", id), null).json());
  }

  @Override
  public void close() {
    client.close();
  }
}
