// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.SqlTimes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts values to their form in the file: ids to 16 bytes, instants and durations to
 * milliseconds. Fractions of a millisecond are rounded up, because nothing may happen early.
 */
final class SqliteValues {

  private static final HexFormat HEX = HexFormat.of();
  private static final int ID_BYTES = 16;
  private static final int ROUND_UP_NANOS = 999_999;

  private SqliteValues() {}

  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(ID_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  static UUID uuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  /** Returns a JSON array of the ids in hexadecimal. */
  static String hexJson(Collection<UUID> ids) {
    StringBuilder json = new StringBuilder("[");
    for (UUID id : ids) {
      json.append(json.length() == 1 ? "\"" : ",\"");
      json.append(HEX.formatHex(bytes(id))).append('"');
    }
    return json.append(']').toString();
  }

  /** Returns a value that is greater than every id. */
  static byte[] afterAllIds() {
    byte[] bytes = new byte[ID_BYTES + 1];
    Arrays.fill(bytes, (byte) 0xFF);
    return bytes;
  }

  static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null
        ? null
        : SqlTimes.clamp(instant).plusNanos(ROUND_UP_NANOS).toEpochMilli();
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return SqlTimes.toMillisOrNull(duration);
  }
}
