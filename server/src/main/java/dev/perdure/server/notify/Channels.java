// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configured channels, by name. */
public final class Channels {

  private final Map<String, Channel> byName = new LinkedHashMap<>();

  Channels(Collection<Channel> channels) {
    channels.forEach(channel -> byName.put(channel.name(), channel));
  }

  public Optional<Channel> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** In the order of the configuration. */
  public Collection<Channel> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  public List<String> names() {
    return List.copyOf(byName.keySet());
  }
}
