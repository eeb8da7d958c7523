// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.util.List;

/**
 * What a handler will do.
 *
 * @param length how long it works unless it is interrupted
 * @param signEvery how often it gives a sign of life
 * @param obeys false when it ignores its interrupt
 * @param obeysAfter how long it takes to obey
 * @param end how it ends
 * @param delay what it asks for, where the end asks for a delay
 */
record Script(
    Duration length,
    Duration signEvery,
    boolean obeys,
    Duration obeysAfter,
    End end,
    Duration delay) {

  /** How a handler ends. */
  enum End {
    RETURN,
    RETURN_UNSTORABLE,
    THROW,
    THROW_AND_BREAK_THE_PREDICATE,
    RETRY_AFTER,
    PERMANENT,
    FAIL_WITH_CODE,
    SNOOZE
  }

  private static final Duration FOR_EVER = Duration.ofHours(1);
  private static final List<End> CHAOS =
      List.of(
          End.RETURN,
          End.RETURN,
          End.RETURN,
          End.RETURN,
          End.RETURN_UNSTORABLE,
          End.THROW,
          End.THROW,
          End.THROW,
          End.THROW_AND_BREAK_THE_PREDICATE,
          End.RETRY_AFTER,
          End.PERMANENT,
          End.FAIL_WITH_CODE,
          End.SNOOZE);
  private static final List<End> FAIR =
      List.of(End.RETURN, End.RETURN, End.RETURN, End.THROW, End.FAIL_WITH_CODE);

  static Script draw(Chance chance, Weather weather) {
    if (weather.fair()) {
      return new Script(
          chance.seconds(0, 2), FOR_EVER, true, Duration.ZERO, chance.pick(FAIR), Duration.ZERO);
    }
    boolean stubborn = weather.has(Fault.STUBBORN_HANDLERS) && chance.oneIn(5);
    return new Script(
        length(chance),
        chance.percent(70) ? chance.seconds(1, 10) : FOR_EVER,
        !stubborn,
        chance.millis(0, 2000),
        chance.pick(CHAOS),
        chance.millis(1, 30_000));
  }

  private static Duration length(Chance chance) {
    return switch (chance.between(0, 9)) {
      case 0, 1, 2 -> chance.millis(0, 100);
      case 3, 4, 5, 6 -> chance.seconds(0, 10);
      case 7, 8 -> chance.seconds(10, 60);
      default -> chance.seconds(60, 240);
    };
  }
}
