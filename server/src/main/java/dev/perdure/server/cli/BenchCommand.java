// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.CannotStartException;
import dev.perdure.server.Server;
import dev.perdure.server.Surroundings;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.Load;
import dev.perdure.server.cli.text.BenchText;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Layer;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures a server with tasks that do nothing. */
@Command(
    name = "bench",
    description = "Measures how many tasks a second a server takes and settles.",
    footer = {
      "",
      "Without --url (PERDURE_URL does not count here) it measures one of its own, in this",
      "process, on a SQLite file that is gone afterwards; the load and the server then share",
      "this machine. With --url the tasks stay at that server, ended, until its retention",
      "takes them.",
      "",
      "Examples:",
      "  perdure bench",
      "  perdure bench --tasks 10000 --url http://127.0.0.1:8085"
    })
final class BenchCommand implements Callable<Integer> {

  private static final Duration LONGEST = Duration.ofMinutes(10);

  @Option(names = "--tasks", paramLabel = "N", description = "In each round (2000).")
  private @Nullable String tasks;

  @Option(names = "--rounds", paramLabel = "N", description = "Measured, after one to warm up (3).")
  private @Nullable String rounds;

  @Option(names = "--connections", paramLabel = "N", description = "How many ask at once (8).")
  private @Nullable String connections;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  BenchCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Given given = new Given();
    int size = given.count("--tasks", tasks, 2_000, 1, 100_000);
    int times = given.count("--rounds", rounds, 3, 1, 20);
    int callers = given.count("--connections", connections, 8, 1, 64);
    given.requireRight();
    Countdown time = shell.countdown(LONGEST);
    if (server.isNamed()) {
      try (Client client = server.client(shell, time)) {
        measure(new Load(client, callers, time::sofar), size, times);
      }
      return Perdure.DONE;
    }
    try (TemporaryFolder folder = TemporaryFolder.create("perdure-bench");
        Server own = started("sqlite:" + folder.path().resolve("perdure.db"));
        Client client = new Client(own.url(), null, time::left)) {
      measure(new Load(client, callers, time::sofar), size, times);
    }
    return Perdure.DONE;
  }

  private static Server started(String database) {
    Configuration configuration =
        Configuration.of(
            List.of(
                Layer.flags(
                    Map.of(
                        Settings.PORT,
                        "0",
                        Settings.DATABASE_URL,
                        database,
                        Settings.LOG_LEVEL,
                        "error"))));
    try {
      return Server.start(configuration, VersionCommand.version(), Surroundings.system());
    } catch (CannotStartException e) {
      throw new WrongUseException(List.of(e.problem()));
    }
  }

  private void measure(Load load, int size, int times) throws InterruptedException {
    String kind = "bench-" + shell.uniqueName();
    load.round(kind, size);
    List<Load.Round> measured = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      Load.Round round = load.round(kind, size);
      measured.add(round);
      if (output.json) {
        shell.out().println(Json.round(round));
        shell.out().flush();
      }
    }
    if (!output.json) {
      BenchText.print(output.page(shell), measured, size);
    }
  }
}
