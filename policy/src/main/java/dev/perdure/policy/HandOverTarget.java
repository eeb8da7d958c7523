// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.UUID;

/**
 * Carries on with work that a process does not go on with itself. A durable engine is one; retries
 * in the process know it only as this.
 */
@FunctionalInterface
public interface HandOverTarget {

  /**
   * Takes the work over; it is safe when this returns. What it throws means that nobody took it.
   *
   * @return the id under which the work goes on
   */
  UUID acceptHandOver(HandOverRequest work);
}
