// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * What was submitted for a batch as a whole.
 *
 * @param name a name to show
 * @param context JSON that all its tasks can read
 * @param policy the retry policy of the whole batch in canonical JSON; null means that it runs once
 * @param policyAsGiven the policy as the submitter wrote it; null when that is the canonical form
 * @param actions JSON that says which webhooks to call when the batch is final; only the {@link
 *     DeliveryPlanner} reads it
 * @param followUps JSON with the tasks to submit when the batch is final; only the engine reads it
 */
public record BatchDefinition(
    @Nullable String name,
    @Nullable String context,
    @Nullable String policy,
    @Nullable String policyAsGiven,
    @Nullable String actions,
    @Nullable String followUps) {

  public static final BatchDefinition NONE = new BatchDefinition(null, null);

  /** A batch that runs once and has no webhooks. */
  public BatchDefinition(@Nullable String name, @Nullable String context) {
    this(name, context, null, null, null, null);
  }

  /** True when the store keeps a row for each run. */
  public boolean hasRuns() {
    return policy != null || actions != null || followUps != null;
  }
}
