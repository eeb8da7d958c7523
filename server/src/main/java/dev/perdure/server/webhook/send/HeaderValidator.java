// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a header of a call may be. */
public final class HeaderValidator {

  /** The most characters of a name. */
  public static final int MAX_NAME_LENGTH = 128;

  /** The most characters of a value. */
  public static final int MAX_VALUE_LENGTH = 4_096;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

  /** Printable ASCII; above all no line break, which would begin another header or request. */
  private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e\\t]*)|");

  /** They frame the message or belong to the connection, which are the sender's business. */
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

  /** What is wrong with this name, if anything. */
  public static Optional<String> problemOfName(String name) {
    if (name.length() > MAX_NAME_LENGTH) {
      return Optional.of("has a name of more than %d characters".formatted(MAX_NAME_LENGTH));
    }
    if (!NAME.matcher(name).matches()) {
      return Optional.of("is no header name: letters, digits and -");
    }
    return CONNECTION_HEADERS.contains(name.toLowerCase(Locale.ROOT))
        ? Optional.of("is set by the connection and cannot be chosen")
        : Optional.empty();
  }

  /** What is wrong with this value, if anything; it is not repeated, since it may be a secret. */
  public static Optional<String> problemOfValue(String value) {
    if (value.length() > MAX_VALUE_LENGTH) {
      return Optional.of("has more than %d characters".formatted(MAX_VALUE_LENGTH));
    }
    return VALUE.matcher(value).matches()
        ? Optional.empty()
        : Optional.of("must be printable ASCII on one line, and not begin with a space");
  }
}
