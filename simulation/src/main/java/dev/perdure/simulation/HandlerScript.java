// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.util.List;

/**
 * What a handler will do.
 *
 * @param workTime how long it works unless it is interrupted
 * @param heartbeatEvery how often it gives a sign of life
 * @param interruptible false when it ignores its interrupt
 * @param interruptDelay how long it takes to obey
 * @param end how it ends
 * @param delay what it asks for, where the end asks for a delay
 */
record HandlerScript(
    Duration workTime,
    Duration heartbeatEvery,
    boolean interruptible,
    Duration interruptDelay,
    HandlerEnd end,
    Duration delay) {

  /** How a handler ends. */
  enum HandlerEnd {
    RETURN,
    RETURN_REJECTED_RESULT,
    THROW,
    THROW_AND_FAIL_PREDICATE,
    RETRY_AFTER,
    PERMANENT,
    FAIL_WITH_CODE,
    SNOOZE
  }

  private static final Duration NEVER = Duration.ofHours(1);
  private static final List<HandlerEnd> ENDS_UNDER_FAULTS =
      List.of(
          HandlerEnd.RETURN,
          HandlerEnd.RETURN,
          HandlerEnd.RETURN,
          HandlerEnd.RETURN,
          HandlerEnd.RETURN_REJECTED_RESULT,
          HandlerEnd.THROW,
          HandlerEnd.THROW,
          HandlerEnd.THROW,
          HandlerEnd.THROW_AND_FAIL_PREDICATE,
          HandlerEnd.RETRY_AFTER,
          HandlerEnd.PERMANENT,
          HandlerEnd.FAIL_WITH_CODE,
          HandlerEnd.SNOOZE);
  private static final List<HandlerEnd> ENDS_WITHOUT_FAULTS =
      List.of(
          HandlerEnd.RETURN,
          HandlerEnd.RETURN,
          HandlerEnd.RETURN,
          HandlerEnd.THROW,
          HandlerEnd.FAIL_WITH_CODE);

  static HandlerScript random(SimulationRandom simulationRandom, FaultPlan faultPlan) {
    if (faultPlan.hasEnded()) {
      return new HandlerScript(
          simulationRandom.seconds(0, 2),
          NEVER,
          true,
          Duration.ZERO,
          simulationRandom.pick(ENDS_WITHOUT_FAULTS),
          Duration.ZERO);
    }
    boolean stubborn = faultPlan.isActive(Fault.IGNORED_INTERRUPTS) && simulationRandom.oneIn(5);
    return new HandlerScript(
        length(simulationRandom),
        simulationRandom.percent(70) ? simulationRandom.seconds(1, 10) : NEVER,
        !stubborn,
        simulationRandom.millis(0, 2000),
        simulationRandom.pick(ENDS_UNDER_FAULTS),
        simulationRandom.millis(1, 30_000));
  }

  private static Duration length(SimulationRandom simulationRandom) {
    return switch (simulationRandom.between(0, 9)) {
      case 0, 1, 2 -> simulationRandom.millis(0, 100);
      case 3, 4, 5, 6 -> simulationRandom.seconds(0, 10);
      case 7, 8 -> simulationRandom.seconds(10, 60);
      default -> simulationRandom.seconds(60, 240);
    };
  }
}
