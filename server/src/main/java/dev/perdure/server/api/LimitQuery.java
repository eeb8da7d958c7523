// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.server.http.QueryParameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a page of limits.
 *
 * @param kind returns only limits on tasks of this kind; null for all
 * @param after returns only limits whose keys come after this one; empty for the first page
 */
record LimitQuery(@Nullable String kind, String after, int pageSize) {

  private static final List<String> PARAMETERS = List.of("kind", "page_size", "after");

  /** Throws InvalidPolicyException with all problems. */
  static LimitQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    int pageSize = query.pageSize(limits);
    String after = query.text("after");
    query.requireValid();
    return new LimitQuery(wholeKind(query.text("kind")), after == null ? "" : after, pageSize);
  }

  /** As in other lists, {@code =} in front means the whole kind; here that is the only way. */
  static @Nullable String wholeKind(@Nullable String kind) {
    return kind != null && kind.startsWith("=") ? kind.substring(1) : kind;
  }
}
