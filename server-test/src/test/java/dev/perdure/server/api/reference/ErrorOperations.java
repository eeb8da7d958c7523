// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;

/** Calls the operations that group and find things, as the OpenAPI document describes them. */
final class ErrorOperations {

  private ErrorOperations() {}

  static void callAll(OpenApiClient client) throws IOException {
    assertThat(client.call("listErrors", Map.of("since", "90d"))).isNotEmpty();
    client.call("listErrors", Map.of("by", "kind", "state", "RetryPending"));
    assertThat(client.call("getTaskFacets", Map.of()).path("status")).isNotEmpty();
    String kind = client.call("listKinds", Map.of()).path(0).asString();
    assertThat(client.call("listKinds", Map.of("q", kind))).isNotEmpty();
    client.call("find", Map.of("q", "0000"));
  }
}
