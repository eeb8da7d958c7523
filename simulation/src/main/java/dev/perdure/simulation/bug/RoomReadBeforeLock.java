// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.testing.internal.LimitAccounting;
import java.util.HashMap;
import java.util.Map;

/** A claim decides with what the claim before it has read, as if it had waited for its lock. */
final class RoomReadBeforeLock implements LimitAccounting {

  private final Map<String, Long> lastRead = new HashMap<>();

  @Override
  public long used(int shard, String key, long used) {
    Long before = lastRead.put(shard + " " + key, used);
    return before == null ? used : before;
  }
}
