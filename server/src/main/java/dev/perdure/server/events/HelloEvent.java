// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.InstantText;
import java.time.Instant;
import java.util.function.Supplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The first event of a stream: the version of the server and the database's clock. */
public final class HelloEvent {

  private HelloEvent() {}

  /** Without the time if the database cannot be asked. */
  public static String json(String version, Supplier<Instant> databaseClock) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("version", version);
    try {
      return json.put("now", InstantText.of(databaseClock.get())).toString();
    } catch (StoreException unavailable) {
      return json.putNull("now").toString();
    }
  }
}
