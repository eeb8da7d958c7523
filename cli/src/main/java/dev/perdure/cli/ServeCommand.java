// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

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

/** Runs the server until it is stopped. */
@Command(
    name = "serve",
    description = "Run the server: HTTP API and engine on SQLite or PostgreSQL.",
    footer = {
      "",
      "You can also set every flag in perdure.yaml or in the environment; perdure config shows"
          + " the names. SIGTERM or Ctrl-C stops the server; running work has --shutdown-timeout to"
          + " finish.",
      "",
      "Examples:",
      "  perdure serve",
      "  perdure serve --port 9000 --database-url postgres://perdure:secret@db/perdure"
    })
final class ServeCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final CliContext context;

  private ServeCommand(CliContext context) {
    this.context = context;
  }

  static CommandLine create(CliContext context) {
    ServeCommand command = new ServeCommand(context);
    return command.settings.addTo(command);
  }

  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = settings.configuration(context);
    LogFormat format = configuration.get(Settings.LOG_FORMAT);
    Logging.configure(format, configuration.get(Settings.LOG_LEVEL));
    announceDatabase(configuration, format);
    Server server = startServer(configuration);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, format), "stop"));
    if (output.json) {
      context.out().println(CliJson.serving(server.url()));
    } else {
      context
          .out()
          .println(
              "perdure is running at %s with %s; press Ctrl-C to stop"
                  .formatted(
                      server.url(), configuration.entry(Settings.DATABASE_URL).redactedText()));
    }
    context.out().flush();
    new CountDownLatch(1).await();
    return Perdure.EXIT_OK;
  }

  /** A database server may take a while to answer, and so does creating its tables. */
  private void announceDatabase(Configuration configuration, LogFormat format) {
    String database = configuration.entry(Settings.DATABASE_URL).redactedText();
    if (!database.startsWith("sqlite:")) {
      printStatus("connecting to %s and checking its tables".formatted(database), format);
    }
  }

  private static Server startServer(Configuration configuration) {
    try {
      return Server.start(configuration, VersionCommand.version());
    } catch (CannotStartException e) {
      throw new UsageException(List.of(e.problem()));
    }
  }

  private void stop(Server server, LogFormat format) {
    printStatus("stopping", format);
    server.close();
    printStatus("stopped", format);
  }

  /** A log in JSON stays all JSON. */
  private void printStatus(String what, LogFormat format) {
    if (format == LogFormat.JSON) {
      // Not in a static field: every command creates this class, and the log takes time to start.
      LoggerFactory.getLogger(ServeCommand.class).info(what);
    } else {
      context.err().println("perdure: " + what);
      context.err().flush();
    }
  }
}
