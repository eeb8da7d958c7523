// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.policy.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Turns what operators write for OpenTelemetry into values. */
final class TraceParsers {

  private static final int MAX_PAIRS = 100;

  private TraceParsers() {}

  /** One of these words, in any case. */
  static Function<String, String> oneOf(String... words) {
    List<String> known = List.of(words);
    return text -> {
      String word = text.strip().toLowerCase(Locale.ROOT);
      if (!known.contains(word)) {
        throw new IllegalArgumentException(
            "must be %s, not '%s'"
                .formatted(String.join(" or ", known), FieldError.sanitize(text)));
      }
      return word;
    };
  }

  static Optional<URI> endpoint(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if ((scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException unreadable) {
      // Said below: what is wrong with it in detail might repeat a password.
    }
    throw new IllegalArgumentException(
        "must be http:// or https:// with a host and a port, such as http://collector:4318");
  }

  static double ratio(String text) {
    try {
      double ratio = Double.parseDouble(text.strip());
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "must be a number from 0 to 1, not '%s'".formatted(FieldError.sanitize(text)));
  }

  /** Pairs as in the header {@code baggage}: values may be %-encoded. */
  static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      if (part.isBlank()) {
        continue;
      }
      int sign = part.indexOf('=');
      String name = sign < 0 ? "" : part.substring(0, sign).strip();
      if (name.isEmpty() || pairs.size() >= MAX_PAIRS) {
        // What is given is not repeated: it may be a secret.
        throw new IllegalArgumentException(
            "must be name=value with commas between them, at most %d".formatted(MAX_PAIRS));
      }
      pairs.put(name, decoded(part.substring(sign + 1).strip()));
    }
    return Collections.unmodifiableMap(pairs);
  }

  private static String decoded(String value) {
    try {
      // A plus is a plus here, as it is not in forms.
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException brokenEscape) {
      throw new IllegalArgumentException("has a % that is not followed by two digits");
    }
  }
}
