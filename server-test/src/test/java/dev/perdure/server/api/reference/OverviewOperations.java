// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;

/** Calls the overview and the series as the OpenAPI document describes them. */
final class OverviewOperations {

  private OverviewOperations() {}

  static void callAll(OpenApiClient client) throws IOException {
    assertThat(client.call("getOverview", Map.of()).path("slots").path("of").isNumber()).isTrue();
    assertThat(client.call("getSeries", Map.of("window", "24h")).path("lost")).hasSize(144);
  }
}
