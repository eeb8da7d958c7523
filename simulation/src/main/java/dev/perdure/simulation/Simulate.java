// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.PlantedBug;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the simulation from the command line. */
public final class Simulate {

  private static final String USAGE =
      "usage: Simulate --seed N | --seeds FROM..TO [--bug NAME|all]\n"
          + "  --seed N          replays one seed and prints its trace\n"
          + "  --seeds FROM..TO  runs a range of seeds\n"
          + "  --bug NAME        plants this bug: "
          + String.join(", ", names());

  private final PrintStream out;

  private Simulate(PrintStream out) {
    this.out = out;
  }

  /**
   * Exits with 0 if no invariant was broken, 1 if one was, and 2 for wrong arguments. With {@code
   * --bug all} it exits with 0 if every bug was found.
   */
  public static void main(String... arguments) {
    // Set before the first virtual thread starts: fibers are fastest on one carrier thread.
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(new Simulate(System.out).run(arguments));
  }

  private static List<String> names() {
    return EnumSet.complementOf(EnumSet.of(PlantedBug.NONE)).stream().map(Simulate::name).toList();
  }

  private static String name(PlantedBug bug) {
    return bug.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private int run(String... arguments) {
    @Nullable Request request = Request.of(arguments);
    if (request == null) {
      out.println(USAGE);
      return 2;
    }
    if (request.bugs().size() > 1) {
      return table(request);
    }
    PlantedBug bug = request.bugs().iterator().next();
    return request.from() == request.to() ? replay(request.from(), bug) : range(request, bug);
  }

  private int replay(long seed, PlantedBug bug) {
    EngineSimulation.SimulationResult result = SeedRange.run(seed, bug, Integer.MAX_VALUE);
    result.trace().forEach(out::println);
    out.println(SeedRange.summary(result));
    return result.violation() == null ? 0 : 1;
  }

  private int range(Request request, PlantedBug bug) {
    SeedRange range = SeedRange.run(request.from(), request.to(), bug);
    range.failures().stream()
        .limit(1)
        .forEach(result -> out.println(SeedRange.explain(result, bug)));
    range.failures().forEach(result -> out.println(SeedRange.summary(result)));
    out.println(range.summary());
    return range.failures().isEmpty() ? 0 : 1;
  }

  private int table(Request request) {
    out.println("| bug | found by | first seed | seeds of " + request.count() + " |");
    out.println("|---|---|---|---|");
    boolean all = true;
    for (PlantedBug bug : request.bugs()) {
      SeedRange range = SeedRange.run(request.from(), request.to(), bug);
      all &= !range.failures().isEmpty();
      out.println(range.row(name(bug)));
    }
    return all ? 0 : 1;
  }

  /** The parsed arguments. */
  private record Request(long from, long to, Set<PlantedBug> bugs) {

    long count() {
      return to - from + 1;
    }

    static @Nullable Request of(String... arguments) {
      long from = 0;
      long to = -1;
      Set<PlantedBug> bugs = EnumSet.of(PlantedBug.NONE);
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
            case "--bug" -> bugs = bugs(value);
            default -> {
              return null;
            }
          }
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException invalid) {
        return null;
      }
      return arguments.length % 2 != 0 || to < from ? null : new Request(from, to, bugs);
    }

    private static Set<PlantedBug> bugs(String name) {
      return name.equals("all")
          ? EnumSet.complementOf(EnumSet.of(PlantedBug.NONE))
          : EnumSet.of(PlantedBug.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
  }
}
