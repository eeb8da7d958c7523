// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Manages API keys; returns the same JSON as the server. */
interface KeyAdmin extends AutoCloseable {

  /**
   * Creates a key.
   *
   * @param validity how long the key is valid; null: it never expires
   */
  JsonNode create(String name, List<String> roles, @Nullable Duration validity);

  JsonNode list();

  /** Revokes a key; empty when there is no such key. */
  Optional<JsonNode> revoke(String id);

  @Override
  void close();
}
