// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.CannotStartException;
import dev.perdure.server.Server;
import dev.perdure.server.Surroundings;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.Load;
import dev.perdure.server.cli.client.NoAnswerException;
import dev.perdure.server.cli.client.RefusedException;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Layer;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Measures a server with tasks that do nothing. */
@Command(
    name = "bench",
    description = "Measures how many tasks a second a server takes and settles.",
    footer = {
      "",
      "Without --url it measures a server of its own, in this process, on a SQLite file that is"
          + " gone afterwards; the load and the server then share this machine. With --url the"
          + " tasks stay at that server, ended, until its retention takes them.",
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

  @Option(names = "--timeout", paramLabel = "TIME", description = "No longer than this (10m).")
  private @Nullable String timeout;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  private BenchCommand(Shell shell) {
    this.shell = shell;
  }

  /** PERDURE_URL does not count: it would be a pity about the server that it happens to name. */
  static CommandLine create(Shell shell) {
    CommandLine line = new CommandLine(new BenchCommand(shell));
    CommandSpec spec = line.getCommandSpec();
    OptionSpec url = spec.findOption("--url");
    spec.remove(url);
    spec.addOption(
        url.toBuilder().description("The server to measure; without it one of its own.").build());
    return line;
  }

  /** What to measure. */
  private record Plan(int tasks, int rounds, int connections, Countdown time) {}

  @Override
  public Integer call() throws Exception {
    Given given = new Given();
    int size = given.count("--tasks", tasks, 2_000, 1, 100_000);
    int times = given.count("--rounds", rounds, 3, 1, 20);
    int callers = given.count("--connections", connections, 8, 1, 64);
    Duration limit = given.duration("--timeout", timeout, LONGEST);
    given.requireRight();
    Plan plan = new Plan(size, times, callers, shell.countdown(limit));
    Thread caller = Thread.currentThread();
    return StopSignal.during(
        () -> server.isNamed() ? measureNamed(plan) : measureOwn(plan), caller::interrupt);
  }

  private int measureNamed(Plan plan) throws InterruptedException {
    try (Client client = server.client(shell)) {
      Load load = load(client, plan);
      boolean done = false;
      try {
        int code = measure(load, plan);
        done = code == Perdure.DONE;
        return code;
      } finally {
        if (!done) {
          cancelRest(load);
        }
      }
    }
  }

  /** What is left would wait at that server for ever. */
  private void cancelRest(Load load) {
    try {
      load.cancelRest();
    } catch (NoAnswerException | RefusedException e) {
      shell.err().println("perdure: tasks of the kind %s may be left".formatted(load.kind()));
    }
  }

  private int measureOwn(Plan plan) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("perdure-bench");
        Server own = started("sqlite:" + folder.path().resolve("perdure.db"));
        Client client = new Client(own.url(), null)) {
      return measure(load(client, plan), plan);
    }
  }

  private static Server started(String database) {
    Configuration configuration =
        Configuration.of(
            List.of(Layer.flags(Map.of(Settings.PORT, "0", Settings.DATABASE_URL, database))));
    try {
      return Server.start(configuration, VersionCommand.version(), Surroundings.system());
    } catch (CannotStartException e) {
      throw new WrongUseException(List.of(e.problem()));
    }
  }

  private Load load(Client client, Plan plan) {
    String kind = "bench-" + shell.uniqueName();
    Countdown time = plan.time();
    return new Load(client, kind, plan.connections(), time::sofar, time::isOver);
  }

  private int measure(Load load, Plan plan) throws InterruptedException {
    BenchTeller teller = BenchTeller.of(shell, output, plan.tasks(), plan.time()::sofar);
    List<Load.Round> measured = new ArrayList<>();
    load.requireAllowed();
    Optional<Load.Round> round =
        load.round(plan.tasks(), done -> teller.progress(measured, "warm-up", done));
    while (round.isPresent() && measured.size() < plan.rounds()) {
      String name = "round %d of %d".formatted(measured.size() + 1, plan.rounds());
      round = load.round(plan.tasks(), done -> teller.progress(measured, name, done));
      if (round.isPresent()) {
        measured.add(round.get());
        teller.measured(measured);
      }
    }
    teller.ended(measured);
    if (measured.size() == plan.rounds()) {
      return Perdure.DONE;
    }
    String some = "%d of %d rounds measured".formatted(measured.size(), plan.rounds());
    shell.err().println("perdure: the time is up, with " + some);
    return Perdure.NO;
  }
}
