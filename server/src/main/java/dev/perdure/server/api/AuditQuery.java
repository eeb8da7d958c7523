// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which page of the audit.
 *
 * @param before only entries with smaller numbers
 * @param subject only what was done to this; null for all
 */
record AuditQuery(int size, long before, @Nullable String subject) {

  private static final List<String> KNOWN = List.of("subject", "page_size", "after");

  /** Throws InvalidPolicyException with all problems. */
  static AuditQuery of(Query query, TaskLimits limits) {
    QueryForm form = QueryForm.of(query, KNOWN);
    int size = form.size(limits);
    long before = form.number("after", Long.MAX_VALUE, Long.MAX_VALUE);
    form.requireRight();
    return new AuditQuery(size, before, form.text("subject"));
  }
}
