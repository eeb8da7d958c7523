// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Map;

/** Which audit entries to list: immutable, each method returns a changed copy. */
public final class AuditSearch {

  private final Map<String, String> parameters;

  private AuditSearch(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All entries, newest first. */
  public static AuditSearch all() {
    return new AuditSearch(Map.of());
  }

  private AuditSearch with(String name, Object value) {
    return new AuditSearch(SearchParameters.with(parameters, name, value));
  }

  /** Entries about this task, delivery or key. */
  public AuditSearch subject(String id) {
    return with("subject", id);
  }

  public AuditSearch pageSize(int size) {
    return with("page_size", size);
  }

  /** Continues after an earlier page. */
  public AuditSearch after(String cursor) {
    return with("after", cursor);
  }

  Map<String, String> parameters() {
    return parameters;
  }
}
