// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import dev.perdure.policy.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that calls a server. */
final class ConnectionOptions {

  private static final String DEFAULT_URL = "http://127.0.0.1:8085";
  private static final Duration MAX_REQUEST_TIME = Duration.ofSeconds(60);
  private static final Pattern HEADER_TEXT = Pattern.compile("[!-~]{1,1000}");

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (PERDURE_URL, or " + DEFAULT_URL + ").")
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The API key; safer in PERDURE_KEY, which process lists do not show.")
  private @Nullable String key;

  /** Whether the command line itself names a server. */
  boolean isUrlGiven() {
    return url != null;
  }

  /** A client of the server; throws a usage error when the URL or the key is invalid. */
  PerdureClient client(CliContext context) {
    return PerdureClient.builder(url(context)).apiKey(key(context)).build();
  }

  /** A client whose requests end when the time is up. */
  PerdureClient client(CliContext context, Countdown time) {
    return PerdureClient.builder(url(context))
        .apiKey(key(context))
        .timeout(() -> time.atMost(MAX_REQUEST_TIME))
        .build();
  }

  private URI url(CliContext context) {
    String name = url != null ? "--url" : "PERDURE_URL";
    String text = url != null ? url : context.environment().getOrDefault("PERDURE_URL", "");
    if (text.isEmpty() && url == null) {
      return URI.create(DEFAULT_URL);
    }
    try {
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme());
      boolean web = scheme.equals("http") || scheme.equals("https");
      boolean bare =
          uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getUserInfo() == null;
      if (web && uri.getHost() != null && bare) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    throw new UsageException(
        name, "must be like %s, not '%s'".formatted(DEFAULT_URL, FieldError.sanitize(text)));
  }

  private @Nullable String key(CliContext context) {
    String text = key != null ? key : context.environment().getOrDefault("PERDURE_KEY", "");
    if (text.isEmpty()) {
      return null;
    }
    if (!HEADER_TEXT.matcher(text).matches()) {
      throw new UsageException(
          key != null ? "--key" : "PERDURE_KEY",
          "is not a key: a key starts with pk_ and has no spaces or line breaks");
    }
    return text;
  }
}
