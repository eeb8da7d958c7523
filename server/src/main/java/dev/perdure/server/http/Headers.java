// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The headers of a request. Names are case-insensitive. */
public final class Headers {

  private final Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  private Headers() {}

  /** Collects the headers that the source passes to its consumer. */
  public static Headers from(Consumer<BiConsumer<String, String>> source) {
    Headers headers = new Headers();
    source.accept(
        (name, value) -> headers.values.computeIfAbsent(name, any -> new ArrayList<>()).add(value));
    return headers;
  }

  /** All values of this header, in the order of the request. */
  public List<String> all(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }
}
