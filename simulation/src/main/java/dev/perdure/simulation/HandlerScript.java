// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.util.List;

/**
 * What a simulated handler will do.
 *
 * @param workTime how long it works if it is not interrupted
 * @param heartbeatEvery how often it sends a heartbeat
 * @param interruptible false if it ignores an interrupt
 * @param interruptDelay how long it takes to respond to an interrupt
 * @param end how it ends
 * @param delay the delay that it requests, if its end requests one
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

  static HandlerScript random(SimulationRandom random, FaultPlan faults) {
    if (faults.hasEnded()) {
      return new HandlerScript(
          random.seconds(0, 2),
          NEVER,
          true,
          Duration.ZERO,
          random.pick(ENDS_WITHOUT_FAULTS),
          Duration.ZERO);
    }
    boolean ignoresInterrupt = faults.isActive(Fault.IGNORED_INTERRUPTS) && random.oneIn(5);
    return new HandlerScript(
        workTime(random),
        random.percent(70) ? random.seconds(1, 10) : NEVER,
        !ignoresInterrupt,
        random.millis(0, 2000),
        random.pick(ENDS_UNDER_FAULTS),
        random.millis(1, 30_000));
  }

  private static Duration workTime(SimulationRandom random) {
    return switch (random.between(0, 9)) {
      case 0, 1, 2 -> random.millis(0, 100);
      case 3, 4, 5, 6 -> random.seconds(0, 10);
      case 7, 8 -> random.seconds(10, 60);
      default -> random.seconds(60, 240);
    };
  }
}
