// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.server.cli.client.Client;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that asks a server. */
final class ServerOptions {

  private static final String USUAL = "http://127.0.0.1:8085";
  private static final Pattern HEADER_TEXT = Pattern.compile("[!-~]{1,1000}");

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server; PERDURE_URL, else " + USUAL + ".")
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The key it asks for; better in PERDURE_KEY, which others do not see.")
  private @Nullable String key;

  /** Whether one was named in the call itself. */
  boolean isNamed() {
    return url != null;
  }

  /** One that asks the server that was named; throws with what is wrong about its name or key. */
  Client client(Shell shell) {
    return new Client(url(shell), key(shell));
  }

  /** The same, and no answer is waited for when the time is over. */
  Client client(Shell shell, Countdown time) {
    return new Client(url(shell), key(shell), time::left);
  }

  private URI url(Shell shell) {
    String name = url != null ? "--url" : "PERDURE_URL";
    String text = url != null ? url : shell.environment().getOrDefault("PERDURE_URL", "");
    if (text.isEmpty() && url == null) {
      return URI.create(USUAL);
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
    throw new WrongUseException(
        name, "must be such as %s, not '%s'".formatted(USUAL, Problem.quotable(text)));
  }

  private @Nullable String key(Shell shell) {
    String text = key != null ? key : shell.environment().getOrDefault("PERDURE_KEY", "");
    if (text.isEmpty()) {
      return null;
    }
    if (!HEADER_TEXT.matcher(text).matches()) {
      throw new WrongUseException(
          key != null ? "--key" : "PERDURE_KEY",
          "cannot be a key: a key begins with pk_ and has neither blanks nor line ends");
    }
    return text;
  }
}
