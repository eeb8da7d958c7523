// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses and redacts the texts of settings. Errors say what is allowed. */
public final class SettingParsers {

  private static final Pattern DIGITS = Pattern.compile("\\d{1,10}");

  /**
   * From the first colon to the last @ that is not in a value of the query, because a password may
   * contain slashes, question marks and more @. If a query would follow, the colon must not belong
   * to a port.
   */
  private static final Pattern PASSWORD =
      Pattern.compile("(?<=//)([^/?#:]*):(?:(?:(?!\\?[^@]*=).)*@|(?!\\d{0,5}[/?#,]).*@)");

  private static final Pattern USER_INFO = Pattern.compile("(?<=//).*@");
  private static final Pattern AFTER_PATH = Pattern.compile("([?#]).*");

  private static final Pattern PASSWORD_PARAMETER =
      Pattern.compile("(?i)((?:password|sslpassword)=)[^&]*");

  /** Plain segments only: the path becomes part of a web page. A dot alone would be a folder. */
  private static final Pattern HOST_PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[\\w.~-]+){0,10}/?");

  private SettingParsers() {}

  public static Function<String, Integer> integer(int min, int max) {
    return text -> {
      long number = DIGITS.matcher(text).matches() ? Long.parseLong(text) : -1;
      if (number < min || number > max) {
        throw new IllegalArgumentException(
            "must be a whole number from %d to %d, not '%s'"
                .formatted(min, max, FieldError.sanitize(text)));
      }
      return (int) number;
    };
  }

  /** A parser for which an empty text means that there is no value. */
  public static <T> Function<String, Optional<T>> optional(Function<String, T> parser) {
    return text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text));
  }

  public static Function<String, String> text(int maxLength) {
    return text -> {
      if (text.length() > maxLength) {
        throw new IllegalArgumentException(
            "must have at most %d characters, not %d".formatted(maxLength, text.length()));
      }
      return text;
    };
  }

  public static boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0" -> false;
      default ->
          throw new IllegalArgumentException(
              "must be true or false, not '%s'".formatted(FieldError.sanitize(text)));
    };
  }

  static Duration duration(String text) {
    Duration duration = DurationText.parse(text);
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("must be more than 0, not " + FieldError.sanitize(text));
    }
    return duration;
  }

  /** A number without a unit means seconds, for compatibility. */
  static Duration seconds(String text) {
    return duration(DIGITS.matcher(text).matches() ? text + "s" : text);
  }

  static Optional<URI> hostUrl(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    URI uri = uri(text);
    if (uri == null || !isHttp(uri) || hasMoreThanHostPortAndPath(uri)) {
      // A password may precede an @, so the text is not repeated then.
      String found =
          text.contains("@") ? "without a user name" : "not '" + FieldError.sanitize(text) + "'";
      throw new IllegalArgumentException(
          "must be http:// or https:// with a host and optionally a port and a path, such as"
              + " https://tasks.example.org or https://example.org/jobs, "
              + found);
    }
    return Optional.of(uri);
  }

  /** Shows only that there is a secret. */
  public static String masked(String text) {
    return text.isEmpty() ? "" : "***";
  }

  private static @Nullable URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static boolean isHttp(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return (scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null;
  }

  private static boolean hasMoreThanHostPortAndPath(URI uri) {
    return uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null
        || !HOST_PATH.matcher(uri.getRawPath()).matches();
  }

  /** Redacts the password in a database URL and keeps the user. */
  static String withoutPassword(String url) {
    String anonymous = PASSWORD.matcher(url).replaceFirst("$1:***@");
    return PASSWORD_PARAMETER.matcher(anonymous).replaceAll("$1***");
  }

  /** Redacts user, query and fragment of a URL: each may be a token. */
  public static String withoutSecrets(String url) {
    String plain = AFTER_PATH.matcher(url).replaceFirst("$1***");
    return USER_INFO.matcher(plain).replaceFirst("***@");
  }
}
