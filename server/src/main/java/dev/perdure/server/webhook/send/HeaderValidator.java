// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the names and values of request headers. */
public final class HeaderValidator {

  /** Characters of a name, at most. */
  public static final int MAX_NAME_LENGTH = 128;

  /** Characters of a value, at most. */
  public static final int MAX_VALUE_LENGTH = 4_096;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

  /** Printable ASCII. A line break would begin another header or request. */
  private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e\\t]*)|");

  /** Headers of the message framing or the connection, which the sender sets itself. */
  private static final Set<String> CONNECTION_HEADERS =
      Set.of(
          "host",
          "content-length",
          "transfer-encoding",
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authorization",
          "proxy-authenticate",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "accept-encoding");

  private HeaderValidator() {}

  /** The problem with this header name; empty when it is valid. */
  public static Optional<String> problemOfName(String name) {
    if (name.length() > MAX_NAME_LENGTH) {
      return Optional.of("must have a name of at most %d characters".formatted(MAX_NAME_LENGTH));
    }
    if (!NAME.matcher(name).matches()) {
      return Optional.of("is not a valid header name: use letters, digits and -");
    }
    return CONNECTION_HEADERS.contains(name.toLowerCase(Locale.ROOT))
        ? Optional.of("is set by the connection: leave it out")
        : Optional.empty();
  }

  /** The problem with this value; empty when it is valid. It does not repeat a possible secret. */
  public static Optional<String> problemOfValue(String value) {
    if (value.length() > MAX_VALUE_LENGTH) {
      return Optional.of("must have at most %d characters".formatted(MAX_VALUE_LENGTH));
    }
    return VALUE.matcher(value).matches()
        ? Optional.empty()
        : Optional.of("must be printable ASCII on one line and must not begin with a space");
  }
}
