// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TaskDefinition} without the payload and the actions.
 *
 * @param kind what sort of work it is
 * @param name a name to show
 * @param localId the submitter's own name for the task
 * @param metadata a JSON object, or null
 * @param policy the retry policy in canonical JSON; null means no retries
 * @param policyAsGiven the policy as the submitter wrote it; null when that is the canonical form
 * @param timeout how long an attempt may go without a heartbeat; null means forever
 * @param deadline when the task fails, whatever its state; null means never
 * @param priority −1000 to 1000; each step counts as one second of waiting
 * @param trace the submitter's place in a trace; null when it had none
 */
public record TaskHeader(
    String kind,
    @Nullable String name,
    @Nullable String localId,
    @Nullable String metadata,
    @Nullable String policy,
    @Nullable String policyAsGiven,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    int priority,
    @Nullable TraceContext trace) {

  static TaskHeader of(TaskDefinition definition) {
    return new TaskHeader(
        definition.kind(),
        definition.name(),
        definition.localId(),
        definition.metadata(),
        definition.policy(),
        definition.policyAsGiven(),
        definition.timeout(),
        definition.deadline(),
        definition.priority(),
        definition.trace());
  }
}
