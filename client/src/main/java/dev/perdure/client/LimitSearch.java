// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Map;

/** Which limits to list: immutable, each method returns a changed copy. */
public final class LimitSearch {

  private final Map<String, String> parameters;

  private LimitSearch(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All limits, in the order of their keys. */
  public static LimitSearch all() {
    return new LimitSearch(Map.of());
  }

  private LimitSearch with(String name, Object value) {
    return new LimitSearch(SearchParameters.with(parameters, name, value));
  }

  /** Limits on tasks of this kind. */
  public LimitSearch kind(String kind) {
    return with("kind", kind);
  }

  public LimitSearch pageSize(int size) {
    return with("page_size", size);
  }

  /** Continues after an earlier page, or after the limit with this key. */
  public LimitSearch after(String cursor) {
    return with("after", cursor);
  }

  Map<String, String> parameters() {
    return parameters;
  }
}
