// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select tasks. */
final class TaskFilterOptions {

  @Option(
      names = "--status",
      paramLabel = "NAME",
      description =
          "Comma-separated, as shown: Pending, Running, RetryPending, Paused, Parked, Failure, ….")
  private @Nullable String status;

  @Option(names = "--kind", paramLabel = "KIND", description = "Only tasks of this kind.")
  private @Nullable String kind;

  @Option(
      names = "--name",
      paramLabel = "TEXT",
      description = "Only tasks whose name contains this.")
  private @Nullable String name;

  @Option(names = "--batch", paramLabel = "ID", description = "Only tasks of this batch.")
  private @Nullable String batch;

  @Option(
      names = "--failure-kind",
      paramLabel = "KIND",
      description = "Only tasks that failed with timeout, http, exception, ….")
  private @Nullable String failureKind;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description = "Only tasks given up because exhausted, not_retryable, ….")
  private @Nullable String reason;

  @Option(
      names = "--error",
      paramLabel = "ID",
      description = "Only tasks that failed with this error, as GET /error shows it.")
  private @Nullable String error;

  @Option(names = "--created-after", paramLabel = "INSTANT", description = "Only newer tasks.")
  private @Nullable String createdAfter;

  @Option(names = "--created-before", paramLabel = "INSTANT", description = "Only older tasks.")
  private @Nullable String createdBefore;

  /** Whether there is any filter. */
  boolean isEmpty() {
    return Stream.of(
            status, kind, name, batch, failureKind, reason, error, createdAfter, createdBefore)
        .allMatch(Objects::isNull);
  }

  /** The parameters of the API; null where an option is absent. */
  Map<String, @Nullable String> query(PerdureClient client) {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", status);
    // Exact, as for bulk actions; without the sign, the server lists kinds that contain the text.
    query.put("kind", kind == null ? null : "=" + kind);
    query.put("name", name);
    query.put("batch_id", batch == null ? null : IdArguments.resolveBatch(client, batch));
    query.put("failure_kind", failureKind);
    query.put("give_up_reason", reason);
    query.put("error", error);
    query.put("created_after", createdAfter);
    query.put("created_before", createdBefore);
    return query;
  }
}
