// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;

/** What a policy may decide, before anything is drawn. */
public sealed interface DecisionPreview permits DecisionPreview.DelayBounds, Decision.GiveUp {

  /**
   * A retry whose delay lies between two bounds, both included.
   *
   * @param base the delay without jitter
   */
  record DelayBounds(Duration base, Duration earliest, Duration latest)
      implements DecisionPreview {}
}
