// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import dev.perdure.server.CannotStartException;
import dev.perdure.server.Server;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.LogFormat;
import dev.perdure.server.config.Settings;
import dev.perdure.server.log.Logging;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the server until somebody stops it. */
@Command(
    name = "serve",
    description = "Runs the server: HTTP API and engine on SQLite or PostgreSQL.",
    footer = {
      "",
      "Every flag has a name in perdure.yaml and one in the environment: see perdure config."
          + " SIGTERM and SIGINT (Ctrl-C) stop it; what is under way has shutdown-timeout to end.",
      "",
      "Examples:",
      "  perdure serve",
      "  perdure serve --port 9000 --database-url postgres://perdure:secret@db/perdure"
    })
final class ServeCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final CliContext cliContext;

  private ServeCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  static CommandLine create(CliContext cliContext) {
    ServeCommand command = new ServeCommand(cliContext);
    return command.settings.addTo(command);
  }

  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = settings.configuration(cliContext);
    LogFormat format = configuration.get(Settings.LOG_FORMAT);
    Logging.configure(format, configuration.get(Settings.LOG_LEVEL));
    Server server = startServer(configuration);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, format), "stop"));
    if (output.json) {
      cliContext.out().println(CliJson.serving(server.url()));
    } else {
      cliContext
          .out()
          .println(
              "perdure answers at %s, tasks are kept in %s; Ctrl-C stops it"
                  .formatted(
                      server.url(), configuration.entry(Settings.DATABASE_URL).redactedText()));
    }
    cliContext.out().flush();
    new CountDownLatch(1).await();
    return Perdure.EXIT_OK;
  }

  private static Server startServer(Configuration configuration) {
    try {
      return Server.start(configuration, VersionCommand.version());
    } catch (CannotStartException e) {
      FieldError fieldError = e.problem();
      throw new UsageException(List.of(fieldError));
    }
  }

  private void stop(Server server, LogFormat format) {
    printStatus("stopping", format);
    server.close();
    printStatus("stopped", format);
  }

  /** Where every line is an object, this one is too. */
  private void printStatus(String what, LogFormat format) {
    if (format == LogFormat.JSON) {
      // Not in a static field: every command creates this class, and the log takes time to start.
      LoggerFactory.getLogger(ServeCommand.class).info(what);
    } else {
      cliContext.err().println("perdure: " + what);
      cliContext.err().flush();
    }
  }
}
