// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.server.http.QueryParameters;
import java.util.List;
import java.util.stream.Stream;

/** The query of a page of batches. */
record BatchQuery(BatchFilter filter, PageQuery page) {

  private static final String LIVE = "live";

  private static final List<String> PARAMETERS =
      Stream.concat(
              Stream.of("name", "kind", "status", "created_after", "created_before", "state"),
              PageQuery.PARAMETERS.stream())
          .toList();

  /** Throws InvalidPolicyException with all problems. */
  static BatchQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    String status = query.oneOf("status", TaskQuery.STATUSES);
    String state = query.oneOf("state", List.of(LIVE, "ended"));
    BatchFilter filter =
        new BatchFilter(
            query.text("name"),
            query.text("kind"),
            status == null ? null : DisplayStatus.of(status).orElseThrow(),
            query.instant("created_after"),
            query.instant("created_before"),
            state == null ? null : (Boolean) state.equals(LIVE));
    // Cursors of batches are ids, like those of tasks from the newest to the oldest.
    BatchQuery read = new BatchQuery(filter, PageQuery.of(query, TaskSort.NEWEST, limits));
    query.requireValid();
    return read;
  }
}
