// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Comparator;
import java.util.UUID;

/**
 * The order of ids. Databases compare them byte by byte without a sign; {@link UUID#compareTo} does
 * not.
 */
public final class IdOrder {

  public static final Comparator<UUID> BYTEWISE =
      (one, other) -> {
        int high =
            Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0
            ? high
            : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
      };

  private IdOrder() {}
}
