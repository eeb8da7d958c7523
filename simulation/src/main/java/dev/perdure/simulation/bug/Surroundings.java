// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import java.time.Instant;
import java.time.ZoneOffset;

/** What a planted bug may know of the process it sits in. */
public interface Surroundings {

  /** The database's clock. */
  Instant now();

  /** The time zone of the machine. */
  ZoneOffset zone();

  /** Writes a line into the trace. */
  void note(String what);

  /** Does this a moment later, unless the process has died by then. */
  void later(Runnable work);
}
