// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.PlantedBug;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The simulation on the command line. */
public final class Simulate {

  private static final String USAGE =
      "usage: Simulate --seed N | --seeds FROM..TO [--bug NAME|all]\n"
          + "  --seed N          replays one seed and prints its trace\n"
          + "  --seeds FROM..TO  runs a range of seeds\n"
          + "  --bug NAME        with this bug planted: "
          + String.join(", ", names());

  private final PrintStream out;

  private Simulate(PrintStream out) {
    this.out = out;
  }

  /** Exits with 0 when nothing was found, with 1 when something was, with 2 after wrong use. */
  public static void main(String... arguments) {
    // Before the first virtual thread: fibers are quickest when they share one carrier.
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(new Simulate(System.out).answer(arguments));
  }

  private static java.util.List<String> names() {
    return EnumSet.complementOf(EnumSet.of(PlantedBug.NONE)).stream().map(Simulate::name).toList();
  }

  private static String name(PlantedBug plantedBug) {
    return plantedBug.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private int answer(String... arguments) {
    @Nullable Request request = Request.of(arguments);
    if (request == null) {
      out.println(USAGE);
      return 2;
    }
    if (request.bugs().size() > 1) {
      return table(request);
    }
    PlantedBug plantedBug = request.bugs().iterator().next();
    return request.from() == request.to()
        ? replay(request.from(), plantedBug)
        : range(request, plantedBug);
  }

  private int replay(long seed, PlantedBug plantedBug) {
    EngineSimulation.SimulationResult simulationResult =
        SeedRange.run(seed, plantedBug, Integer.MAX_VALUE);
    simulationResult.trace().forEach(out::println);
    out.println(SeedRange.summary(simulationResult));
    return simulationResult.violation() == null ? 0 : 1;
  }

  private int range(Request request, PlantedBug plantedBug) {
    SeedRange seedRange = SeedRange.run(request.from(), request.to(), plantedBug);
    seedRange.failures().stream()
        .limit(1)
        .forEach(simulationResult -> out.println(SeedRange.explain(simulationResult, plantedBug)));
    seedRange
        .failures()
        .forEach(simulationResult -> out.println(SeedRange.summary(simulationResult)));
    out.println(seedRange.summary());
    return seedRange.failures().isEmpty() ? 0 : 1;
  }

  private int table(Request request) {
    out.println("| bug | found by | first seed | seeds of " + request.count() + " |");
    out.println("|---|---|---|---|");
    boolean all = true;
    for (PlantedBug plantedBug : request.bugs()) {
      SeedRange seedRange = SeedRange.run(request.from(), request.to(), plantedBug);
      all &= !seedRange.failures().isEmpty();
      out.println(seedRange.row(name(plantedBug)));
    }
    return all ? 0 : 1;
  }

  /** What was asked for. */
  private record Request(long from, long to, Set<PlantedBug> bugs) {

    long count() {
      return to - from + 1;
    }

    static @Nullable Request of(String... arguments) {
      long from = 0;
      long to = -1;
      Set<PlantedBug> plantedBugs = EnumSet.of(PlantedBug.NONE);
      try {
        for (int i = 0; i + 1 < arguments.length; i += 2) {
          String value = arguments[i + 1];
          switch (arguments[i]) {
            case "--seed" -> {
              from = Long.parseLong(value);
              to = from;
            }
            case "--seeds" -> {
              String[] ends = value.split("\\.\\.", -1);
              from = Long.parseLong(ends[0]);
              to = Long.parseLong(ends[1]);
            }
            case "--bug" -> plantedBugs = bugs(value);
            default -> {
              return null;
            }
          }
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
        return null;
      }
      return arguments.length % 2 != 0 || to < from ? null : new Request(from, to, plantedBugs);
    }

    private static Set<PlantedBug> bugs(String name) {
      return name.equals("all")
          ? EnumSet.complementOf(EnumSet.of(PlantedBug.NONE))
          : EnumSet.of(PlantedBug.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
  }
}
