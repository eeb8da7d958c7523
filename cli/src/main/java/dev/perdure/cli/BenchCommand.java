// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.ApiException;
import dev.perdure.client.LoadGenerator;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
import dev.perdure.server.CannotStartException;
import dev.perdure.server.Server;
import dev.perdure.server.ServerSettings;
import dev.perdure.server.config.Configuration;
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

  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

  @Option(names = "--tasks", paramLabel = "N", description = "In each round (2000).")
  private @Nullable String tasks;

  @Option(names = "--rounds", paramLabel = "N", description = "Measured, after one to warm up (3).")
  private @Nullable String rounds;

  @Option(names = "--connections", paramLabel = "N", description = "How many ask at once (8).")
  private @Nullable String connections;

  @Option(names = "--timeout", paramLabel = "TIME", description = "No longer than this (10m).")
  private @Nullable String timeout;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  private BenchCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /** PERDURE_URL does not count: it would be a pity about the server that it happens to name. */
  static CommandLine create(CliContext cliContext) {
    CommandLine line = new CommandLine(new BenchCommand(cliContext));
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
    OptionParser optionParser = new OptionParser();
    int size = optionParser.count("--tasks", tasks, 2_000, 1, 100_000);
    int times = optionParser.count("--rounds", rounds, 3, 1, 20);
    int callers = optionParser.count("--connections", connections, 8, 1, 64);
    Duration limit = optionParser.duration("--timeout", timeout, DEFAULT_TIMEOUT);
    optionParser.throwIfInvalid();
    Plan plan = new Plan(size, times, callers, cliContext.countdown(limit));
    Thread caller = Thread.currentThread();
    return ShutdownSignal.runUntilSignal(
        () -> server.isUrlGiven() ? measureRemote(plan) : measureEmbedded(plan), caller::interrupt);
  }

  private int measureRemote(Plan plan) throws InterruptedException {
    try (PerdureClient perdureClient = server.client(cliContext)) {
      LoadGenerator loadGenerator = loadGenerator(perdureClient, plan);
      boolean done = false;
      try {
        int code = measure(loadGenerator, plan);
        done = code == Perdure.EXIT_OK;
        return code;
      } finally {
        if (!done) {
          cancelRemaining(loadGenerator);
        }
      }
    }
  }

  /** What is left would wait at that server for ever. */
  private void cancelRemaining(LoadGenerator loadGenerator) {
    try {
      loadGenerator.cancelRemaining();
    } catch (TransportException | ApiException e) {
      cliContext
          .err()
          .println("perdure: tasks of the kind %s may be left".formatted(loadGenerator.kind()));
    }
  }

  private int measureEmbedded(Plan plan) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("perdure-bench");
        Server own = startServer("sqlite:" + folder.path().resolve("perdure.db"));
        PerdureClient perdureClient = new PerdureClient(own.url(), null)) {
      return measure(loadGenerator(perdureClient, plan), plan);
    }
  }

  private static Server startServer(String database) {
    Configuration configuration =
        ServerSettings.configuration(Map.of(Settings.PORT, "0", Settings.DATABASE_URL, database));
    try {
      return Server.start(configuration, VersionCommand.version());
    } catch (CannotStartException e) {
      throw new UsageException(List.of(e.problem()));
    }
  }

  private LoadGenerator loadGenerator(PerdureClient perdureClient, Plan plan) {
    String kind = "bench-" + cliContext.randomName();
    Countdown time = plan.time();
    return new LoadGenerator(
        perdureClient, kind, plan.connections(), time::elapsed, time::isExpired);
  }

  private int measure(LoadGenerator loadGenerator, Plan plan) throws InterruptedException {
    BenchReporter teller = BenchReporter.of(cliContext, output, plan.tasks(), plan.time()::elapsed);
    List<LoadGenerator.Round> measured = new ArrayList<>();
    loadGenerator.checkAccess();
    Optional<LoadGenerator.Round> round =
        loadGenerator.runRound(plan.tasks(), done -> teller.progress(measured, "warm-up", done));
    while (round.isPresent() && measured.size() < plan.rounds()) {
      String name = "round %d of %d".formatted(measured.size() + 1, plan.rounds());
      round = loadGenerator.runRound(plan.tasks(), done -> teller.progress(measured, name, done));
      if (round.isPresent()) {
        measured.add(round.get());
        teller.measured(measured);
      }
    }
    teller.ended(measured);
    if (measured.size() == plan.rounds()) {
      return Perdure.EXIT_OK;
    }
    String some = "%d of %d rounds measured".formatted(measured.size(), plan.rounds());
    cliContext.err().println("perdure: the time is up, with " + some);
    return Perdure.EXIT_NEGATIVE;
  }
}
