// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Instants in milliseconds, all of one length, so that lines can be sorted as text. */
final class LogTime {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private LogTime() {}

  static String of(Instant time) {
    return FORM.format(time);
  }
}
