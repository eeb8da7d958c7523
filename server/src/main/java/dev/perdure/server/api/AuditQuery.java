// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.QueryParameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a page of the audit log.
 *
 * @param before returns only entries with smaller numbers
 * @param subject returns only entries about this task, delivery or key; null for all
 */
record AuditQuery(int pageSize, long before, @Nullable String subject) {

  private static final List<String> PARAMETERS = List.of("subject", "page_size", "after");

  /** Throws InvalidPolicyException with all problems. */
  static AuditQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    int pageSize = query.pageSize(limits);
    long before = query.positiveInteger("after", Long.MAX_VALUE, Long.MAX_VALUE);
    query.requireValid();
    return new AuditQuery(pageSize, before, query.text("subject"));
  }
}
