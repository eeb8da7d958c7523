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

/** Turns what operators write into values. What is wrong is said with what would be right. */
public final class SettingParsers {

  private static final Pattern DIGITS = Pattern.compile("\\d{1,10}");

  /**
   * From the first colon to the last @ that stands in no value of a query: a password may hold
   * slashes, questions and more of them. Where a query would follow, the colon must be a port's.
   */
  private static final Pattern PASSWORD =
      Pattern.compile("(?<=//)([^/?#:]*):(?:(?:(?!\\?[^@]*=).)*@|(?!\\d{0,5}[/?#,]).*@)");

  private static final Pattern USER_INFO = Pattern.compile("(?<=//).*@");
  private static final Pattern AFTER_PATH = Pattern.compile("([?#]).*");

  private static final Pattern PASSWORD_PARAMETER =
      Pattern.compile("(?i)((?:password|sslpassword)=)[^&]*");

  private SettingParsers() {}

  public static Function<String, Integer> integer(int least, int most) {
    return text -> {
      long number = DIGITS.matcher(text).matches() ? Long.parseLong(text) : -1;
      if (number < least || number > most) {
        throw new IllegalArgumentException(
            "must be a whole number from %d to %d, not '%s'"
                .formatted(least, most, FieldError.sanitize(text)));
      }
      return (int) number;
    };
  }

  /** The same where an empty text says nothing. */
  public static <T> Function<String, Optional<T>> optional(Function<String, T> parser) {
    return text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text));
  }

  public static Function<String, String> text(int longest) {
    return text -> {
      if (text.length() > longest) {
        throw new IllegalArgumentException(
            "must have at most %d characters, not %d".formatted(longest, text.length()));
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

  /** What only the word no is known of. */
  static boolean unsupported(String text) {
    if (bool(text)) {
      throw new IllegalArgumentException("is not supported yet: leave it out, or say false");
    }
    return false;
  }

  static Duration duration(String text) {
    Duration duration = DurationText.parse(text);
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("must be more than 0, not " + FieldError.sanitize(text));
    }
    return duration;
  }

  /** A bare number means seconds: the setting is older than its units. */
  static Duration seconds(String text) {
    return duration(DIGITS.matcher(text).matches() ? text + "s" : text);
  }

  static Optional<URI> hostUrl(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    URI uri = uri(text);
    if (uri == null || !isHttp(uri) || hasMoreThanHostAndPort(uri)) {
      // Before an @ there may be a password.
      String found =
          text.contains("@") ? "without a user" : "not '" + FieldError.sanitize(text) + "'";
      throw new IllegalArgumentException(
          "must be http:// or https:// with a host and maybe a port, such as"
              + " https://tasks.example.org, "
              + found);
    }
    return Optional.of(uri);
  }

  /** A secret as it may be shown: that there is one. */
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

  private static boolean hasMoreThanHostAndPort(URI uri) {
    return uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null
        || !(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
  }

  /** A database's URL that may be shown: with its user, without his password. */
  static String withoutPassword(String url) {
    String anonymous = PASSWORD.matcher(url).replaceFirst("$1:***@");
    return PASSWORD_PARAMETER.matcher(anonymous).replaceAll("$1***");
  }

  /** The address of a web server that may be shown: a token may stand for the user, or follow. */
  public static String withoutSecrets(String url) {
    String plain = AFTER_PATH.matcher(url).replaceFirst("$1***");
    return USER_INFO.matcher(plain).replaceFirst("***@");
  }
}
