// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where keys are made; answers as a server does. */
interface KeyAdmin extends AutoCloseable {

  /**
   * A new key.
   *
   * @param validity null for ever
   */
  JsonNode create(String name, List<String> roles, @Nullable Duration validity);

  JsonNode list();

  /** Empty when there is no such key. */
  Optional<JsonNode> revoke(String id);

  @Override
  void close();
}
