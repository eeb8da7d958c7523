// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import dev.perdure.policy.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that asks a server. */
final class ConnectionOptions {

  private static final String DEFAULT_URL = "http://127.0.0.1:8085";
  private static final Pattern HEADER_TEXT = Pattern.compile("[!-~]{1,1000}");

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server; PERDURE_URL, else " + DEFAULT_URL + ".")
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The key it asks for; better in PERDURE_KEY, which others do not see.")
  private @Nullable String key;

  /** Whether one was named in the call itself. */
  boolean isUrlGiven() {
    return url != null;
  }

  /** One that asks the server that was named; throws with what is wrong about its name or key. */
  PerdureClient client(CliContext cliContext) {
    return new PerdureClient(url(cliContext), key(cliContext));
  }

  /** The same, and no answer is waited for when the time is over. */
  PerdureClient client(CliContext cliContext, Countdown time) {
    return new PerdureClient(url(cliContext), key(cliContext), time::remaining);
  }

  private URI url(CliContext cliContext) {
    String name = url != null ? "--url" : "PERDURE_URL";
    String text = url != null ? url : cliContext.environment().getOrDefault("PERDURE_URL", "");
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
      // Said below.
    }
    throw new UsageException(
        name, "must be such as %s, not '%s'".formatted(DEFAULT_URL, FieldError.sanitize(text)));
  }

  private @Nullable String key(CliContext cliContext) {
    String text = key != null ? key : cliContext.environment().getOrDefault("PERDURE_KEY", "");
    if (text.isEmpty()) {
      return null;
    }
    if (!HEADER_TEXT.matcher(text).matches()) {
      throw new UsageException(
          key != null ? "--key" : "PERDURE_KEY",
          "cannot be a key: a key begins with pk_ and has neither blanks nor line ends");
    }
    return text;
  }
}
