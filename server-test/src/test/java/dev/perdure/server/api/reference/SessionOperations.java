// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Calls the operations of sessions as the OpenAPI document describes them. */
final class SessionOperations {

  private SessionOperations() {}

  /**
   * @param key an API key of the server
   */
  static void callAll(OpenApiClient client, String key) throws IOException {
    JsonNode refused = client.call("createSession", Map.of(), "{\"key\": \"pk_wrong\"}");
    assertThat(refused.path("status").asInt()).isEqualTo(401);
    client.call("createSession", Map.of(), "{\"key\": \"%s\"}".formatted(key));
    assertThat(client.call("getSession", Map.of()).path("who").isNull()).isTrue();
    client.call("deleteSession", Map.of());
  }
}
