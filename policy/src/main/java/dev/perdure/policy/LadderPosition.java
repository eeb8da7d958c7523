// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.List;

/**
 * The position of a retry in its policy: the step of the ladder, and the retry within this step. A
 * policy without a ladder counts as one step.
 *
 * @param step the step that the retry belongs to, from 1
 * @param steps the number of steps of the ladder
 * @param retry the number of the retry within its step, from 1
 * @param count the number of retries of this step, at most what the policy's maximum leaves for it;
 *     0 if the step never ends
 */
public record LadderPosition(int step, int steps, long retry, long count) {

  /** Returns the position of a retry, without overrides. */
  public static LadderPosition of(RetryPolicy policy, long retry) {
    return of(EffectivePolicy.of(policy), retry);
  }

  /** Returns the position of a retry after this failure: an override can have its own ladder. */
  public static LadderPosition of(RetryPolicy policy, Failure failure, long retry) {
    return of(EffectivePolicy.of(policy, failure), retry);
  }

  /**
   * Returns the position of a retry. A retry past the end, which another override can grant,
   * belongs to the last step.
   *
   * @param retry the number of the retry as the policy counts it, from 1
   */
  private static LadderPosition of(EffectivePolicy policy, long retry) {
    if (retry < 1) {
      throw new IllegalArgumentException("retry must be 1 or more, not " + retry);
    }
    RetryLimit limit = policy.maxRetries();
    if (!(policy.backoff() instanceof Backoff.Ladder ladder)) {
      return new LadderPosition(1, 1, retry, limit.unlimited() ? 0 : Math.max(1, limit.retries()));
    }
    List<Backoff.Step> steps = ladder.steps();
    long before = 0;
    int i = 0;
    while (i < steps.size() - 1 && retry > before + steps.get(i).count()) {
      before += steps.get(i).count();
      i++;
    }
    return new LadderPosition(
        i + 1, steps.size(), retry - before, count(steps.get(i), limit, before));
  }

  private static long count(Backoff.Step step, RetryLimit limit, long before) {
    if (limit.unlimited()) {
      return step.count();
    }
    long left = Math.max(1, limit.retries() - before);
    return step.endless() ? left : Math.min(left, step.count());
  }

  /** Returns true if the step never ends. */
  public boolean endless() {
    return count == 0;
  }

  /**
   * Returns the position as a badge: {@code attempt 3/5, step 1/3}, in an endless step {@code
   * attempt 3/∞, step 3/3}, and without a ladder {@code attempt 2/3}.
   */
  public String text() {
    return "attempt " + retryText() + (steps == 1 ? "" : ", step %d/%d".formatted(step, steps));
  }

  /** Returns the retry and the count of its step: {@code 3/5} or {@code 3/∞}. */
  public String retryText() {
    if (endless()) {
      return retry + "/∞";
    }
    return retry > count ? Long.toString(retry) : retry + "/" + count;
  }
}
