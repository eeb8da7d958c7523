// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What can go wrong. A seed has some of them, so that some runs are left to one fault alone. */
enum Fault {
  /** A process is killed. */
  CRASH,
  /** A process stands still, sometimes with its clock, as when its machine is suspended. */
  FREEZE,
  /** A process is stopped as an operator would. */
  STOP,
  /** One process does not reach the database. */
  PARTITION,
  /** Nobody reaches the database. */
  OUTAGE,
  /** Single calls fail before they are done. */
  CALL_ERRORS,
  /** Single calls are done, and the answer is lost. */
  LOST_RESPONSES,
  /** Single calls take long; some of those who wait give up, and the call is done all the same. */
  SLOW_CALLS,
  /** Some handlers ignore their interrupt. */
  IGNORED_INTERRUPTS,
  /** A machine's clock jumps. */
  WALL_CLOCK_JUMPS;

  /** Those that strike at an instant; the others are about all the time. */
  static final Set<Fault> SUDDEN =
      Collections.unmodifiableSet(
          EnumSet.of(CRASH, FREEZE, STOP, PARTITION, OUTAGE, WALL_CLOCK_JUMPS));
}
