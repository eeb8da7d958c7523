// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;

/**
 * The firings of a schedule that are due: one, or all that were missed.
 *
 * @param earliest the firing that the schedule waited for
 * @param latest the last one that is due; the same if there is only one
 */
public record DueFirings(Instant earliest, Instant latest) {

  public DueFirings {
    if (latest.isBefore(earliest)) {
      throw new IllegalArgumentException("latest " + latest + " is before earliest " + earliest);
    }
  }

  /** Returns true if more than one firing is due. */
  public boolean several() {
    return latest.isAfter(earliest);
  }
}
