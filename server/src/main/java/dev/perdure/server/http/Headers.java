// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The headers of a request; their names may be asked for in any case. */
public final class Headers {

  private final Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  private Headers() {}

  /** Those that the source hands over, in their order. */
  public static Headers from(Consumer<BiConsumer<String, String>> source) {
    Headers headers = new Headers();
    source.accept(
        (name, value) -> headers.values.computeIfAbsent(name, any -> new ArrayList<>()).add(value));
    return headers;
  }

  /** Every value under this name, in their order. */
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
