// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.bench.LoadGenerator;
import dev.perdure.client.ApiException;
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

/** Measures a server with empty tasks. */
@Command(
    name = "bench",
    description = "Measure how many tasks per second a server accepts and settles.",
    footer = {
      "",
      "Without --url, bench starts a server in this process with a temporary SQLite file; load and"
          + " server then share this machine. With --url, the ended tasks stay on that server until"
          + " its retention deletes them.",
      "",
      "Examples:",
      "  perdure bench",
      "  perdure bench --tasks 10000 --url http://127.0.0.1:8085"
    })
final class BenchCommand implements Callable<Integer> {

  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

  @Option(names = "--tasks", paramLabel = "N", description = "Tasks per round (2000).")
  private @Nullable String tasks;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Measured rounds, after one to warm up (3).")
  private @Nullable String rounds;

  @Option(names = "--connections", paramLabel = "N", description = "Concurrent requests (8).")
  private @Nullable String connections;

  @Option(names = "--timeout", paramLabel = "TIME", description = "Stop after this time (10m).")
  private @Nullable String timeout;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  private BenchCommand(CliContext context) {
    this.context = context;
  }

  /** Ignores PERDURE_URL, so that no one puts load on a production server by accident. */
  static CommandLine create(CliContext context) {
    CommandLine line = new CommandLine(new BenchCommand(context));
    CommandSpec spec = line.getCommandSpec();
    OptionSpec url = spec.findOption("--url");
    spec.remove(url);
    spec.addOption(
        url.toBuilder().description("Measure this server instead of a temporary one.").build());
    return line;
  }

  /** The options, parsed. */
  private record Plan(int tasks, int rounds, int connections, Countdown time) {}

  @Override
  public Integer call() throws Exception {
    OptionParser parser = new OptionParser();
    int size = parser.count("--tasks", tasks, 2_000, 1, 100_000);
    int times = parser.count("--rounds", rounds, 3, 1, 20);
    int callers = parser.count("--connections", connections, 8, 1, 64);
    Duration limit = parser.duration("--timeout", timeout, DEFAULT_TIMEOUT);
    parser.throwIfInvalid();
    Plan plan = new Plan(size, times, callers, context.countdown(limit));
    Thread caller = Thread.currentThread();
    return ShutdownSignal.runUntilSignal(
        () -> server.isUrlGiven() ? measureRemote(plan) : measureEmbedded(plan), caller::interrupt);
  }

  private int measureRemote(Plan plan) throws InterruptedException {
    try (PerdureClient client = server.client(context)) {
      LoadGenerator load = load(client, plan);
      boolean done = false;
      try {
        int code = measure(load, plan);
        done = code == Perdure.EXIT_OK;
        return code;
      } finally {
        if (!done) {
          cancelRemaining(load);
        }
      }
    }
  }

  /** Tasks of an unfinished round would otherwise stay on that server forever. */
  private void cancelRemaining(LoadGenerator load) {
    try {
      load.cancelRemaining();
    } catch (TransportException | ApiException e) {
      context
          .err()
          .println(
              "perdure: could not cancel the remaining tasks of kind %s; cancel them yourself"
                  .formatted(load.kind()));
    }
  }

  private int measureEmbedded(Plan plan) throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.create("perdure-bench");
        Server own = startServer("sqlite:" + directory.path().resolve("perdure.db"));
        PerdureClient client = PerdureClient.builder(own.url()).build()) {
      return measure(load(client, plan), plan);
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

  private LoadGenerator load(PerdureClient client, Plan plan) {
    String kind = "bench-" + context.randomName();
    Countdown time = plan.time();
    return new LoadGenerator(client, kind, plan.connections(), time::elapsed, time::isExpired);
  }

  private int measure(LoadGenerator load, Plan plan) throws InterruptedException {
    BenchReporter reporter = BenchReporter.of(context, output, plan.tasks(), plan.time()::elapsed);
    List<LoadGenerator.Round> measured = new ArrayList<>();
    load.checkAccess();
    Optional<LoadGenerator.Round> round =
        load.runRound(plan.tasks(), done -> reporter.progress(measured, "warm-up", done));
    while (round.isPresent() && measured.size() < plan.rounds()) {
      String name = "round %d of %d".formatted(measured.size() + 1, plan.rounds());
      round = load.runRound(plan.tasks(), done -> reporter.progress(measured, name, done));
      if (round.isPresent()) {
        measured.add(round.get());
        reporter.measured(measured);
      }
    }
    reporter.ended(measured);
    if (measured.size() == plan.rounds()) {
      return Perdure.EXIT_OK;
    }
    context
        .err()
        .println(
            "perdure: timed out after %d of %d rounds".formatted(measured.size(), plan.rounds()));
    return Perdure.EXIT_NEGATIVE;
  }
}
