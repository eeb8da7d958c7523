// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.server.CannotStartException;
import dev.perdure.server.Server;
import dev.perdure.server.Surroundings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.LogFormat;
import dev.perdure.server.config.Settings;
import dev.perdure.server.log.LogOutput;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
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
          + " SIGTERM and SIGINT (Ctrl-C) stop it; what is under way has stop-timeout to end.",
      "",
      "Examples:",
      "  perdure serve",
      "  perdure serve --port 9000 --database-url postgres://perdure:secret@db/perdure"
    })
final class ServeCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  @Mixin private OutputOptions output = new OutputOptions();

  private final SettingOptions settings = new SettingOptions();
  private final Shell shell;

  private ServeCommand(Shell shell) {
    this.shell = shell;
  }

  static CommandLine create(Shell shell) {
    ServeCommand command = new ServeCommand(shell);
    return command.settings.on(command);
  }

  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = settings.configuration(shell);
    LogFormat format = configuration.get(Settings.LOG_FORMAT);
    LogOutput.use(format, configuration.get(Settings.LOG_LEVEL));
    Server server = started(configuration);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, format), "stop"));
    if (output.json) {
      shell.out().println(Json.serving(server.url()));
    } else {
      shell
          .out()
          .println(
              "perdure answers at %s, tasks are kept in %s; Ctrl-C stops it"
                  .formatted(server.url(), configuration.entry(Settings.DATABASE_URL).shown()));
    }
    shell.out().flush();
    new CountDownLatch(1).await();
    return Perdure.DONE;
  }

  private static Server started(Configuration configuration) {
    try {
      return Server.start(configuration, VersionCommand.version(), Surroundings.system());
    } catch (CannotStartException e) {
      Problem problem = e.problem();
      throw new WrongUseException(List.of(problem));
    }
  }

  private void stop(Server server, LogFormat format) {
    say("stopping", format);
    server.close();
    say("stopped", format);
  }

  /** Where every line is an object, this one is too. */
  private void say(String what, LogFormat format) {
    if (format == LogFormat.JSON) {
      LOG.info(what);
    } else {
      shell.err().println("perdure: " + what);
      shell.err().flush();
    }
  }
}
