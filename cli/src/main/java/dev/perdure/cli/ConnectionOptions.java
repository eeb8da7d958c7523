// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import dev.perdure.client.PerdureClientBuilder;
import dev.perdure.policy.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that calls a server. */
final class ConnectionOptions {

  private static final String DEFAULT_URL = "http://127.0.0.1:8085";
  private static final Duration MAX_REQUEST_TIME = Duration.ofSeconds(60);

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
    return builder(context).build();
  }

  /** A client whose requests end when the time is up. */
  PerdureClient client(CliContext context, Countdown time) {
    return builder(context).timeout(() -> time.atMost(MAX_REQUEST_TIME)).build();
  }

  private PerdureClientBuilder builder(CliContext context) {
    PerdureClientBuilder builder = builderForUrl(context);
    String text = key != null ? key : context.environment().getOrDefault("PERDURE_KEY", "");
    try {
      return text.isEmpty() ? builder : builder.apiKey(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          key != null ? "--key" : "PERDURE_KEY",
          "is not a key: a key starts with pk_ and has no spaces or line breaks");
    }
  }

  private PerdureClientBuilder builderForUrl(CliContext context) {
    String fromEnvironment = context.environment().getOrDefault("PERDURE_URL", "");
    String text = url != null ? url : fromEnvironment.isEmpty() ? DEFAULT_URL : fromEnvironment;
    try {
      return PerdureClient.builder(new URI(text));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new UsageException(
          url != null ? "--url" : "PERDURE_URL",
          "must be like %s, not '%s'".formatted(DEFAULT_URL, FieldError.sanitize(text)));
    }
  }
}
