// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.store;

import java.util.List;

/**
 * Asks for work that can start now.
 *
 * @param holder who will hold it
 * @param kinds the kinds it can do, and how many of each
 * @param limit how many in all
 * @param start true when the claim starts the attempts at once, as when each has a free slot
 *     waiting; false when {@link dev.perdure.engine.task.TaskEvent#START} is written later
 */
public record ClaimRequest(Holder holder, List<Room> kinds, int limit, boolean start) {

  /** The most tasks one claim takes. */
  public static final int MOST_TASKS = 10_000;

  public ClaimRequest {
    kinds = List.copyOf(kinds);
    if (limit < 1 || limit > MOST_TASKS) {
      throw new IllegalArgumentException("a claim takes 1 to " + MOST_TASKS + ", not " + limit);
    }
  }

  /** Room for this many tasks of a kind. */
  public record Room(String kind, int free) {
    public Room {
      if (free < 0) {
        throw new IllegalArgumentException("room must be 0 or more, not " + free);
      }
    }
  }
}
