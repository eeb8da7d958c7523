// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators did, in the order in which it was written down. */
public interface AuditStore {

  /**
   * What somebody did.
   *
   * @param who the name of the key, for people
   * @param key its id; null when none was asked for
   * @param subject the id of what it was done to; null when it was no single thing
   * @param detail JSON; null when there is nothing more to say
   */
  record NewAuditEntry(
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
  record StoredAuditEntry(long number, Instant occurredAt, NewAuditEntry entry) {}

  /**
   * Writes it down, and lets go of the oldest beyond so many. Repeating it changes nothing.
   *
   * @param id of this deed and no other
   * @param age how long ago it was done
   */
  void append(UUID id, NewAuditEntry newAuditEntry, Duration age, int kept);

  /**
   * Entries, newest first.
   *
   * @param before only those with smaller numbers
   * @param subject only what was done to this; null for all
   */
  List<StoredAuditEntry> list(long before, @Nullable String subject, int limit);
}
