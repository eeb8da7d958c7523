// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Immutable query parameters. */
final class SearchParameters {

  private SearchParameters() {}

  /** A copy with one more parameter, or another value for it. */
  static Map<String, String> with(Map<String, String> map, String name, Object value) {
    Map<String, String> copy = new LinkedHashMap<>(map);
    copy.put(name, value.toString());
    return Collections.unmodifiableMap(copy);
  }
}
