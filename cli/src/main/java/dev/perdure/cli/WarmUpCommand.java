// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.Server;
import dev.perdure.server.ServerSettings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Loads the classes that other commands need at their start, for the launcher's class cache: starts
 * a server on a temporary database, sends it a request, and stops it.
 */
@Command(name = "warm-up", hidden = true, description = "For the launcher's class cache.")
final class WarmUpCommand implements Callable<Integer> {

  private final CliContext context;

  WarmUpCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws IOException {
    try (TemporaryDirectory directory = TemporaryDirectory.create("perdure-warm-up")) {
      serve("sqlite:" + directory.path().resolve("perdure.db"));
    }
    return Perdure.run(context, "explain", "http");
  }

  private static void serve(String url) throws IOException {
    Configuration configuration =
        ServerSettings.configuration(Map.of(Settings.PORT, "0", Settings.DATABASE_URL, url));
    try (Server server = Server.start(configuration, VersionCommand.version());
        InputStream answer = server.url().resolve("/task").toURL().openStream()) {
      answer.readAllBytes();
    }
  }
}
