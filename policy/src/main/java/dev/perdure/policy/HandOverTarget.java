// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.UUID;

/**
 * Accepts work that a process hands over to be retried elsewhere. The durable engine implements it;
 * in-process retry knows only this interface.
 */
@FunctionalInterface
public interface HandOverTarget {

  /**
   * Accepts the work. When this method returns, the work is stored safely. When it throws, the work
   * was not accepted.
   *
   * @return the id of the task that continues the work
   */
  UUID acceptHandOver(HandOverRequest request);
}
