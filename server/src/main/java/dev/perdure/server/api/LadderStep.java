// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.TaskRow;
import dev.perdure.policy.Backoff;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.json.PolicyJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position of a retry on its policy's ladder. Any other policy counts as one step.
 *
 * @param step the step, from 1
 * @param steps the number of steps
 * @param retryInStep the number of the retry within its step, from 1
 */
record LadderStep(int step, int steps, long retryInStep) {

  /** The position of the waiting retry, or of the attempt in progress. */
  static LadderStep of(TaskRow task) {
    long retry = task.retryCounters().policyAttempt();
    List<Backoff.Step> steps = steps(task.header().policy());
    long before = 0;
    for (int i = 0; i < steps.size(); i++) {
      long count = steps.get(i).count();
      boolean last = i == steps.size() - 1;
      if (last || count == 0 || retry <= before + count) {
        return new LadderStep(i + 1, steps.size(), retry - before);
      }
      before += count;
    }
    return new LadderStep(1, 1, retry);
  }

  private static List<Backoff.Step> steps(@Nullable String policy) {
    try {
      return policy != null && PolicyJson.read(policy).backoff() instanceof Backoff.Ladder ladder
          ? ladder.steps()
          : List.of();
    } catch (InvalidPolicyException unreadable) {
      return List.of();
    }
  }
}
