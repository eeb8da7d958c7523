// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the summary of a task that webhooks without a body send. */
public final class TaskSummary {

  /** A longer result is left out; the callee can fetch it. */
  private static final int MAX_RESULT_CHARACTERS = 64 * 1024;

  /** Null until the delivery is sent: see {@link WebhookMessage#at}. */
  static final String NEXT_RETRY_AT = "next_retry_at";

  private TaskSummary() {}

  static ObjectNode of(Task before, TaskChange change, String status) {
    TaskDefinition definition = before.definition();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", before.id().toString())
            .put("local_id", definition.localId())
            .put("batch_id", before.batch().toString())
            .put("name", definition.name())
            .put("kind", definition.kind())
            .put("status", status)
            .put("attempt", before.retryCounters().attempt())
            .put(
                "next_attempt",
                change.to() == TaskState.RETRY_PENDING
                    ? (Long) change.retryCounters().attempt()
                    : null)
            .put(NEXT_RETRY_AT, (String) null);
    json.set("metadata", tree(definition.metadata()));
    json.put("success", before.progress().success())
        .put("failures", before.progress().failures())
        .put("expected_count", before.progress().expected())
        .put("give_up_reason", change.giveUpReason() == null ? null : change.giveUpReason().text());
    attempt(json, shownAttempt(before, change));
    return json;
  }

  /**
   * The attempt that this change ends. A task that fails or is canceled while its retry waits, or
   * fails while it is parked, ends with what it showed before, as in the API.
   */
  public static @Nullable AttemptDetails shownAttempt(Task before, TaskChange change) {
    LastResult last = before.lastResult();
    boolean staysVisible =
        change.to() == TaskState.FAILURE
            || (change.to() == TaskState.CANCELED && last.failureKind() != null);
    if (change.attemptDetails() != null || !staysVisible) {
      return change.attemptDetails();
    }
    return new AttemptDetails(
        AttemptOutcome.FAILURE,
        last.failureKind(),
        Failure.NO_STATUS,
        last.failureCode(),
        last.failureReason(),
        List.of(),
        null,
        null,
        null);
  }

  private static void attempt(ObjectNode json, @Nullable AttemptDetails details) {
    int status = details == null ? Failure.NO_STATUS : details.status();
    json.put("failure_kind", details == null ? null : details.failureKind())
        .put("failure_status", status == Failure.NO_STATUS ? null : (Integer) status)
        .put("failure_code", details == null ? null : details.code())
        .put("failure_reason", details == null ? null : details.message())
        .put(
            "retry_in_ms",
            details == null || details.delay() == null ? null : (Long) details.delay().toMillis());
    String result = details == null ? null : details.result();
    boolean fits = result != null && result.length() <= MAX_RESULT_CHARACTERS;
    json.set("result", tree(fits ? result : null));
  }

  private static JsonNode tree(@Nullable String text) {
    return text == null ? JsonNodeFactory.instance.nullNode() : StoredActions.parse(text);
  }
}
