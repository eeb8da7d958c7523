// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;

/**
 * A stored trigger that this node cannot read, for example because its Java does not know the zone.
 * The schedule does not fire on this node. Everything else works, so that it can be found, changed
 * and deleted.
 *
 * @param json what is stored
 * @param problem why it cannot be read
 */
record UnreadableTrigger(String json, String problem) implements Trigger {

  @Override
  public FiringTimes firingTimes(Instant anchor) {
    throw new IllegalStateException("its trigger cannot be read: " + problem);
  }

  @Override
  public String describe() {
    return "never: the trigger cannot be read";
  }

  @Override
  public String toString() {
    return json;
  }
}
