// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The events for which a channel gets a notification. */
public enum NotifyOn {
  SUCCESS,
  /** Each scheduled retry of a task, and each new run of a batch. */
  RETRY,
  /** It failed because no retries or no time was left. */
  EXHAUSTED,
  /** It failed for another reason. */
  FAILURE;

  /** The entries of {@code notify} with one more; {@code notify} may not exist yet. */
  static ArrayNode add(JsonNode notify, String channel, NotifyOn... events) {
    if (events.length == 0) {
      throw new IllegalArgumentException("events: name at least one");
    }
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    notify.forEach(entries::add);
    ObjectNode entry = entries.addObject();
    ArrayNode on = entry.putArray("on");
    List.of(events).forEach(event -> on.add(event.name().toLowerCase(Locale.ROOT)));
    entry.put("channel", channel);
    return entries;
  }
}
