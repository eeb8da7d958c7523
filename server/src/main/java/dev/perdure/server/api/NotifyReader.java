// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.notify.Channels;
import dev.perdure.server.notify.NotifyEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads {@code notify} of a task or a batch: the channels, and the events for each. */
record NotifyReader(Channels channels) {

  private static final int MAX_ENTRIES = 10;

  /** Adds the problems of the value to its errors. */
  void check(JsonValueReader value) {
    List<JsonValueReader> entries = value.array(MAX_ENTRIES);
    if (entries != null && entries.isEmpty()) {
      value.addError("must have at least one entry; leave it out for no notifications");
    } else if (entries != null) {
      entries.forEach(this::checkEntry);
    }
  }

  private void checkEntry(JsonValueReader entry) {
    JsonObjectReader fields = entry.object();
    if (fields == null) {
      return;
    }
    JsonValueReader on = fields.required("on");
    if (on != null) {
      checkEvents(on);
    }
    JsonValueReader channel = fields.required("channel");
    if (channel != null) {
      checkChannel(channel);
    }
    fields.rejectUnknown();
  }

  private static void checkEvents(JsonValueReader on) {
    List<JsonValueReader> events = on.array(NotifyEvent.NAMES.size());
    if (events != null && events.isEmpty()) {
      on.addError("must name at least one of " + String.join(", ", NotifyEvent.NAMES));
    }
    Set<String> seen = new HashSet<>();
    for (JsonValueReader event : events == null ? List.<JsonValueReader>of() : events) {
      String name = event.oneOf("event", NotifyEvent.NAMES);
      if (name != null && !seen.add(name)) {
        event.addError("'%s' is there already: name each event once".formatted(name));
      }
    }
  }

  private void checkChannel(JsonValueReader channel) {
    if (channels.names().isEmpty()) {
      channel.addError("this server has no channels: an operator can configure some in channels");
    } else {
      channel.oneOf("channel", channels.names());
    }
  }
}
