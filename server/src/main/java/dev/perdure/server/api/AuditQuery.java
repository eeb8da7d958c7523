// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.QueryParameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which page of the audit.
 *
 * @param before only entries with smaller numbers
 * @param subject only what was done to this; null for all
 */
record AuditQuery(int pageSize, long before, @Nullable String subject) {

  private static final List<String> PARAMETERS = List.of("subject", "page_size", "after");

  /** Throws InvalidPolicyException with all problems. */
  static AuditQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader form = QueryReader.of(parameters, PARAMETERS);
    int size = form.pageSize(limits);
    long before = form.positiveInteger("after", Long.MAX_VALUE, Long.MAX_VALUE);
    form.requireValid();
    return new AuditQuery(size, before, form.text("subject"));
  }
}
