// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time zones by name. */
final class Zones {

  static final ZoneId UTC = ZoneId.of("UTC");

  private Zones() {}

  /** The zone, with one name for UTC. */
  static ZoneId normalized(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? UTC : zone;
  }

  /**
   * Finds a zone.
   *
   * @throws IllegalArgumentException if there is no such zone; the message suggests one
   */
  static ZoneId parse(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "unknown zone '%s'%s (write a name of the time zone database, such as \"Europe/Paris\")"
              .formatted(
                  FieldError.sanitize(name),
                  NameSuggestion.hint(name, ZoneId.getAvailableZoneIds())),
          e);
    }
  }
}
