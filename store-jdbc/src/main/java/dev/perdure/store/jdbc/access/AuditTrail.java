// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators did, in the order in which it was written down. */
public interface AuditTrail {

  /**
   * What somebody did.
   *
   * @param who the name of the key, for people
   * @param key its id; null when none was asked for
   * @param subject the id of what it was done to; null when it was no single thing
   * @param detail JSON; null when there is nothing more to say
   */
  record Deed(
      String who,
      @Nullable String key,
      String action,
      @Nullable String subject,
      @Nullable String detail) {}

  /**
   * A deed that was written down.
   *
   * @param number grows from entry to entry; some are left out
   */
  record Entry(long number, Instant at, Deed deed) {}

  /**
   * Writes it down, and lets go of the oldest beyond so many. Repeating it changes nothing.
   *
   * @param id of this deed and no other
   * @param age how long ago it was done
   */
  void append(UUID id, Deed deed, Duration age, int kept);

  /**
   * Entries, newest first.
   *
   * @param before only those with smaller numbers
   * @param subject only what was done to this; null for all
   */
  List<Entry> list(long before, @Nullable String subject, int limit);
}
