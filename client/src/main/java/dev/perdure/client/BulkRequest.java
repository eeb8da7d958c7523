// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What to do to all tasks that match a filter.
 *
 * @param filter at least one filter; its order and paging are ignored
 * @param spread the time over which retries are spread; null means all now
 * @param after {@link BulkResult#next} of the request before; null for the first
 * @param dryRun whether the tasks are only counted
 */
public record BulkRequest(
    BulkOperation operation,
    TaskSearch filter,
    @Nullable Duration spread,
    @Nullable String after,
    boolean dryRun) {

  public static BulkRequest of(BulkOperation operation, TaskSearch filter) {
    return new BulkRequest(operation, filter, null, null, false);
  }

  /** Only with {@link BulkOperation#RETRY}: the k-th of n tasks is due at now + time × k/n. */
  public BulkRequest spread(@Nullable Duration time) {
    return new BulkRequest(operation, filter, time, after, dryRun);
  }

  public BulkRequest after(@Nullable String next) {
    return new BulkRequest(operation, filter, spread, next, dryRun);
  }

  public BulkRequest dryRun(boolean value) {
    return new BulkRequest(operation, filter, spread, after, value);
  }

  ObjectNode json() {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("action", operation.name().toLowerCase(Locale.ROOT))
            .put("dry_run", dryRun);
    ObjectNode filters = body.putObject("filter");
    filter.filters().forEach(filters::put);
    if (spread != null) {
      body.put("spread", DurationText.format(spread));
    }
    return after == null ? body : body.put("after", after);
  }
}
