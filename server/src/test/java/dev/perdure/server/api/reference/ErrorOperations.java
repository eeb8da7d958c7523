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
  }
}
