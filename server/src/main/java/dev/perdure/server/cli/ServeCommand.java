// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.server.CannotStartException;
import dev.perdure.server.Server;
import dev.perdure.server.Surroundings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the server until somebody stops it. */
@Command(
    name = "serve",
    description = "Runs the server: HTTP API and engine on SQLite or PostgreSQL.",
    footer = {
      "",
      "Every flag has a name in perdure.yaml and one in the environment: see perdure config.",
      "SIGTERM and SIGINT (Ctrl-C) stop it; what is under way has stop-timeout to end.",
      "",
      "Examples:",
      "  perdure serve",
      "  perdure serve --port 9000 --database-url postgres://perdure:secret@db/perdure"
    })
final class ServeCommand implements Callable<Integer> {

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
    Server server = started(configuration);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
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

  private void stop(Server server) {
    shell.err().println("perdure: stopping");
    shell.err().flush();
    server.close();
    shell.err().println("perdure: stopped");
    shell.err().flush();
  }
}
