// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The short part of a {@link TaskDefinition}: without the payload and the actions.
 *
 * @param kind what sort of work it is
 * @param name for people
 * @param localId the submitter's own name for it
 * @param metadata a JSON object, or null
 * @param policy the retry policy in its canonical JSON form; null means no retries
 * @param timeout how long an attempt may be silent; null means as long as it likes
 * @param deadline when the task fails whatever its state; null means never
 * @param priority −1000 to 1000; each step is worth a second of waiting
 * @param trace where in a trace its submitter was; null when it was in none
 */
public record TaskHeader(
    String kind,
    @Nullable String name,
    @Nullable String localId,
    @Nullable String metadata,
    @Nullable String policy,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    int priority,
    @Nullable TraceContext trace) {

  static TaskHeader of(TaskDefinition taskDefinition) {
    return new TaskHeader(
        taskDefinition.kind(),
        taskDefinition.name(),
        taskDefinition.localId(),
        taskDefinition.metadata(),
        taskDefinition.policy(),
        taskDefinition.timeout(),
        taskDefinition.deadline(),
        taskDefinition.priority(),
        taskDefinition.trace());
  }
}
