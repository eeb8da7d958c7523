// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The installed Chromium, which resolves every name under {@code .example} to this machine. */
public final class Chromium implements AutoCloseable {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Path file) {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(file)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--host-resolver-rules=MAP *.example 127.0.0.1",
                            // Protections that other browsers do not have.
                            "--disable-features=LocalNetworkAccessChecks,"
                                + "BlockInsecurePrivateNetworkRequests")));
  }

  /**
   * Starts the browser. Without one it fails if the browser is required, else skips the test with a
   * warning.
   */
  public static Chromium start() {
    Optional<Path> file = file();
    if (file.isEmpty()) {
      String warning =
          "NO BROWSER: what happens in a browser is NOT TESTED here."
              + " Install Chromium with ./perdure setup-browser";
      if ("required".equals(System.getenv("PERDURE_BROWSER"))) {
        throw new AssertionError(warning);
      }
      System.err.println("\n*** " + warning + " ***\n");
      Assumptions.abort(warning);
    }
    return new Chromium(file.orElseThrow());
  }

  private static Optional<Path> file() {
    String configured = System.getenv("PERDURE_CHROMIUM");
    if (configured != null && !configured.isEmpty()) {
      return Optional.of(Path.of(configured));
    }
    return NAMES.stream()
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
