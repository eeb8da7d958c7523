// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Something that goes wrong in a run. Each seed enables only some of the faults. */
enum Fault {
  /** A process is killed. */
  CRASH,
  /** A process freezes, sometimes with its clock, like on a suspended machine. */
  FREEZE,
  /** A process is stopped gracefully. */
  STOP,
  /** One process cannot reach the database. */
  PARTITION,
  /** No process can reach the database. */
  OUTAGE,
  /** Single calls fail before they reach the database. */
  CALL_ERRORS,
  /** Single calls are executed, but their response is lost. */
  LOST_RESPONSES,
  /** Single calls are slow. Some callers give up, but the call is still executed. */
  SLOW_CALLS,
  /** Some handlers ignore an interrupt. */
  IGNORED_INTERRUPTS,
  /** The wall clock of a host jumps. */
  WALL_CLOCK_JUMPS;

  /** Faults that happen at an instant. The others are active all the time. */
  static final Set<Fault> SUDDEN =
      Collections.unmodifiableSet(
          EnumSet.of(CRASH, FREEZE, STOP, PARTITION, OUTAGE, WALL_CLOCK_JUMPS));
}
