// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The audit log: actions of operators in the order in which they were recorded. */
public interface AuditStore {

  /**
   * An action of an operator.
   *
   * @param who name of the API key, for people
   * @param key id of the API key, or null if the server requires none
   * @param subject id of the object of the action, or null if there is no single object
   * @param detail JSON, or null
   */
  record NewAuditEntry(
      String who,
      @Nullable String key,
      String action,
      @Nullable String subject,
      @Nullable String detail) {}

  /**
   * A recorded action.
   *
   * @param number grows from entry to entry, with gaps
   */
  record StoredAuditEntry(long number, Instant occurredAt, NewAuditEntry entry) {}

  /**
   * Records an action and deletes the oldest entries beyond the maximum. Repeating it with the same
   * id changes nothing.
   *
   * @param id unique id of this action
   * @param age how long ago the action happened
   * @param maxEntries how many entries are kept
   */
  void append(UUID id, NewAuditEntry entry, Duration age, int maxEntries);

  /**
   * Returns entries, newest first.
   *
   * @param before only entries with a smaller number
   * @param subject only entries about this subject, or null for all
   */
  List<StoredAuditEntry> list(long before, @Nullable String subject, int limit);
}
