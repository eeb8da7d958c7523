// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import tools.jackson.databind.JsonNode;

/**
 * A task that waits for its next attempt, with its place on the policy's ladder. A policy without a
 * ladder counts as one step.
 *
 * @param currentStep from 1
 * @param attemptsInStep which retry of the step it waits for, from 1
 * @param totalAttempts which retry of the task it waits for, from 1
 * @param badge the position in words, such as {@code attempt 3/5, step 1/3}
 */
public record WaitingRetry(
    TaskInfo task,
    long currentStep,
    long steps,
    long attemptsInStep,
    long totalAttempts,
    String badge) {

  static WaitingRetry of(JsonNode json) {
    JsonFields retry = new JsonFields(json);
    return new WaitingRetry(
        TaskInfo.of(json),
        retry.required("current_step", retry::number),
        retry.required("steps", retry::number),
        retry.required("attempts_in_step", retry::number),
        retry.required("total_attempts", retry::number),
        retry.required("badge", retry::text));
  }
}
