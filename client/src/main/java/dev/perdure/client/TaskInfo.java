// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A task as the server shows it. Lists leave out {@code payload}, {@code rules}, {@code actions}
 * and {@code result}; only {@link PerdureClient#get} fills in {@code dependencies}, {@code
 * attempts} and {@code blockedBy}.
 *
 * @param localId the submitter's own id
 * @param statusText the server's own word for the status, even if this client does not know it
 * @param attempt the number of the current or last attempt, from 0
 * @param epoch the number of the current or last lease; proves the right to settle the attempt
 * @param retry the retry policy as it was submitted
 * @param retryCanonical the same policy in its canonical form
 * @param retriesLeft null for unlimited
 * @param badge the position of the waiting or running retry in its policy, such as {@code attempt
 *     3/5, step 1/3}; null for a first attempt and for a task that has ended
 * @param timeout how long an attempt may go without a heartbeat
 * @param parked set aside because it cannot run as it is; {@code failureReason} says why
 * @param losses how often the current attempt lost its worker
 * @param failureReason why the last attempt failed, or why the task is parked
 * @param retryWords the retry policy in words; lists leave it out
 * @param dedupeKey no other live task of the shard has this key; lists leave it out
 * @param dependencies the tasks that it depends on, at most 1,000
 * @param rules its limits, as they were submitted
 * @param blockedBy the limit that keeps it from starting; null when none does
 * @param success items of work done, as reported by progress
 * @param failures items of work that failed, as reported by progress
 */
public record TaskInfo(
    UUID id,
    @Nullable String localId,
    UUID batchId,
    long run,
    @Nullable String name,
    String kind,
    TaskStatus status,
    String statusText,
    long attempt,
    long epoch,
    @Nullable String traceId,
    @Nullable JsonNode metadata,
    @Nullable JsonNode retry,
    @Nullable JsonNode retryCanonical,
    @Nullable Instant nextRetryAt,
    @Nullable Long retriesLeft,
    @Nullable String badge,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    long priority,
    boolean paused,
    boolean parked,
    long losses,
    @Nullable String worker,
    long success,
    long failures,
    @Nullable Long expectedCount,
    @Nullable String failureKind,
    @Nullable String failureReason,
    @Nullable String failureCode,
    @Nullable String giveUpReason,
    Instant createdAt,
    Instant runAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    Instant lastUpdated,
    @Nullable String retryWords,
    @Nullable JsonNode payload,
    List<JsonNode> rules,
    @Nullable JsonNode actions,
    @Nullable JsonNode result,
    @Nullable String dedupeKey,
    List<ParentInfo> dependencies,
    List<AttemptInfo> attempts,
    @Nullable BlockedBy blockedBy) {

  /** Reads a task; throws a RuntimeException when the JSON is not a task. */
  public static TaskInfo of(JsonNode json) {
    JsonFields task = new JsonFields(json);
    String status = task.required("status", task::text);
    return new TaskInfo(
        task.required("id", task::id),
        task.text("local_id"),
        task.required("batch_id", task::id),
        task.required("run", task::number),
        task.text("name"),
        task.required("kind", task::text),
        TaskStatus.of(status),
        status,
        task.required("attempt", task::number),
        task.required("epoch", task::number),
        task.text("trace_id"),
        task.node("metadata"),
        task.node("retry"),
        task.node("retry_canonical"),
        task.instant("next_retry_at"),
        task.number("retries_left"),
        task.text("badge"),
        task.seconds("timeout"),
        task.instant("deadline"),
        task.required("priority", task::number),
        task.flag("paused"),
        task.flag("parked"),
        task.required("losses", task::number),
        task.text("worker"),
        task.count("success"),
        task.count("failures"),
        task.number("expected_count"),
        task.text("failure_kind"),
        task.text("failure_reason"),
        task.text("failure_code"),
        task.text("give_up_reason"),
        task.required("created_at", task::instant),
        task.required("run_at", task::instant),
        task.instant("started_at"),
        task.instant("ended_at"),
        task.required("last_updated", task::instant),
        task.text("retry_words"),
        task.node("payload"),
        task.list("rules", rule -> rule),
        task.node("actions"),
        task.node("result"),
        task.text("dedupe_key"),
        task.list("dependencies", ParentInfo::of),
        task.list("attempts", AttemptInfo::of),
        task.read("blocked_by", BlockedBy::of));
  }

  /** The payload as an object of this class; null when there is none. */
  public <T> @Nullable T payload(Class<T> type) {
    return payload == null ? null : JsonMapper.shared().treeToValue(payload, type);
  }

  /** The result as an object of this class; null when there is none. */
  public <T> @Nullable T result(Class<T> type) {
    return result == null ? null : JsonMapper.shared().treeToValue(result, type);
  }
}
